import { sql } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { By, InOrganization } from "../../../storage/context.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { chargeEntity, isReversed } from "../charges/charges.queries.ts";
import { reverse } from "../charges/reverse-charge.ts";
import { type ChargeId, financeCharges } from "../finance.tables.ts";
import type { InvoiceId, LineId } from "../invoices.tables.ts";
import { isLineCredited } from "./credited.queries.ts";
import { linesByHand, reductions, writeDraft } from "./draft.ts";
import { invoiceEntity } from "./invoices.queries.ts";
import type { NewCreditNote } from "./invoices.schemas.ts";
import type { Invoice } from "./invoices.shapes.ts";
import { type DraftLine, type LineRow, linesOf } from "./lines.ts";
import { requireSendable } from "./send.ts";

/**
 * Drafts a credit note for an invoice. A line whose charge was taken back is credited by that reversal, so that nothing is
 * credited twice.
 *
 * @throws NOT_FOUND; CONFLICT the invoice was not sent, nothing is left to credit, flights were drawn from a package, or a
 *   reversal credits more than is left; VALIDATION_ERROR
 */
export async function creditInvoice(
  context: InOrganization,
  { invoiceId, reason, line_ids, lines }: { invoiceId: InvoiceId } & NewCreditNote,
): Promise<JsonOf<Invoice>> {
  authorize(context.actor, "finance:manage");
  return context.tenant.write(async (tx) => {
    const { kind, status, person_id, currency } = await invoiceEntity.row(tx, { invoiceId });
    if (kind !== "invoice" || status === "draft" || status === "void")
      throw conflict("wrong_status", "Only an invoice that was sent, and is not void, can be credited.");
    const left: DraftLine[] = [];
    for (const line of chosen(await linesOf(tx, invoiceId), line_ids)) {
      const draft = await credited(tx, context, { line, reason });
      if (draft) left.push(draft);
      else if (line_ids !== null) throw conflict("line_credited", `Line ${line.position} is credited already.`);
    }
    const byHand = reductions(await linesByHand(tx, lines));
    const drafts = [...left, ...byHand];
    if (drafts.length === 0) throw conflict("line_credited", "All lines of the invoice are credited already.");
    const head = { kind: "credit_note", person_id, currency, note: reason, credits_id: invoiceId } as const;
    const drafted = await writeDraft(tx, context, head, drafts);
    // No reversal is made, and no package ends, for a credit note that can't be sent: the next run would credit the reversal.
    if (left.some(({ charge_id }) => charge_id !== null))
      await requireSendable(tx, await invoiceEntity.row(tx, { invoiceId: drafted.value.id }));
    return drafted;
  });
}

/** @throws VALIDATION_ERROR */
function chosen(lines: readonly LineRow[], ids: readonly LineId[] | null): readonly LineRow[] {
  if (ids === null) return lines;
  return ids.map((id, at) => {
    const line = lines.find((one) => one.id === id);
    if (line && ids.indexOf(id) === at) return line;
    throw invalid({
      path: `line_ids.${at}`,
      code: "unknown",
      message: "The invoice has no such line, or it is named twice.",
    });
  });
}

/** Returns the line of the credit note; undefined if the line is credited. The line that sold a package ends the package. */
async function credited(
  tx: Tx<"tenant">,
  by: By,
  { line, reason }: { line: LineRow; reason: string },
): Promise<DraftLine | undefined> {
  if (await isLineCredited(tx, line.id)) return undefined;
  const { id, charge_id, invoice_id: _invoice, position: _position, net_minor: _net, vat_minor: _vat, ...same } = line;
  if (charge_id !== null && (await isSaleOfPackage(tx, charge_id)))
    await reverse(tx, by, { chargeId: charge_id, reason });
  const [back] = await tx.values<[ChargeId, string]>(sql`select ${financeCharges.id}, ${financeCharges.status}
    from ${financeCharges} where ${financeCharges.reverses_id} = ${charge_id}`);
  if (back && back[1] !== "open") return undefined;
  return { ...same, quantity: -line.quantity, charge_id: back?.[0] ?? null, credits_line_id: id };
}

/** Returns whether the charge sold a package, and was not reversed. */
async function isSaleOfPackage(reader: Reader<"tenant">, id: ChargeId): Promise<boolean> {
  const { kind, reverses_id } = await chargeEntity.row(reader, { chargeId: id });
  return kind === "package" && reverses_id === null && !(await isReversed(reader, id));
}
