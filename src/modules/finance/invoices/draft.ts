/** What a draft is made of. */
import { userIdOf } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { invalid, wrongStatus } from "../../../core/errors.ts";
import { newIdAt } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { netByHand } from "../finance.fields.ts";
import type { InvoiceId, InvoiceRow } from "../invoices.tables.ts";
import { vatOf } from "../settings/settings.ts";
import { claimCharges } from "./claim-charges.ts";
import { draftTotals } from "./draft-totals.ts";
import { invoiceEntity } from "./invoices.queries.ts";
import type { NewLine } from "./invoices.schemas.ts";
import { type DraftLine, MOST_LINES, writeLines } from "./lines.ts";
import { priced } from "./price-lines.ts";

/**
 * Writes a draft, and marks the charges of its lines.
 *
 * @returns the invoice
 * @throws VALIDATION_ERROR too many lines
 */
export async function writeDraft(
  tx: Tx<"tenant">,
  by: By,
  head: Pick<InvoiceRow, "person_id" | "currency" | "note"> &
    Partial<Pick<InvoiceRow, "credits_id" | "payment_days" | "deliver_to" | "exchange_rate">>,
  drafts: readonly DraftLine[],
) {
  const id: InvoiceId = newIdAt(tx.now);
  requireRoom(drafts.length);
  const lines = await priced(tx, drafts);
  return addRow(tx, by, invoiceEntity, {
    action: "finance_invoice.drafted",
    row: {
      ...{
        id,
        ...head,
        status: "draft",
        ...draftTotals(head, lines),
        paid_minor: 0,
        credited_minor: 0,
        reminders: 0,
      },
      created_by: userIdOf(by.actor),
      created_at: tx.now,
      updated_at: tx.now,
    },
    async also() {
      const ids = lines.flatMap(({ charge_id }) => charge_id ?? []);
      await claimCharges(tx, id, ids);
      await writeLines(tx, id, lines);
    },
  });
}

/** @throws VALIDATION_ERROR */
export function requireRoom(count: number): void {
  if (count > MOST_LINES)
    throw invalid({
      path: "lines",
      code: "too_many",
      params: { max: MOST_LINES },
      message: `An invoice has at most ${MOST_LINES} lines.`,
    });
}

/** Returns the lines that were written by hand. @throws VALIDATION_ERROR the VAT is impossible */
export async function linesByHand(reader: Reader<"tenant"> & { now: Tx["now"] }, lines: readonly NewLine[]) {
  const date = toLegalDate(await today(reader, reader.now));
  const drafts: DraftLine[] = [];
  for (const [at, { on, ...line }] of lines.entries()) {
    netByHand(line, `lines.${at}.quantity`);
    drafts.push({
      ...line,
      ...(await vatOf(reader, line)),
      on: on ?? date,
      price_per: 1,
      charge_id: null,
      credits_line_id: null,
    });
  }
  return drafts;
}

/** @throws CONFLICT */
export function requireDraft({ status }: InvoiceRow): void {
  if (status !== "draft") throw wrongStatus("invoice", status, "draft");
}
