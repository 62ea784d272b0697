import { authorize } from "../../../core/actor.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { netOf } from "../../../core/money.ts";
import type { InOrganization } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { decimal } from "../finance.fields.ts";
import type { ChargeRow } from "../finance.tables.ts";
import type { InvoiceId, LineId } from "../invoices.tables.ts";
import { takeBackMinutes } from "../packages/end-package.ts";
import type { PackageRow } from "../packages/packages.queries.ts";
import { creditableOf, drawnOf, packageSoldBy, partLeft } from "../packages/sold.queries.ts";
import { creditOf } from "./credit-line.ts";
import { writeDraft } from "./draft.ts";
import { invoiceEntity } from "./invoices.queries.ts";
import type { CreditedLine, NewCreditNote } from "./invoices.schemas.ts";
import type { Invoice } from "./invoices.shapes.ts";
import { type DraftLine, type LineRow, linesOf } from "./lines.ts";
import { takeLines } from "./lines-of-charges.ts";
import { openReversalsOf, readRemainder } from "./remainder.queries.ts";
import { type Remainder, remainsOf, reserve } from "./remainder.ts";
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
      throw conflict("wrong_status", "Only an invoice that was sent, and is not void, can be credited.");
    const drafts = await creditLines(tx, invoiceId, lines);
    if (drafts.length === 0) throw conflict("line_credited", "Nothing is left of the invoice to credit.");
    const whose = { person_id, currency, deliver_to };
    const head = { ...whose, note: reason, credits_id: invoiceId };
    const drafted = await writeDraft(tx, context, head, drafts);
    const { id } = drafted.value;
    await requireSendable(tx, await invoiceEntity.row(tx, { invoiceId: id }));
    for (const line of await linesOf(tx, id)) await takeBackMinutes(tx, context, line);
    return drafted;
  });
}

async function creditLines(
  tx: Tx<"tenant">,
  invoiceId: InvoiceId,
  named: readonly CreditedLine[] | null,
): Promise<DraftLine[]> {
  const reversals = await openReversalsOf(tx, invoiceId);
  const taken = named === null ? reversals : reversals.filter(({ line }) => isNamedWhole(named, line));
  const remainder = await readRemainder(tx, invoiceId, { reversals: taken.map(({ charge }) => charge.id) });
  const credit = { tx, remainder };
  if (named === null) {
    const own = [...remainder.lines.values()].map(({ line }) => line);
    // Negative prices come first: where credit notes of older versions limit the invoice, they leave more for the others.
    const ordered = [...own.filter(({ net_minor }) => net_minor < 0), ...own.filter(({ net_minor }) => net_minor >= 0)];
    const drafts: DraftLine[] = [];
    for (const line of ordered) drafts.push(...(await restOf(credit, line, reversalsOf(taken, line))));
    return drafts;
  }
  const drafts: DraftLine[] = [];
  for (const [at, one] of named.entries()) {
    const line = remainder.lines.get(one.line_id)?.line;
    if (!line || named.findIndex(({ line_id }) => line_id === one.line_id) !== at)
      throw invalid({
        path: `lines.${at}.line_id`,
        code: "unknown",
        message: "The invoice has no such line, the line credits another, or it is named twice.",
      });
    const found = isWhole(one)
      ? await restOf(credit, line, reversalsOf(taken, line))
      : [await part(credit, line, one, at)];
    if (found.length === 0) throw await nothingLeft(credit, line);
    const { description } = one;
    drafts.push(...found.map((draft) => (description === null ? draft : { ...draft, description })));
  }
  return drafts;
}

type Reversals = readonly { charge: ChargeRow; line: LineId }[];

const isWhole = ({ quantity, net_minor }: CreditedLine) => quantity === null && net_minor === null;
const isNamedWhole = (named: readonly CreditedLine[], id: LineId) =>
  named.some((one) => one.line_id === id && isWhole(one));
const reversalsOf = (reversals: Reversals, { id }: LineRow) =>
  reversals.filter(({ line }) => line === id).map(({ charge }) => charge);

interface Credit {
  tx: Tx<"tenant">;
  remainder: Remainder;
}

/** Returns the lines for all that is left of a line, and takes it: of the sale of a package, the part that was not drawn. */
async function restOf({ tx, remainder }: Credit, line: LineRow, reversals: readonly ChargeRow[]): Promise<DraftLine[]> {
  const drafts: DraftLine[] = [];
  for (const reversal of reversals) {
    const remainders = new Map([[line.invoice_id, remainder]]);
    drafts.push(...(await takeLines(tx, [reversal], remainders)));
  }
  const sold = await packageSoldBy(tx, line);
  const remains = remainsOf(remainder, line.id);
  const net = sold ? Math.max(0, remains - drawnOf(line, sold)) : remains;
  if (net === 0) return drafts;
  reserve(remainder, line.id, net);
  return [...drafts, creditOf(line, net)];
}

/** Returns the line for a quantity or an amount of a line, and takes it. @throws VALIDATION_ERROR; CONFLICT less is left */
async function part(
  { tx, remainder }: Credit,
  line: LineRow,
  { quantity, net_minor }: CreditedLine,
  at: number,
): Promise<DraftLine> {
  const path = `lines.${at}`;
  if (quantity !== null && net_minor !== null)
    throw invalid({ path: `${path}.net_minor`, code: "impossible", message: "Name the quantity or the amount." });
  const sign = line.net_minor < 0 ? -1 : 1;
  const net = sign * (net_minor ?? Math.abs(netOf(quantity ?? 0, line)));
  if (net === 0) throw invalid({ path: `${path}.quantity`, code: "too_small", message: "Its amount is 0." });
  const remains = remainsOf(remainder, line.id);
  if (remains === 0) throw conflict("line_credited", `Line ${line.position} is credited already.`);
  const sold = quantity === null ? undefined : await packageSoldBy(tx, line);
  if (quantity !== null && sold && quantity > partLeft(sold)) throw drawn(line, sold, remains);
  const left = remainder.lines.get(line.id)?.quantity ?? 0;
  if (quantity !== null && quantity > left)
    throw conflict(
      "credit_exceeds_line",
      `Of line ${line.position}, a quantity of ${decimal(left)} is left to credit.`,
    );
  if (Math.abs(net) > Math.abs(remains))
    throw conflict(
      "credit_exceeds_line",
      `Of line ${line.position}, ${Math.abs(remains)} is left to credit, net, in minor units.`,
    );
  reserve(remainder, line.id, net);
  if (quantity === null) return creditOf(line, net);
  return { ...creditOf(line, line.net_minor), quantity: -Math.sign(line.quantity) * quantity };
}

async function nothingLeft({ tx, remainder }: Credit, line: LineRow) {
  const sold = await packageSoldBy(tx, line);
  return sold
    ? drawn(line, sold, remainsOf(remainder, line.id))
    : conflict("line_credited", `Line ${line.position} is credited already.`);
}

function drawn(line: LineRow, sold: PackageRow, remains: number) {
  const quantity = creditableOf(line, sold, remains);
  const message = `Of line ${line.position}, ${quantity} was neither drawn by flights nor credited. What was drawn is credited by an amount.`;
  return conflict("package_drawn", message, { quantity });
}
