/** The lines of a credit note for a line of an invoice: for all that is left of it, a quantity, or an amount. */
import { conflict, invalid } from "../../../core/errors.ts";
import { netOf, partOf, sumOf } from "../../../core/money.ts";
import type { Tx } from "../../../storage/store.ts";
import { decimal } from "../finance.fields.ts";
import type { ChargeRow } from "../finance.tables.ts";
import type { LineId } from "../invoices.tables.ts";
import type { PackageRow } from "../packages/packages.queries.ts";
import { creditableOf, drawnOf, packageSoldBy, partLeft } from "../packages/sold.queries.ts";
import { creditOf } from "./credit-line.ts";
import type { CreditedLine } from "./invoices.schemas.ts";
import type { DraftLine, LineRow } from "./lines.ts";
import { takeLines } from "./lines-of-charges.ts";
import { discountsOf, type Remainder, remainsInAll, remainsOf, reserve } from "./remainder.ts";

type Reversals = readonly { charge: ChargeRow; line: LineId }[];

/** What credits of an invoice take their lines from. */
export interface Credit {
  tx: Tx<"tenant">;
  remainder: Remainder;
}

/**
 * Returns the lines for all that is left of a line and its discounts, and takes it: of the sale of a package, the part that was not
 * drawn. What amounts have credited leaves less than the line and its discounts: the rest of them cancels out.
 */
export async function restOf({ tx, remainder }: Credit, line: LineRow, taken: Reversals): Promise<DraftLine[]> {
  const unit = [line, ...discountsOf(remainder, line.id)];
  const drafts: DraftLine[] = [];
  for (const { charge } of taken.filter((one) => unit.some(({ id }) => id === one.line))) {
    const remainders = new Map([[line.invoice_id, remainder]]);
    drafts.push(...(await takeLines(tx, [charge], remainders)));
  }
  const sold = await packageSoldBy(tx, line);
  const drawn = (one: LineRow) => (sold ? drawnOf(one, sold) : 0);
  const all = remainsInAll(remainder, line.id);
  const stays = sold ? Math.min(all, Math.max(0, sumOf(unit.map(drawn)))) : 0;
  if (all === stays) return drafts;
  const discounts = discountsOf(remainder, line.id).map((one): [LineRow, number] => {
    const remains = remainsOf(remainder, one.id);
    return [one, remains - Math.max(remains, drawn(one))];
  });
  const net = all - stays - sumOf(discounts.map(([, given]) => given));
  return [...drafts, ...take(remainder, [[line, net], ...discounts])];
}

/** Takes net amounts of lines. @returns the lines that credit them */
function take(remainder: Remainder, amounts: readonly [LineRow, number][]): DraftLine[] {
  const given = amounts.filter(([, net]) => net !== 0);
  for (const [line, net] of given) reserve(remainder, line.id, net);
  return given.map(([line, net]) => creditOf(line, net));
}

/** Returns the part of the discounts on a line that goes with a net amount of it. */
function discountsWith(remainder: Remainder, line: LineRow, net: number): [LineRow, number][] {
  const left = remainsOf(remainder, line.id);
  let [total, kept] = [0, 0];
  return discountsOf(remainder, line.id).map((one) => {
    const remains = remainsOf(remainder, one.id);
    total += remains;
    const keeps = partOf(total, left - net, left) - kept;
    kept += keeps;
    return [one, remains - keeps];
  });
}

/**
 * Returns the lines for a quantity of a line, with that part of its discounts, or for an amount of it, and takes it.
 *
 * @throws VALIDATION_ERROR; CONFLICT less is left
 */
export async function partOfLine(
  { tx, remainder }: Credit,
  line: LineRow,
  { quantity, net_minor }: CreditedLine,
  at: number,
): Promise<DraftLine[]> {
  const path = `lines.${at}`;
  if (quantity !== null && net_minor !== null)
    throw invalid({ path: `${path}.net_minor`, code: "impossible", message: "Name the quantity or the amount." });
  const sign = line.net_minor < 0 ? -1 : 1;
  const net = sign * (net_minor ?? Math.abs(netOf(quantity ?? 0, line)));
  if (net === 0) throw invalid({ path: `${path}.quantity`, code: "impossible", message: "Its amount is 0." });
  const remains = quantity === null ? remainsInAll(remainder, line.id) : remainsOf(remainder, line.id);
  if (remains === 0)
    throw conflict("line_credited", `Line ${line.position} is credited already.`, { line: line.position });
  const sold = quantity === null ? undefined : await packageSoldBy(tx, line);
  if (quantity !== null && sold && quantity > partLeft(sold)) throw drawn(line, sold, remains);
  const left = remainder.lines.get(line.id)?.quantity ?? 0;
  if (quantity !== null && quantity > left)
    throw conflict(
      "credit_exceeds_line",
      `Of line ${line.position}, a quantity of ${decimal(left)} is left to credit.`,
      { line: line.position, quantity: decimal(left) },
    );
  if (Math.abs(net) > Math.abs(remains))
    throw conflict(
      "credit_exceeds_line",
      `Of line ${line.position}, ${Math.abs(remains)} is left to credit, net, in minor units.`,
      { line: line.position, net_minor: Math.abs(remains) },
    );
  if (quantity === null) return take(remainder, [[line, net]]);
  const discounts = take(remainder, discountsWith(remainder, line, net));
  reserve(remainder, line.id, net);
  return [{ ...creditOf(line, line.net_minor), quantity: -Math.sign(line.quantity) * quantity }, ...discounts];
}

/** Returns why a line can't be credited of which nothing is left. */
export async function nothingLeft({ tx, remainder }: Credit, line: LineRow) {
  const sold = await packageSoldBy(tx, line);
  return sold
    ? drawn(line, sold, remainsOf(remainder, line.id))
    : conflict("line_credited", `Line ${line.position} is credited already.`, { line: line.position });
}

function drawn(line: LineRow, sold: PackageRow, remains: number) {
  const quantity = creditableOf(line, sold, remains);
  const message = `Of line ${line.position}, ${quantity} was neither drawn by flights nor credited. What was drawn is credited by an amount.`;
  return conflict("package_drawn", message, { quantity });
}
