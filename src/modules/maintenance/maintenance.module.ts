import type { Module } from "../../module.ts";
import { seenWith } from "../../storage/change-kinds.ts";
import { defectRoutes } from "./defects/defects.routes.ts";
import { fleetDefectRoutes } from "./defects/fleet.routes.ts";
import { dueRoutes } from "./due/due.routes.ts";
import { forecastRoutes } from "./forecast/forecast.routes.ts";
import { itemRoutes } from "./items/items.routes.ts";
import { maintenanceFollows } from "./maintenance.follows.ts";
import { maintenanceDue } from "./maintenance.jobs.ts";
import { maintenancePersonal } from "./maintenance.personal.ts";
import * as tables from "./maintenance.tables.ts";
import { orderFileRoutes } from "./order-file/order-file.routes.ts";
import { templateRoutes } from "./templates/templates.routes.ts";
import { workOrderFinder } from "./work-orders/find-work-orders.queries.ts";
import { publicWorkOrderRoute, publicWorkOrderRoutes } from "./work-orders/public.routes.ts";
import { workOrderRoutes } from "./work-orders/work-orders.routes.ts";

export const maintenance = {
  capability: "maintenance",
  tables: { tenant: tables },
  routes: (http) => [
    itemRoutes(http),
    forecastRoutes(http),
    templateRoutes(http),
    workOrderRoutes(http),
    orderFileRoutes(http),
    defectRoutes(http),
    fleetDefectRoutes(http),
    dueRoutes(http),
    publicWorkOrderRoutes(http),
    publicWorkOrderRoute(http),
  ],
  jobs: [maintenanceDue],
  personal: maintenancePersonal,
  follows: maintenanceFollows,
  search: [workOrderFinder],
  changes: [
    { kind: "maintenance_item", seenBy: seenWith("maintenance:read") },
    { kind: "work_order", seenBy: seenWith("maintenance:read") },
    { kind: "defect", seenBy: seenWith("maintenance:read", "defects:report") },
  ],
  tags: { Maintenance: "What must be done to aircraft and when, work orders and defects." },
} satisfies Module;
