import type { Module } from "../../module.ts";
import { seenWith } from "../../storage/change-kinds.ts";
import { clearanceRuleRoutes } from "./rules.routes.ts";
import * as tables from "./rules.tables.ts";

/** What the school does when a flight does not meet a rule. `clearance` evaluates the rules. */
export const rules = {
  capability: "compliance",
  tables: { tenant: tables },
  routes: (http) => [clearanceRuleRoutes(http)],
  changes: [{ kind: "clearance_rule", seenBy: seenWith("compliance:read", "compliance:read_own") }],
} satisfies Module;
