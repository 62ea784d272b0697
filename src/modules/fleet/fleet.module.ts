import { maintenanceAlert } from "../../events/maintenance-alert.ts";
import type { Module } from "../../module.ts";
import { seenWith } from "../../storage/change-kinds.ts";
import { aircraftHistoryRoutes } from "./aircraft-history.routes.ts";
import { aircraftFinder } from "./find-aircraft.queries.ts";
import { fleetPersonal } from "./fleet.personal.ts";
import { fleetRoutes } from "./fleet.routes.ts";
import * as tables from "./fleet.tables.ts";
import { groundingRoutes } from "./grounding/grounding.routes.ts";
import { importAircraftRoutes } from "./import/import.routes.ts";

export const fleet = {
  capability: "fleet",
  tables: { tenant: tables },
  routes: (http) => [fleetRoutes(http), importAircraftRoutes(http), groundingRoutes(http), aircraftHistoryRoutes(http)],
  events: [maintenanceAlert],
  personal: fleetPersonal,
  search: [aircraftFinder],
  changes: [{ kind: "aircraft", seenBy: seenWith("aircraft:read") }],
  tags: { Fleet: "Aircraft, their counters, and why they are grounded." },
} satisfies Module;
