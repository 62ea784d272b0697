import type { Module } from "../../module.ts";
import { fleetRoutes } from "./fleet.routes.ts";
import * as tables from "./fleet.tables.ts";
import { importAircraftRoutes } from "./import/import.routes.ts";

export const fleet = {
  capability: "fleet",
  tables: { tenant: tables },
  routes: (http) => [fleetRoutes(http), importAircraftRoutes(http)],
  tags: { Fleet: "Aircraft and their counters." },
} satisfies Module;
