import type { Module } from "../../module.ts";
import { billingRoutes, unbilledRoutes } from "./billing/billing.routes.ts";
import { chargeRoutes } from "./charges/charges.routes.ts";
import { customerRoutes } from "./customers/customers.routes.ts";
import { financePersonal } from "./finance.personal.ts";
import * as tables from "./finance.tables.ts";
import { packageRoutes } from "./packages/packages.routes.ts";
import { rateRoutes } from "./rates/rates.routes.ts";
import { settingsRoutes } from "./settings/settings.routes.ts";

export const finance = {
  capability: "finance",
  tables: { tenant: tables },
  routes: (http) => [
    rateRoutes(http),
    chargeRoutes(http),
    unbilledRoutes(http),
    billingRoutes(http),
    packageRoutes(http),
    customerRoutes(http),
    settingsRoutes(http),
  ],
  personal: financePersonal,
  tags: { Finance: "Rates, charges, packages of hours, and flights that are not charged." },
} satisfies Module;
