import { authorize } from "../../../core/actor.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { InOrganization } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import type { InvoiceId, LineId } from "../invoices.tables.ts";
import { takeBackMinutes } from "../packages/end-package.ts";
import { nothingLeft, partOfLine, restOf } from "./credit-amounts.ts";
import { writeDraft } from "./draft.ts";
import { invoiceEntity } from "./invoices.queries.ts";
import type { CreditedLine, NewCreditNote } from "./invoices.schemas.ts";
import type { Invoice } from "./invoices.shapes.ts";
import { type DraftLine, type LineRow, linesOf } from "./lines.ts";
import { discountsIn, openReversalsOf, readRemainder } from "./remainder.queries.ts";
import { requireSendable } from "./send.ts";

/**
 * Drafts a credit note for an invoice: each of its lines names the line that it credits, and none credits more than remains. A
 * line whose charge was taken back is credited by that reversal.
 *
 * @throws NOT_FOUND; CONFLICT the invoice was not sent, less remains, or flights drew all of a package; VALIDATION_ERROR
 */
export async function creditInvoice(
  context: InOrganization,
  { invoiceId, reason, lines }: { invoiceId: InvoiceId } & NewCreditNote,
): Promise<JsonOf<Invoice>> {
  authorize(context.actor, "finance:manage");
  return context.tenant.write(async (tx) => {
    const { kind, status, person_id, currency, deliver_to } = await invoiceEntity.row(tx, { invoiceId });
    if (kind !== "invoice" || status === "draft" || status === "void")
      throw conflict("wrong_status", "Only an invoice that was sent, and is not void, can be credited.", {
        status,
      });
    const drafts = await creditLines(tx, invoiceId, lines);
    if (drafts.length === 0) throw conflict("line_credited", "Nothing is left of the invoice to credit.", {});
    const whose = { person_id, currency, deliver_to };
    const head = { ...whose, note: reason, credits_id: invoiceId };
    const drafted = await writeDraft(tx, context, head, drafts);
    const { id } = drafted.value;
    await requireSendable(tx, await invoiceEntity.row(tx, { invoiceId: id }));
    for (const line of await linesOf(tx, id)) await takeBackMinutes(tx, context, line);
    return drafted;
  });
}

/** What is credited of a line: a discount on it is credited with it. */
async function creditLines(
  tx: Tx<"tenant">,
  invoiceId: InvoiceId,
  named: readonly CreditedLine[] | null,
): Promise<DraftLine[]> {
  const discounts = await discountsIn(tx, invoiceId);
  const isDiscount = (id: LineId) => discounts.some(({ line }) => line === id);
  const wanted = named ?? allOf(await linesOf(tx, invoiceId)).filter(({ line_id }) => !isDiscount(line_id));
  const isWanted = (id: LineId) => wanted.some((one) => one.line_id === id && isWhole(one));
  const isTaken = (id: LineId) => isWanted(id) || discounts.some((one) => one.line === id && isWanted(one.reduces));
  const taken = (await openReversalsOf(tx, invoiceId)).filter(({ line }) => isTaken(line));
  const remainder = await readRemainder(tx, invoiceId, { reversals: taken.map(({ charge }) => charge.id) });
  const credit = { tx, remainder };
  const drafts: DraftLine[] = [];
  for (const [at, one] of wanted.entries()) {
    const line = remainder.lines.get(one.line_id)?.line;
    const isNamedTwice = wanted.findIndex(({ line_id }) => line_id === one.line_id) !== at;
    if (!line || isNamedTwice || isDiscount(line.id)) throw notCreditable(at, line);
    const found = isWhole(one) ? await restOf(credit, line, taken) : await partOfLine(credit, line, one, at);
    if (found.length === 0 && named) throw await nothingLeft(credit, line);
    const described = ({ credits_line_id, description }: DraftLine) =>
      (credits_line_id === line.id ? one.description : null) ?? description;
    drafts.push(...found.map((draft) => ({ ...draft, description: described(draft) })));
  }
  return drafts;
}

/** Negative prices come first: where credit notes of older versions limit the invoice, they leave more for the others. */
function allOf(lines: readonly LineRow[]): CreditedLine[] {
  const own = lines.filter(({ credits_line_id }) => credits_line_id === null);
  const ordered = [...own.filter(({ net_minor }) => net_minor < 0), ...own.filter(({ net_minor }) => net_minor >= 0)];
  return ordered.map(({ id }) => ({ line_id: id, quantity: null, net_minor: null, description: null }));
}

const notCreditable = (at: number, line: LineRow | undefined) =>
  invalid({
    path: `lines.${at}.line_id`,
    code: "unknown",
    message: line
      ? "The line is named twice, or is a discount: that is credited with what it reduces, or its charge is reversed."
      : "The invoice has no such line, or the line credits another.",
  });

const isWhole = ({ quantity, net_minor }: CreditedLine) => quantity === null && net_minor === null;
