/** Postings: the charges of a draft are invoiced from then on, and open again when the draft or the invoice is voided. */
import { eq, inArray, sql } from "drizzle-orm";
import type { By } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { carryRest } from "../charges/take-back.ts";
import { type ChargeId, type ChargeRow, financeCharges } from "../finance.tables.ts";
import { type InvoiceId, type LineId, financeInvoiceLines as lines } from "../invoices.tables.ts";
import { giveBackMinutes } from "../packages/end-package.ts";
import { dropLines } from "./drop-lines.ts";
import { linesOf } from "./lines.ts";

const claimed = sql`update ${financeCharges} set status = 'invoiced', invoice_id = ${sql.placeholder("invoice")},
  updated_at = ${sql.placeholder("now")} where id = ${sql.placeholder("id")} and status = 'open'`;

/** Marks open charges as invoiced. */
export async function claimCharges(tx: Tx<"tenant">, invoice: InvoiceId, ids: readonly ChargeId[]): Promise<void> {
  const rows = ids.map((id) => ({ id, invoice, now: tx.now }));
  const changed = await tx.countEach(claimed, rows);
  if (changed.some((count) => count !== 1)) throw new Error("A charge that was read as open is not open.");
}

/**
 * Opens the charges of an invoice that is void. What was taken back meanwhile cancels out with its reversals. What it
 * credited by hand of charges that were taken back is to be credited again, and packages have the minutes again that it took back.
 */
export async function releaseCharges(tx: Tx<"tenant">, by: By, id: InvoiceId, reason: string): Promise<void> {
  for (const charge of await chargesOn(tx, id)) {
    const reversals = await reversalsOf(tx, charge.id);
    // On drafts: an invoice that a document credits which was sent is not voided.
    for (const [draft, onDraft] of Map.groupBy(reversals, ({ invoice_id }) => invoice_id))
      if (draft !== null && draft !== id)
        await dropLines(
          tx,
          by,
          draft,
          onDraft.map((reversal) => reversal.id),
        );
    const status = reversals.length === 0 ? "open" : "offset";
    const set = { status, invoice_id: null, updated_at: tx.now } as const;
    const ids = [charge.id, ...reversals.map((reversal) => reversal.id)];
    await tx.update(financeCharges).set(set).where(inArray(financeCharges.id, ids));
  }
  for (const line of await linesOf(tx, id)) {
    await giveBackMinutes(tx, by, line);
    const { charge_id, credits_line_id } = line;
    if (charge_id === null && credits_line_id !== null) await releaseCredit(tx, by, credits_line_id, reason);
  }
}

/** The charges that an invoice bills come first: a reversal of one on the same invoice cancels out with it. */
const chargesOn = async (tx: Tx<"tenant">, id: InvoiceId): Promise<ChargeRow[]> => {
  const all = await tx.select().from(financeCharges).where(eq(financeCharges.invoice_id, id));
  const own = new Set(all.map((charge) => charge.id));
  return all.filter(({ reverses_id }) => reverses_id === null || !own.has(reverses_id));
};

const reversalsOf = (tx: Tx<"tenant">, id: ChargeId): Promise<ChargeRow[]> =>
  tx.select().from(financeCharges).where(eq(financeCharges.reverses_id, id));

async function releaseCredit(tx: Tx<"tenant">, by: By, id: LineId, reason: string): Promise<void> {
  const [credited] = await tx.select().from(lines).where(eq(lines.id, id));
  if (!credited?.charge_id) return;
  const [charge] = await tx.select().from(financeCharges).where(eq(financeCharges.id, credited.charge_id));
  if (charge?.invoice_id !== credited.invoice_id) return;
  if ((await reversalsOf(tx, charge.id)).length > 0) await carryRest(tx, by, charge, reason);
}
