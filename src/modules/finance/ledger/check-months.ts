/** Compares the sums of months with the journal that they follow from. */
import { eq, sql } from "drizzle-orm";
import { yieldToEventLoop } from "../../../core/async.ts";
import type { Instant } from "../../../core/clock.ts";
import { sumOf } from "../../../core/money.ts";
import type { Reader, Tenant, Tx } from "../../../storage/store.ts";
import {
  financeEntries as entries,
  isUnchecked,
  type Month,
  financeMonths as months,
  financeVatMonths as vats,
} from "../ledger.tables.ts";
import { noSums, sumOfPosting } from "./post.ts";

type TenantReader = Reader<"tenant">;
type VatRow = typeof vats.$inferSelect;

/** Returns since when a month has entries that were not compared. */
export async function oldestUnchecked(reader: TenantReader): Promise<Instant | null> {
  const row = await reader.first(sql`select min(updated_at) from ${months} where ${isUnchecked}`, {});
  return (row?.[0] ?? null) as Instant | null;
}

/** Computes anew the sums of months that have changed, a month in a transaction, and corrects what differs. */
export async function checkMonths(
  tenant: Tenant,
  log: { error(details: Record<string, unknown>, message: string): void },
): Promise<{ months: number; corrected: number }> {
  const done = { months: 0, corrected: 0 };
  for (;;) {
    const [row] = await tenant.read((reader) =>
      reader.select({ month: months.month }).from(months).where(isUnchecked).limit(1),
    );
    if (row === undefined) return done;
    const differs = await tenant.write((tx) => checkMonth(tx, row.month));
    done.months += 1;
    if (differs) {
      done.corrected += 1;
      const about = { organization_id: tenant.id, month: row.month, ...differs };
      log.error(about, "The sums of a month differed from the journal. They were corrected.");
    }
    await yieldToEventLoop();
  }
}

/** Returns the sums before and after, if they differed. */
async function checkMonth(tx: Tx<"tenant">, month: Month) {
  const before = await storedSums(tx, month);
  const after = await sumsOf(tx, month);
  const differs = JSON.stringify(before) !== JSON.stringify(after);
  if (differs) {
    await tx.delete(vats).where(eq(vats.month, month));
    if (after.vat.length > 0) await tx.insert(vats).values(after.vat.map((row) => ({ ...row, month })));
    await tx.run(sql`update ${months} set issued_minor = 0, credited_minor = 0, voided_minor = 0, collected_minor = 0,
      refunded_minor = 0 where month = ${month}`);
    for (const sums of after.sums)
      await tx
        .insert(months)
        .values({ ...sums, month, updated_at: tx.now })
        .onConflictDoUpdate({ target: [months.month, months.currency], set: sums });
  }
  // Not before `updated_at`, even if the clock was set back: otherwise the month would be found again and again.
  await tx.run(sql`update ${months} set checked_at = max(updated_at, ${tx.now}) where month = ${month}`);
  return differs ? { before, after } : undefined;
}

type Sums = typeof noSums & { currency: string };
type VatSums = Omit<VatRow, "month">;

interface MonthSums {
  sums: Sums[];
  vat: VatSums[];
}

/** Without what is zero, in a fixed order. */
async function storedSums(reader: TenantReader, month: Month): Promise<MonthSums> {
  const sums = await reader.select().from(months).where(eq(months.month, month));
  const vat = await reader.select().from(vats).where(eq(vats.month, month));
  return inOrder({ sums, vat });
}

/** Entries that are read in one turn of the event loop. */
const PIECE = 1000;

type Read = Pick<
  typeof entries.$inferSelect,
  "id" | "on" | "posting" | "account" | "currency" | "vat_category" | "vat_rate" | "debit_minor" | "credit_minor"
>;

/** Returns the sums of the month's entries. */
async function sumsOf(reader: TenantReader, month: Month): Promise<MonthSums> {
  const sums = new Map<string, Sums>();
  const vat = new Map<string, VatSums>();
  const end = Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString();
  for (let place: Pick<Read, "on" | "id"> | { on: string; id: number } = { on: month, id: 0 }; ; ) {
    const piece: Read[] = await reader
      .select()
      .from(entries)
      .where(sql`(${entries.on}, ${entries.id}) > (${place.on}, ${place.id}) and ${entries.on} < ${end}`)
      .orderBy(entries.on, entries.id)
      .limit(PIECE);
    for (const entry of piece) {
      addToSums(sums, entry);
      addToVat(vat, entry);
    }
    const last = piece.at(-1);
    if (last === undefined || piece.length < PIECE)
      return inOrder({ sums: [...sums.values()], vat: [...vat.values()] });
    place = last;
    await yieldToEventLoop();
  }
}

function addToSums(sums: Map<string, Sums>, entry: Read): void {
  const { account, posting, currency, debit_minor, credit_minor } = entry;
  if (account !== "receivables") return;
  const sum = sums.get(currency) ?? { currency, ...noSums };
  const [name, sign] = sumOfPosting[posting];
  sums.set(currency, { ...sum, [name]: sumOf([sum[name], sign * (debit_minor - credit_minor)]) });
}

function addToVat(vat: Map<string, VatSums>, entry: Read): void {
  const { account, currency, vat_category, vat_rate, debit_minor, credit_minor } = entry;
  if ((account !== "revenue" && account !== "vat") || vat_category === null || vat_rate === null) return;
  const key = `${currency} ${vat_category} ${vat_rate}`;
  const sum = vat.get(key) ?? { currency, vat_category, vat_rate, net_minor: 0, vat_minor: 0 };
  const name = account === "revenue" ? "net_minor" : "vat_minor";
  vat.set(key, { ...sum, [name]: sumOf([sum[name], credit_minor - debit_minor]) });
}

const inOrder = ({ sums, vat }: MonthSums): MonthSums => ({
  sums: sums
    .map(({ currency, issued_minor, credited_minor, voided_minor, collected_minor, refunded_minor }) => ({
      currency,
      issued_minor,
      credited_minor,
      voided_minor,
      collected_minor,
      refunded_minor,
    }))
    .filter(({ currency: _, ...amounts }) => Object.values(amounts).some((amount) => amount !== 0))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1)),
  vat: vat
    .map(({ currency, vat_category, vat_rate, net_minor, vat_minor }) => ({
      currency,
      vat_category,
      vat_rate,
      net_minor,
      vat_minor,
    }))
    .filter(({ net_minor, vat_minor }) => net_minor !== 0 || vat_minor !== 0)
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
});

const keyOf = ({ currency, vat_category, vat_rate }: VatSums) => `${currency} ${vat_category} ${vat_rate}`;
