import type { Module } from "../../module.ts";
import { accountRoutes } from "./accounts/accounts.routes.ts";
import { agingRoutes } from "./aging/aging.routes.ts";
import { billingRoutes, unbilledRoutes } from "./billing/billing.routes.ts";
import { chargeRoutes } from "./charges/charges.routes.ts";
import { customerRoutes } from "./customers/customers.routes.ts";
import { documentRoutes } from "./documents/documents.routes.ts";
import type { EInvoices } from "./documents/e-invoice.ts";
import * as documents from "./documents.tables.ts";
import { exportRoutes } from "./exports/exports.routes.ts";
import { paymentReceived } from "./finance.events.ts";
import { financeFollows } from "./finance.follows.ts";
import { financeSummary, invoiceOverdue } from "./finance.jobs.ts";
import { financePersonal } from "./finance.personal.ts";
import * as tables from "./finance.tables.ts";
import { financeChanges } from "./finance-changes.queries.ts";
import { invoiceFinder } from "./invoices/find-invoices.queries.ts";
import { invoiceRoutes, runRoutes } from "./invoices/invoices.routes.ts";
import { publicInvoiceRoute, publicInvoiceRoutes } from "./invoices/public.routes.ts";
import * as invoices from "./invoices.tables.ts";
import { publicSummaryRoutes, summaryRoutes } from "./ledger/summaries.routes.ts";
import * as ledger from "./ledger.tables.ts";
import { packageRoutes } from "./packages/packages.routes.ts";
import { paymentRoutes } from "./payments/payments.routes.ts";
import * as payments from "./payments.tables.ts";
import { rateRoutes } from "./rates/rates.routes.ts";
import { settingsRoutes } from "./settings/settings.routes.ts";

export const finance = {
  capability: "finance",
  tables: { tenant: { ...tables, ...invoices, ...payments, ...ledger, ...documents } },
  routes: (http, services) => [
    rateRoutes(http),
    chargeRoutes(http),
    unbilledRoutes(http),
    billingRoutes(http),
    packageRoutes(http),
    invoiceRoutes(http),
    runRoutes(http),
    documentRoutes(http, services),
    paymentRoutes(http),
    customerRoutes(http),
    settingsRoutes(http),
    publicInvoiceRoutes(http),
    publicInvoiceRoute(http),
    accountRoutes(http),
    exportRoutes(http),
    agingRoutes(http),
    summaryRoutes(http),
    publicSummaryRoutes(http),
  ],
  events: [paymentReceived],
  jobs: [invoiceOverdue, financeSummary],
  follows: financeFollows,
  personal: financePersonal,
  search: [invoiceFinder],
  changes: financeChanges,
  tags: {
    Finance:
      "Rates, charges, packages of hours, invoices, payments, accounts of people, and what the accountant takes over.",
  },
} satisfies Module<{ eInvoices: EInvoices }>;
