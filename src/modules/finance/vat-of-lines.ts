/** The VAT of lines, which has no cent of rounding for each of them: it is computed once for all lines of a group. */
import { sumOf, vatOn } from "../../core/money.ts";
import { decimal, type Vat } from "./finance.fields.ts";
import type { Subtotal } from "./invoices.tables.ts";

/** A line with its net amount. */
export type Net = Vat & { net_minor: number };
export type Taxed = Net & { vat_minor: number };

/** Names the group whose VAT is computed once: lines of the same category, rate and reason (EN 16931, BG-23). */
export const vatGroup = ({ vat_category, vat_rate, vat_reason }: Vat): string =>
  JSON.stringify([vat_category, vat_rate, vat_reason]);

/**
 * Returns the lines with their shares of the VAT of their group, which is that of the sum of its net amounts (EN 16931,
 * BR-CO-17): the shares add up to it, and each is less than one minor unit off.
 */
export function withVat<L extends Net>(lines: readonly L[]): (L & Taxed)[] {
  const before = new Map<string, number>();
  return lines.map((line) => {
    const group = vatGroup(line);
    const already = before.get(group) ?? 0;
    const net = sumOf([already, line.net_minor]);
    before.set(group, net);
    return { ...line, vat_minor: sumOf([vatOn(net, line.vat_rate), -vatOn(already, line.vat_rate)]) };
  });
}

const sums = (lines: readonly Taxed[]) => ({
  net_minor: sumOf(lines.map((line) => line.net_minor)),
  vat_minor: sumOf(lines.map((line) => line.vat_minor)),
});

/** Returns the sums of the lines, and those of each group, the highest rate first. @throws VALIDATION_ERROR too large */
export function totalsOf(lines: readonly Taxed[]) {
  const all = sums(lines);
  const groups = [...Map.groupBy(lines, vatGroup).values()];
  const highestFirst = groups.sort(([one], [other]) => (other?.vat_rate ?? 0) - (one?.vat_rate ?? 0));
  const vat = highestFirst.flatMap((same): Subtotal[] =>
    same.slice(0, 1).map(({ vat_category, vat_rate, vat_reason }) => ({
      ...{ vat_category, vat_rate: decimal(vat_rate), vat_reason },
      ...sums(same),
    })),
  );
  return { ...all, gross_minor: sumOf([all.net_minor, all.vat_minor]), vat };
}
