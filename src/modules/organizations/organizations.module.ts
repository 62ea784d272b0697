import type { Module } from "../../module.ts";
import { answer, on } from "../../storage/occasions.ts";
import { accountRenamed, isInvited } from "../accounts/accounts.occasions.ts";
import type { AccountParts } from "../accounts/accounts.parts.ts";
import { memberFinder } from "./find-members.queries.ts";
import { hasOpenInvite } from "./invites/invites.queries.ts";
import { studentClaimed } from "./invites/student-claimed.ts";
import { followRename, memberRenamed } from "./me/account-renamed.ts";
import { movedOrganization } from "./moved-organization.ts";
import { examineSuspensions } from "./operator/examine-suspensions.ts";
import { organizationRemoval } from "./operator/organization-removal.ts";
import { suspensionChanged } from "./operator/suspension-changed.ts";
import { organizationRenamed, organizationUpdated } from "./organization-updated.ts";
import { inviteCleanup } from "./organizations.jobs.ts";
import { organizationRoutes } from "./organizations.routes.ts";
import * as tables from "./organizations.tables.ts";
import { organizationChanges } from "./organizations-changes.queries.ts";

export const organizations = {
  tables: { control: tables },
  routes: (http, { accounts, tenants, intents, log }) => [
    organizationRoutes(http, { ...accounts, tenants, intents, log }),
  ],
  jobs: [inviteCleanup, organizationRemoval],
  moved: movedOrganization,
  search: [memberFinder],
  intents: [organizationUpdated, organizationRenamed, studentClaimed, memberRenamed, suspensionChanged],
  follows: [on(accountRenamed, followRename), answer(isInvited, hasOpenInvite)],
  diagnoses: [examineSuspensions],
  changes: organizationChanges,
  tags: {
    Organizations: "An organization's settings.",
    Members: "An organization's members, their roles, and invites.",
  },
} satisfies Module<{ accounts: AccountParts }>;
