import { knownBy } from "../../storage/names.ts";
import { financePackages } from "./finance.tables.ts";
import { financeInvoices } from "./invoices.tables.ts";

/** Beside the ids of invoices and credit notes. Null: a draft. */
export const invoiceNumber = knownBy(financeInvoices, "number", "INV-2026-00001");
/** Beside the ids of packages. */
export const packageName = knownBy(financePackages, "name", "10 hours Cessna 172");
