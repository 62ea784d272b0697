/**
 * What remains of an invoice that was sent: of each line, and of the VAT of each group. Nothing credits more than that, by hand, by a
 * run or by a reversal, so that nobody is paid more than they were charged. A line is limited by what credits it, and by nothing
 * else on its document: one of a negative price, such as fuel that the pilot paid, is a claim of its own.
 */
import { around, netWithin, type Price, sumOf, vatOn } from "../../../core/money.ts";
import type { ChargeId } from "../finance.tables.ts";
import type { Vat } from "../finance.values.ts";
import type { LineId } from "../invoices.tables.ts";
import { vatGroup } from "../vat-of-lines.ts";
import { quantityOf } from "./credit-line.ts";
import type { LineRow } from "./lines.ts";

interface Amounts {
  net: number;
  vat: number;
}

/** The VAT of lines with the same category, rate and reason. */
export interface GroupRemainder extends Amounts {
  /** What documents, also drafts, have not credited. */
  left: Amounts;
}

export interface LineRemainder {
  line: LineRow;
  /** The discounts on it, which are credited with it. */
  discounts: readonly LineRow[];
  /** Of the net amount. Reversals that are on no document reserve theirs. */
  left: number;
  /** Of the quantity, in hundredths, without its sign: what was not credited by a quantity. */
  quantity: number;
}

export interface Remainder {
  /** By line, without those that credit. */
  lines: Map<LineId, LineRemainder>;
  groups: Map<string, GroupRemainder>;
  /** What is left in all, gross. */
  gross: number;
  /** Whether that is a limit as well: credit notes of older versions credit the invoice, and name none of its lines. */
  isLimited: boolean;
}

/** The line of a discount, and the line that it reduces. */
export interface Discount {
  line: LineId;
  reduces: LineId;
}

/** A line of an invoice, and of what credits it. Amounts that credit have the opposite sign. */
export interface Credited {
  own: readonly LineRow[];
  /** Lines of other documents; without `credits_line_id`, of credit notes by hand from before lines named the line. */
  credits: readonly (Vat &
    Price &
    Pick<LineRow, "credits_line_id" | "net_minor" | "vat_minor" | "quantity" | "unit">)[];
  discounts: readonly Discount[];
  /** Reversals of its charges that are on no document. */
  reversals: readonly { id: ChargeId; line: LineId; net_minor: number }[];
}

export function remainderOf({ own, credits, discounts, reversals }: Credited): Remainder {
  const creditable = own.filter((line) => line.credits_line_id === null);
  const lines: Remainder["lines"] = new Map(
    creditable.map((line) => {
      const on = discounts.filter(({ reduces }) => reduces === line.id).map((one) => one.line);
      const amounts = { left: line.net_minor, quantity: Math.abs(line.quantity) };
      return [line.id, { line, discounts: creditable.filter(({ id }) => on.includes(id)), ...amounts }];
    }),
  );
  const groups: Remainder["groups"] = new Map();
  for (const line of creditable) {
    const { net, vat } = groups.get(vatGroup(line)) ?? { net: 0, vat: 0 };
    const billed = { net: net + line.net_minor, vat: vat + line.vat_minor };
    groups.set(vatGroup(line), { ...billed, left: billed });
  }
  for (const credit of credits) {
    const credited = credit.credits_line_id && lines.get(credit.credits_line_id);
    if (credited) {
      credited.left += credit.net_minor;
      credited.quantity -= quantityOf(credit, credited.line);
    }
    const group = groups.get(vatGroup(credit));
    if (group) group.left = { net: group.left.net + credit.net_minor, vat: group.left.vat + credit.vat_minor };
  }
  const isLimited = credits.some(({ credits_line_id }) => credits_line_id === null);
  const remainder = { lines, groups, gross: grossOf([...creditable, ...credits]), isLimited };
  for (const { line, net_minor } of reversals) reserve(remainder, line, -net_minor);
  return remainder;
}

const grossOf = (lines: readonly { net_minor: number; vat_minor: number }[]): number =>
  sumOf(lines.flatMap(({ net_minor, vat_minor }) => [net_minor, vat_minor]));

/** Returns the net amount that remains of a line. Negative: the line has a negative price. */
export function remainsOf({ lines, gross, isLimited }: Remainder, id: LineId): number {
  const found = lines.get(id);
  if (found === undefined) return 0;
  const { line, left } = found;
  // A line that was credited too much by an older version has nothing left.
  if (left > 0 !== line.net_minor > 0) return 0;
  return left <= 0 || !isLimited ? left : Math.min(left, netWithin(Math.max(0, gross), line.vat_rate));
}

/** Returns what remains of a line, less its discounts. */
export const remainsInAll = (remainder: Remainder, id: LineId): number =>
  sumOf([id, ...discountsOf(remainder, id).map((discount) => discount.id)].map((one) => remainsOf(remainder, one)));

export const discountsOf = ({ lines }: Remainder, id: LineId): readonly LineRow[] => lines.get(id)?.discounts ?? [];

/** Takes a net amount from a line and from the invoice. */
export function reserve(remainder: Remainder, id: LineId, net: number): void {
  const found = remainder.lines.get(id);
  if (found === undefined) return;
  found.left -= net;
  remainder.gross -= net + vatOn(net, found.line.vat_rate);
}

/**
 * Returns the VAT of a net amount that is credited. What is left of the VAT stays that of what is left of the net, rounded
 * down or up; with nothing left of the net, nothing is left of the VAT. So many credit notes add up to the invoice.
 */
export function vatOfCredit({ net, vat, left }: GroupRemainder, credited: number, rate: number): number {
  const after = left.net - credited;
  if (after === 0) return left.vat;
  // Of invoices from when the VAT of each line was rounded, and of those that also credit others.
  const differs = vat !== vatOn(net, rate) && (net > 0 ? after > 0 && after <= net : after < 0 && after >= net);
  const [down, up] = differs ? around(after, vat, net) : around(after, rate, 10_000);
  return left.vat - Math.min(Math.max(left.vat - vatOn(credited, rate), down), up);
}
