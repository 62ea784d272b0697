import type { Module } from "../../module.ts";
import { fleetRoutes } from "./fleet.routes.ts";
import * as tables from "./fleet.tables.ts";

export const fleet = {
  capability: "fleet",
  tables: { tenant: tables },
  routes: (http) => [fleetRoutes(http)],
  tags: { Fleet: "Aircraft and their counters." },
} satisfies Module;
