import type { Module } from "../../module.ts";
import { studentClaimed } from "./invites/student-claimed.ts";
import { organizationRenamed, organizationUpdated } from "./organization-updated.ts";
import { organizationRoutes } from "./organizations.routes.ts";
import * as tables from "./organizations.tables.ts";
import { personErased } from "./person-erased.ts";

export const organizations = {
  tables: { control: tables },
  routes: (http, { accounts, tenants, intents, log }) => [
    organizationRoutes(http, { ...accounts, tenants, intents, log }),
  ],
  intents: [organizationUpdated, organizationRenamed, personErased, studentClaimed],
  tags: {
    Organizations: "An organization's settings.",
    Members: "An organization's members, their roles, and invites.",
  },
} satisfies Module;
