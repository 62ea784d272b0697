import type { Module } from "../../module.ts";
import { dueRoutes } from "./due/due.routes.ts";
import { itemDoneRoute, itemRoutes } from "./items/items.routes.ts";
import { maintenanceDue } from "./maintenance.jobs.ts";
import * as tables from "./maintenance.tables.ts";
import { templateRoutes } from "./templates/templates.routes.ts";

export const maintenance = {
  capability: "maintenance",
  tables: { tenant: tables },
  routes: (http) => [itemRoutes(http), itemDoneRoute(http), templateRoutes(http), dueRoutes(http)],
  jobs: [maintenanceDue],
  tags: { Maintenance: "What must be done to aircraft, and when." },
} satisfies Module;
