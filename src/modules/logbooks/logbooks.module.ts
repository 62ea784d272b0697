import type { Module } from "../../module.ts";
import { journeyLogRoutes } from "./journey.routes.ts";
import { logbookRoutes } from "./logbook.routes.ts";
import { logbooksPersonal } from "./logbooks.personal.ts";
import * as tables from "./logbooks.tables.ts";
import { logbookChanges } from "./logbooks-changes.queries.ts";

export const logbooks = {
  capability: "flights",
  tables: { tenant: tables },
  routes: (http) => [logbookRoutes(http), journeyLogRoutes(http)],
  personal: logbooksPersonal,
  changes: logbookChanges,
  tags: { Logbooks: "The logbooks of pilots and the journey logs of aircraft, made from approved flights." },
} satisfies Module;
