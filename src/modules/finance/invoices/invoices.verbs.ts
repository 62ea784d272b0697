/** Drafts: made of charges and lines by hand, changed, and voided. */
import { authorize } from "../../../core/actor.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import type { InOrganization, TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { withDiscounts } from "../charges/reductions.ts";
import { requireCustomer } from "../customers/require-customer.ts";
import type { InvoiceId, InvoiceRow } from "../invoices.tables.ts";
import { linesByHand, requireDraft, requireRoom, writeDraft } from "./draft.ts";
import { draftTotals } from "./draft-totals.ts";
import { invoiceEntity } from "./invoices.queries.ts";
import type { InvoiceChange, NewInvoice, NewLine } from "./invoices.schemas.ts";
import type { Invoice } from "./invoices.shapes.ts";
import { linesOf, type Priced, writeLines } from "./lines.ts";
import { takeLines } from "./lines-of-charges.ts";
import { chosenCharges, currencyOfCharge, openCharges } from "./open-charges.queries.ts";
import { priced } from "./price-lines.ts";
import { toVoid } from "./to-void.ts";

const permission = "finance:manage";

/**
 * Drafts an invoice of a person, in the currency of the chosen charges: that of the organization may have changed since.
 * Without such charges, in the organization's.
 *
 * @throws VALIDATION_ERROR
 */
export async function draftInvoice(
  context: TenantContext,
  { person_id, until, charge_ids, lines, ...terms }: NewInvoice,
): Promise<JsonOf<Invoice>> {
  authorize(context.actor, permission);
  const usual = await currencyOf(context);
  return context.tenant.write(async (tx) => {
    await requireCustomer(tx, person_id);
    const currency = (await currencyOfCharge(tx, charge_ids[0])) ?? usual;
    const whose = { person_id, currency };
    const chosen = await withDiscounts(tx, await chosenCharges(tx, whose, charge_ids));
    const open = until === null ? [] : await openCharges(tx, { ...whose, until });
    const charges = [...chosen, ...open.filter(({ id }) => !chosen.some((one) => one.id === id))];
    const drafts = [...(await takeLines(tx, charges)), ...(await linesByHand(tx, lines))];
    if (drafts.length === 0) throw invalid({ path: "lines", code: "impossible", message: nothing(until) });
    return writeDraft(tx, context, { ...whose, ...terms }, drafts);
  });
}

const nothing = (until: string | null): string =>
  until === null
    ? "There is nothing to invoice. Name `until`, `charge_ids` or `lines`."
    : `The person has no open charges up to ${until}.`;

interface Ref {
  invoiceId: InvoiceId;
}

/** Changes a draft. @throws NOT_FOUND; CONFLICT it is no draft; VALIDATION_ERROR */
export async function changeInvoice(
  context: InOrganization,
  { invoiceId, change: { lines, ...set } }: Ref & { change: InvoiceChange },
): Promise<JsonOf<Invoice>> {
  authorize(context.actor, permission);
  return context.tenant.write(async (tx) => {
    const row = await invoiceEntity.row(tx, { invoiceId });
    requireDraft(row);
    if (lines && row.credits_id !== null)
      throw invalid({
        path: "lines",
        code: "impossible",
        message:
          "A credit note for an invoice has lines of that invoice: void the draft, and credit the invoice again.",
      });
    if (set.exchange_rate && row.credits_id !== null)
      throw invalid({
        path: "exchange_rate",
        code: "impossible",
        message: "A credit note for an invoice has the exchange rate of that invoice.",
      });
    const written = lines && (await rewritten(tx, row, lines));
    return changeRow(tx, context, invoiceEntity, {
      id: invoiceId,
      action: "finance_invoice.changed",
      set: { ...set, ...(written && draftTotals(row, written)), updated_at: tx.now },
      also: async () => written && writeLines(tx, invoiceId, written),
    });
  });
}

/** Returns the lines of a draft with others by hand. @throws VALIDATION_ERROR */
async function rewritten(tx: Tx<"tenant">, { id }: InvoiceRow, lines: readonly NewLine[]): Promise<Priced[]> {
  const kept = (await linesOf(tx, id)).filter((line) => line.charge_id ?? line.credits_line_id);
  const all = [...kept, ...(await linesByHand(tx, lines))];
  requireRoom(all.length);
  return priced(tx, all, id);
}

/**
 * Voids a draft: its charges are open again.
 *
 * @throws NOT_FOUND; CONFLICT it is no draft
 */
export async function voidInvoice(
  context: InOrganization,
  { invoiceId, reason }: Ref & { reason: string },
): Promise<JsonOf<Invoice>> {
  authorize(context.actor, permission);
  return context.tenant.write(async (tx) => {
    const row = await invoiceEntity.row(tx, { invoiceId });
    if (row.status !== "draft")
      throw conflict("wrong_status", notVoidable(row), { status: row.status, allowed: ["draft"] });
    return toVoid(tx, context, invoiceId, reason);
  });
}

function notVoidable({ kind, status }: InvoiceRow): string {
  if (status === "void") return "The invoice is void already.";
  return kind === "cancellation"
    ? "A cancellation is final. Invoice anew."
    : "The invoice was sent: `cancel` it, by a document with a number of its own.";
}
