import type { Module } from "../../module.ts";
import { peopleFinder } from "./find-people.queries.ts";
import { importPeopleRoutes } from "./import/import.routes.ts";
import { peoplePersonal } from "./people.personal.ts";
import { peopleRoutes } from "./people.routes.ts";
import * as tables from "./people.tables.ts";
import { peopleChanges } from "./people-changes.queries.ts";
import { publicPilotRoutes } from "./public.routes.ts";

export const people = {
  capability: "people",
  tables: { tenant: tables },
  routes: (http) => [peopleRoutes(http), importPeopleRoutes(http), publicPilotRoutes(http)],
  personal: peoplePersonal,
  search: [peopleFinder],
  changes: peopleChanges,
  tags: { People: "The people of a school, with or without an account." },
} satisfies Module;
