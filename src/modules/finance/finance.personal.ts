import { eq, sql } from "drizzle-orm";
import { type LegalDate, toLegalDate } from "../../core/dates.ts";
import { descending, listOf } from "../../storage/page.ts";
import { allRows, eraseFromTexts, type PersonalData } from "../../storage/personal-data.ts";
import { charge } from "./charges/charges.schemas.ts";
import { statedCustomer } from "./customers/customers.queries.ts";
import { financeCharges, financeCustomers, financeFlights, financePackages, financeRates } from "./finance.tables.ts";
import { hourPackage } from "./packages/packages.schemas.ts";
import { rate } from "./rates/rates.schemas.ts";
import { accountKeeping } from "./retention.ts";

const listCharges = listOf(charge, { from: financeCharges, orderBy: descending(charge, "on", "id") });
const listPackages = listOf(hourPackage, { from: financePackages, orderBy: descending(hourPackage, "id") });
const listRates = listOf(rate, { from: financeRates, orderBy: descending(rate, "valid_from", "id") });

/** Charges keep their figures, and the id of the person without a name, until the law lets them go. */
export const financePersonal: PersonalData = {
  lists: {
    charges: (tenant, { personId: person_id }) =>
      allRows(tenant, (reader, page) => listCharges(reader, { ...page, person_id })),
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
    const [row] = await reader.values<[LegalDate | null]>(
      sql`select max(${financeCharges.on}) from ${financeCharges} where ${financeCharges.person_id} = ${personId}`,
    );
    if (!row?.[0]) return undefined;
    const { title, years, article } = accountKeeping;
    const yearsEnd = Temporal.PlainDate.from(row[0]).with({ month: 12, day: 31 });
    return { until: toLegalDate(yearsEnd.add({ years })), what: title, article };
  },
  async erase(tx, subject) {
    await tx.delete(financeCustomers).where(eq(financeCustomers.id, subject.personId));
    await eraseFromTexts(tx, financeCharges, ["description", "reason"], subject);
    await eraseFromTexts(tx, financePackages, ["name"], subject);
    await eraseFromTexts(tx, financeRates, ["description"], subject);
    await eraseFromTexts(tx, financeFlights, ["reason"], subject);
  },
};
