/** Drafts: made of charges and lines by hand, changed, and voided. */
import { sql } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization, TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { currencyOf } from "../../fleet/master-data.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { financeInvoices, type InvoiceId, type InvoiceRow } from "../invoices.tables.ts";
import { post } from "../ledger/post.ts";
import { totalsOf } from "../vat-of-lines.ts";
import { releaseCharges } from "./claim-charges.ts";
import { linesByHand, requireDraft, requireRoom, writeDraft } from "./draft.ts";
import { entriesOf } from "./entries.ts";
import { invoiceEntity } from "./invoices.queries.ts";
import type { InvoiceChange, NewInvoice, NewLine } from "./invoices.schemas.ts";
import type { Invoice } from "./invoices.shapes.ts";
import { linesOf, type Priced, writeLines } from "./lines.ts";
import { takeLines } from "./lines-of-charges.ts";
import { chosenCharges, currencyOfCharge, openCharges } from "./open-charges.queries.ts";
import { priced } from "./price-lines.ts";
import { isCreditedBySent } from "./remainder.queries.ts";

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
    if (!(await findPersonRow(tx, person_id)))
      throw invalid({ path: "person_id", code: "unknown", message: "There is no such person." });
    const currency = (await currencyOfCharge(tx, charge_ids[0])) ?? usual;
    const whose = { person_id, currency };
    const chosen = await chosenCharges(tx, whose, charge_ids);
    const open = until === null ? [] : await openCharges(tx, { ...whose, until });
    const charges = [...chosen, ...open.filter(({ id }) => !charge_ids.includes(id))];
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
    const written = lines && (await rewritten(tx, row, lines));
    return changeRow(tx, context, invoiceEntity, {
      id: invoiceId,
      action: "finance_invoice.changed",
      set: { ...set, ...(written && totalsOf(written)), updated_at: tx.now },
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
 * Voids a draft, or what was sent while nothing of it is settled: by opposite entries of today. Its number stays used, and
 * its charges are open again. Drafts of credit notes for it are void with it.
 *
 * @throws NOT_FOUND; CONFLICT it is void, or something was paid or credited
 */
export async function voidInvoice(
  context: InOrganization,
  { invoiceId, reason }: Ref & { reason: string },
): Promise<JsonOf<Invoice>> {
  authorize(context.actor, permission);
  return context.tenant.write(async (tx) => {
    const row = await invoiceEntity.row(tx, { invoiceId });
    if (row.status === "void") throw conflict("wrong_status", "The invoice is void already.");
    const credits = await tx
      .select()
      .from(financeInvoices)
      .where(sql`${financeInvoices.credits_id} = ${invoiceId} and ${financeInvoices.status} <> 'void'`);
    const isCredited = row.credited_minor !== 0 || (await isCreditedBySent(tx, invoiceId));
    if (row.paid_minor !== 0 || isCredited || row.status === "paid")
      throw conflict("invoice_settled", "Something was paid or credited. Refund it, or write a credit note.");
    const voided = await toVoid(tx, context, row, reason);
    for (const credit of credits) await toVoid(tx, context, credit, reason);
    return voided;
  });
}

const toVoid = (tx: Tx<"tenant">, context: InOrganization, row: InvoiceRow, reason: string) =>
  changeRow(tx, context, invoiceEntity, {
    id: row.id,
    action: "finance_invoice.voided",
    set: { status: "void", voided_at: tx.now, void_reason: reason, changes_on: null, updated_at: tx.now },
    async also() {
      await releaseCharges(tx, context, row.id, reason);
      if (row.status === "draft") return;
      const on = toLegalDate(await today(tx, tx.now));
      const { person_id, currency } = row;
      await post(tx, { posting: "void", on, person_id, currency, invoice_id: row.id }, entriesOf(row, -1));
    },
  });
