import { eq, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type LegalDate, toLegalDate } from "../../core/dates.ts";
import { descending, listOf } from "../../storage/page.ts";
import { allRows, type PersonalData } from "../../storage/personal-data.ts";
import { eraseFromTexts } from "../../storage/personal-texts.ts";
import { charge } from "./charges/charges.schemas.ts";
import { statedCustomer } from "./customers/customers.queries.ts";
import { eraseMoney } from "./erase-money.ts";
import { financeCharges, financeCustomers, financeFlights, financePackages, financeRates } from "./finance.tables.ts";
import { invoice } from "./invoices/invoices.shapes.ts";
import { financeInvoices } from "./invoices.tables.ts";
import { financeEntries } from "./ledger.tables.ts";
import { hourPackage } from "./packages/packages.schemas.ts";
import { payment } from "./payments/payments.schemas.ts";
import { financePayments } from "./payments.tables.ts";
import { rate } from "./rates/rates.schemas.ts";
import { accountKeeping } from "./retention.ts";

const listCharges = listOf(charge, { from: financeCharges, orderBy: descending(charge, "on", "id") });
const listInvoices = listOf(invoice, { from: financeInvoices, orderBy: descending(invoice, "issued_on", "id") });
const listPayments = listOf(payment, { from: financePayments, orderBy: descending(payment, "received_on", "id") });
const listPackages = listOf(hourPackage, { from: financePackages, orderBy: descending(hourPackage, "id") });
const listRates = listOf(rate, { from: financeRates, orderBy: descending(rate, "valid_from", "id") });

/** Until the law lets them go, charges, invoices and payments are kept as they are: an invoice with the name of its buyer. */
export const financePersonal: PersonalData = {
  lists: {
    charges: (tenant, { personId: person_id }) =>
      allRows(tenant, (reader, page) => listCharges(reader, { ...page, person_id })),
    invoices: (tenant, { personId: person_id }) =>
      allRows(tenant, (reader, page) => listInvoices(reader, { ...page, person_id }), 50),
    payments: (tenant, { personId: person_id }) =>
      allRows(tenant, (reader, page) => listPayments(reader, { ...page, person_id })),
    packages_of_hours: (tenant, { personId: person_id }) =>
      allRows(tenant, (reader, page) => listPackages(reader, { ...page, person_id })),
    own_rates: (tenant, { personId: person_id }) =>
      allRows(tenant, (reader, page) => listRates(reader, { ...page, person_id })),
    async *customer(tenant, { personId }) {
      const stated = await tenant.read((reader) => statedCustomer(reader, personId));
      if (stated) yield stated.value;
    },
  },
  async kept(reader, { personId }) {
    const lastOf = (on: SQLiteColumn, person: SQLiteColumn) =>
      sql`ifnull((select max(${on}) from ${on.table} where ${person} = ${personId}), '')`;
    const [row] = await reader.values<[LegalDate | ""]>(
      sql`select max(${lastOf(financeCharges.on, financeCharges.person_id)},
        ${lastOf(financeEntries.on, financeEntries.person_id)})`,
    );
    if (!row?.[0]) return undefined;
    const { title, years, article } = accountKeeping;
    const yearsEnd = Temporal.PlainDate.from(row[0]).with({ month: 12, day: 31 });
    return { until: toLegalDate(yearsEnd.add({ years })), what: title, article };
  },
  async erase(tx, subject, by) {
    await eraseMoney(tx, subject, by);
    await tx.delete(financeCustomers).where(eq(financeCustomers.id, subject.personId));
    const stated = ["company", "buyer_reference", "street", "city"] as const;
    await eraseFromTexts(tx, financeCustomers, stated, subject, { cleared: ["email"] });
    await eraseFromTexts(tx, financeCharges, ["description", "reason"], subject);
    await eraseFromTexts(tx, financePackages, ["name"], subject);
    await eraseFromTexts(tx, financeRates, ["description"], subject);
    await eraseFromTexts(tx, financeFlights, ["reason"], subject);
  },
};
