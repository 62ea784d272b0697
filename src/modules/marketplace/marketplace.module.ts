import type { Module } from "../../module.ts";
import { seenWith } from "../../storage/change-kinds.ts";
import { on } from "../../storage/occasions.ts";
import type { AccountParts } from "../accounts/accounts.parts.ts";
import { organizationRemoved } from "../organizations/organizations.occasions.ts";
import { createApplicationMailer } from "./applications/application-mails.ts";
import { applicationRoutes, applyRoute } from "./applications/applications.routes.ts";
import * as tables from "./marketplace.tables.ts";
import { movedOpportunities } from "./moved-opportunities.ts";
import { openOpportunityRoutes, opportunityRoutes } from "./opportunities/opportunities.routes.ts";
import { removeOffers } from "./remove-offers.ts";

export const marketplace = {
  capability: "marketplace",
  tables: { control: tables },
  moved: movedOpportunities,
  routes(http, { accounts, clock }) {
    const mail = createApplicationMailer(clock, accounts);
    return [
      opportunityRoutes(http),
      openOpportunityRoutes(http),
      applyRoute(http, { clock, mail }),
      applicationRoutes(http, { mail }),
    ];
  },
  follows: [on(organizationRemoved, removeOffers)],
  changes: [
    { kind: "opportunity", seenBy: seenWith("marketplace:manage") },
    { kind: "application", seenBy: seenWith("marketplace:manage") },
  ],
  tags: { Marketplace: "What organizations offer to pilots and instructors, and their applications." },
} satisfies Module<{ accounts: AccountParts }>;
