/** Postings: what a draft is made of. Charges that are on a draft are invoiced, and open again when it is voided. */
import { sql } from "drizzle-orm";
import { userIdOf } from "../../../core/actor.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { invalid } from "../../../core/errors.ts";
import { newIdAt, type PersonId } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { netByHand } from "../finance.fields.ts";
import { type ChargeId, financeCharges } from "../finance.tables.ts";
import { financeInvoiceLines, type InvoiceId } from "../invoices.tables.ts";
import { vatOf } from "../settings/settings.ts";
import { type InvoiceRow, invoiceEntity } from "./invoices.queries.ts";
import type { NewLine } from "./invoices.schemas.ts";
import { addLines, type Draft, MOST_LINES, priced, totalsOf } from "./lines.ts";

type ChargeRow = typeof financeCharges.$inferSelect;

/** Writes a draft, and marks the charges of its lines. @returns the invoice @throws VALIDATION_ERROR too many lines */
export async function writeDraft(
  tx: Tx<"tenant">,
  by: By,
  head: Pick<InvoiceRow, "kind" | "person_id" | "currency" | "note"> &
    Partial<Pick<InvoiceRow, "credits_id" | "payment_days">>,
  drafts: readonly Draft[],
) {
  const id: InvoiceId = newIdAt(tx.now);
  const lines = drafts.map(priced);
  requireRoom(lines.length);
  return addRow(tx, by, invoiceEntity, {
    action: "finance_invoice.drafted",
    row: {
      ...{ id, ...head, status: "draft", ...totalsOf(lines), paid_minor: 0, credited_minor: 0, reminders: 0 },
      ...{ created_by: userIdOf(by.actor), created_at: tx.now, updated_at: tx.now },
    },
    async also() {
      await claim(
        tx,
        id,
        lines.flatMap(({ charge_id }) => charge_id ?? []),
      );
      await addLines(tx, id, lines);
    },
  });
}

/** @throws VALIDATION_ERROR */
export function requireRoom(count: number): void {
  if (count > MOST_LINES)
    throw invalid({ path: "lines", code: "too_big", message: `An invoice has at most ${MOST_LINES} lines.` });
}

const claimed = sql`update ${financeCharges} set status = 'invoiced', invoice_id = ${sql.placeholder("invoice")},
  updated_at = ${sql.placeholder("now")} where id = ${sql.placeholder("id")} and status = 'open'`;

async function claim(tx: Tx<"tenant">, invoice: InvoiceId, ids: readonly ChargeId[]): Promise<void> {
  const rows = ids.map((id) => ({ id, invoice, now: tx.now }));
  const changed = await tx.each(claimed, rows);
  if (changed.some((count) => count !== 1)) throw new Error("A charge that was read as open is not open.");
}

/** Returns the lines for charges. */
export const linesFor = (charges: readonly ChargeRow[]): Draft[] =>
  charges.map(({ id, description, on, quantity, unit, unit_price_minor, price_per, ...charge }) => ({
    ...{ charge_id: id, credits_line_id: null, description, on, quantity, unit, unit_price_minor, price_per },
    ...{ vat_category: charge.vat_category, vat_rate: charge.vat_rate, vat_reason: charge.vat_reason },
  }));

/** Returns the lines that were written by hand. @throws VALIDATION_ERROR the VAT is impossible */
export async function linesByHand(reader: Reader<"tenant"> & { now: Tx["now"] }, lines: readonly NewLine[]) {
  const date = toLegalDate(await today(reader, reader.now));
  const drafts: Draft[] = [];
  for (const [at, { on, ...line }] of lines.entries()) {
    netByHand(line, `lines.${at}.quantity`);
    drafts.push({
      ...line,
      ...(await vatOf(reader, line)),
      ...{ on: on ?? date, price_per: 1, charge_id: null, credits_line_id: null },
    });
  }
  return drafts;
}

/** Returns what lines by hand credit: they are reductions, with positive prices. */
export const reductions = (lines: readonly Draft[]): Draft[] =>
  lines.map((line) => ({ ...line, quantity: -line.quantity }));

/** Returns a person's open charges up to a day, the oldest first: as many as an invoice has room for. @param skip how many to leave out */
export const openCharges = (
  reader: Reader<"tenant">,
  { person_id, currency, until }: { person_id: PersonId; currency: string; until: LegalDate },
  skip = 0,
): Promise<ChargeRow[]> =>
  reader
    .select()
    .from(financeCharges)
    .where(
      sql`${financeCharges.person_id} = ${person_id} and ${financeCharges.status} = 'open'
        and ${financeCharges.on} <= ${until} and +${financeCharges.currency} = ${currency}`,
    )
    .orderBy(financeCharges.on, financeCharges.id)
    .limit(MOST_LINES)
    .offset(skip);

export async function currencyOfCharge(
  reader: Reader<"tenant">,
  id: ChargeId | undefined,
): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const [charge] = await reader.select().from(financeCharges).where(sql`${financeCharges.id} = ${id}`);
  return charge?.currency;
}

/** Returns these charges of a person. @throws VALIDATION_ERROR one is unknown, another person's, not open or named twice */
export async function chosenCharges(
  reader: Reader<"tenant">,
  { person_id, currency }: { person_id: PersonId; currency: string },
  ids: readonly ChargeId[],
): Promise<ChargeRow[]> {
  const charges: ChargeRow[] = [];
  for (const [at, id] of ids.entries()) {
    const [charge] = await reader.select().from(financeCharges).where(sql`${financeCharges.id} = ${id}`);
    const message =
      charge?.person_id !== person_id
        ? "The person has no such charge."
        : charge.status !== "open"
          ? "The charge is not open."
          : charge.currency !== currency
            ? `The charge is in ${charge.currency}, and the invoice in ${currency}.`
            : ids.indexOf(id) !== at
              ? "The charge is named twice."
              : undefined;
    if (message !== undefined) throw invalid({ path: `charge_ids.${at}`, code: "impossible", message });
    if (charge) charges.push(charge);
  }
  return charges;
}

/**
 * Opens the charges of an invoice again. What was taken back meanwhile cancels out with its reversal; a reversal that a
 * credit note stood for is to be credited again.
 */
export async function release(tx: Tx<"tenant">, id: InvoiceId): Promise<void> {
  await tx.run(sql`update ${financeCharges} set status = 'open', updated_at = ${tx.now}
    where ${financeCharges.status} = 'offset' and ${financeCharges.reverses_id} in (
      select taken.id from ${financeInvoiceLines} as credit
      join ${financeInvoiceLines} as line on line.id = credit.credits_line_id
      join ${financeCharges} as taken on taken.id = line.charge_id
      where credit.invoice_id = ${id} and taken.status = 'invoiced' and taken.invoice_id = line.invoice_id)`);
  const released = sql`(select id from ${financeCharges} where ${financeCharges.invoice_id} = ${id})`;
  const pairs = await tx.values<[ChargeId, ChargeId]>(sql`
    select taken.id, back.id from ${financeCharges} as taken
    join ${financeCharges} as back on back.reverses_id = taken.id
    where (taken.id in ${released} and (back.status = 'open' or back.invoice_id = ${id}))
      or (back.id in ${released} and taken.status = 'open')`);
  await tx.run(sql`update ${financeCharges} set status = 'open', invoice_id = null, updated_at = ${tx.now}
    where ${financeCharges.invoice_id} = ${id}`);
  for (const pair of pairs)
    await tx.run(sql`update ${financeCharges} set status = 'offset', updated_at = ${tx.now}
      where ${financeCharges.id} in (${pair[0]}, ${pair[1]})`);
}
