/** The sums of the journal, for every month since the first: also for those without entries. */
import { sql } from "drizzle-orm";
import type { LegalDate } from "../../../core/dates.ts";
import { sumOf } from "../../../core/money.ts";
import type { Reader } from "../../../storage/store.ts";
import { decimal } from "../finance.fields.ts";
import { financeInvoices as invoices, isForeign } from "../invoices.tables.ts";
import { financeMonths as months, financeVatMonths as vats } from "../ledger.tables.ts";
import { noSums } from "./post.ts";
import type { Summary } from "./summaries.schemas.ts";

type TenantReader = Reader<"tenant">;
const { issued_minor, credited_minor, voided_minor, collected_minor, refunded_minor } = months;
const added = sql`${issued_minor} - ${credited_minor} - ${voided_minor} - ${collected_minor} + ${refunded_minor}`;

/** Returns the last months, the newest first, each with its currencies. @param date today's */
export async function listSummaries(
  reader: TenantReader,
  { limit }: { limit: number },
  date: LegalDate,
): Promise<Summary[]> {
  const last = await lastMonth(reader, date);
  const first = last.subtract({ months: limit - 1 });
  const inWindow = sql`month >= ${first.toString()}`;
  const sums = await reader.select().from(months).where(inWindow);
  const vat = await reader
    .select()
    .from(vats)
    .where(sql`${inWindow} and (net_minor <> 0 or vat_minor <> 0)`)
    .orderBy(sql`vat_rate desc, vat_category`);
  const national = await nationalVatSince(reader, first);
  const before = await reader.values<[currency: string, outstanding: number]>(
    sql`select currency, sum(${added}) from ${months} where month < ${first.toString()} group by currency`,
  );

  const outstanding = new Map(before);
  const currencies = [...new Set([...outstanding.keys(), ...sums.map(({ currency }) => currency)])].sort();
  const known = new Map(sums.map(({ checked_at: _, updated_at: __, ...row }) => [`${row.month} ${row.currency}`, row]));
  const summaries: Summary[][] = [];
  for (let month = first; Temporal.PlainYearMonth.compare(month, last) <= 0; month = month.add({ months: 1 }))
    summaries.push(
      currencies.flatMap((currency) => {
        const name = { month: month.toString(), currency };
        const row = known.get(`${name.month} ${currency}`);
        const carried = outstanding.get(currency);
        if (row === undefined && carried === undefined) return [];
        const found = row ?? noSums;
        const outstanding_minor = outstandingAfter(carried ?? 0, found);
        outstanding.set(currency, outstanding_minor);
        const ofMonth = vat.filter((one) => one.month === name.month && one.currency === currency);
        return [
          {
            ...noSums,
            ...found,
            ...name,
            outstanding_minor,
            vat: ofMonth.map(({ vat_category, vat_rate, net_minor, vat_minor }) => ({
              vat_category,
              vat_rate: decimal(vat_rate),
              net_minor,
              vat_minor,
            })),
            national_vat: national
              .filter((one) => one.month === name.month && one.invoiced === currency)
              .map((one) => ({ currency: one.currency, vat_minor: one.vat_minor })),
          },
        ];
      }),
    );
  return summaries.reverse().flat();
}

/** Returns the VAT in national currencies, by the month and the currency of the documents, which are few: most are in the national one. */
async function nationalVatSince(reader: TenantReader, first: Temporal.PlainYearMonth) {
  const rows = await reader.values<[month: string, invoiced: string, currency: string, vat_minor: number]>(sql`
    select substr(${invoices.issued_date}, 1, 7) as month, ${invoices.currency}, ${invoices.national_currency},
      sum(${invoices.national_vat_minor}) from ${invoices}
    where ${isForeign} and ${invoices.issued_date} >= ${`${first.toString()}-01`}
    group by month, ${invoices.currency}, ${invoices.national_currency} order by ${invoices.national_currency}`);
  return rows.map(([month, invoiced, currency, vat_minor]) => ({ month, invoiced, currency, vat_minor }));
}

const outstandingAfter = (before: number, sums: typeof noSums): number =>
  sumOf([
    ...[before, sums.issued_minor, -sums.credited_minor, -sums.voided_minor],
    ...[-sums.collected_minor, sums.refunded_minor],
  ]);

/** Returns the present month. A later one may have entries if the organization has moved to the west. */
async function lastMonth(reader: TenantReader, date: LegalDate): Promise<Temporal.PlainYearMonth> {
  const [row] = await reader.values<[string | null]>(sql`select max(month) from ${months}`);
  const present = date.slice(0, 7);
  return Temporal.PlainYearMonth.from(row?.[0] && row[0] > present ? row[0] : present);
}
