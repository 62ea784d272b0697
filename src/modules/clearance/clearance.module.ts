import type { Module } from "../../module.ts";
import { clearanceRoutes } from "./clearance.routes.ts";
import * as tables from "./clearance.tables.ts";
import { clearanceRuleRoutes } from "./rules/rules.routes.ts";

export const clearance = {
  capability: "compliance",
  tables: { tenant: tables },
  routes: (http) => [clearanceRoutes(http), clearanceRuleRoutes(http)],
  tags: { Clearance: "Whether a person may fly an aircraft, and why not." },
} satisfies Module;
