import type { Module } from "../../module.ts";
import { applyIntentsWith } from "../organizations/organizations.deps.ts";
import { importPeopleRoutes } from "./import/import.routes.ts";
import { peoplePersonal } from "./people.personal.ts";
import { peopleRoutes } from "./people.routes.ts";
import * as tables from "./people.tables.ts";
import { privacyRoutes } from "./privacy/privacy.routes.ts";
import { publicPilotRoutes } from "./public.routes.ts";

export const people = {
  capability: "people",
  tables: { tenant: tables },
  routes: (http, { personal, intents, log }) => [
    peopleRoutes(http),
    importPeopleRoutes(http),
    privacyRoutes(http, { personal, applyIntents: applyIntentsWith({ intents, log }) }),
    publicPilotRoutes(http),
  ],
  personal: peoplePersonal,
  tags: { People: "The people of a school, with or without an account." },
} satisfies Module;
