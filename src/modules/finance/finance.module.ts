import type { Module } from "../../module.ts";
import * as tables from "./finance.tables.ts";
import { rateRoutes } from "./rates/rates.routes.ts";
import { settingsRoutes } from "./settings/settings.routes.ts";

export const finance = {
  capability: "finance",
  tables: { tenant: tables },
  routes: (http) => [rateRoutes(http), settingsRoutes(http)],
  tags: { Finance: "Rates, charges, packages of hours, and flights that are not charged." },
} satisfies Module;
