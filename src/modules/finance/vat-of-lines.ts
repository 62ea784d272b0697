/** The VAT of lines, which has no cent of rounding for each of them: it is computed once for all lines of a group. */
import { sumOf, vatOn } from "../../core/money.ts";
import { decimal, vatIn } from "./finance.fields.ts";
import type { Vat } from "./finance.values.ts";
import type { Subtotal } from "./invoices.tables.ts";

/** A line with its net amount. */
export type Net = Vat & { net_minor: number };
export type Taxed = Net & { vat_minor: number };

/** Names the group whose VAT is computed once: lines of the same category, rate and reason (EN 16931, BG-23). */
export const vatGroup = ({ vat_category, vat_rate, vat_reason, vat_reason_code }: Vat): string =>
  JSON.stringify([vat_category, vat_rate, vat_reason, vat_reason_code]);

/**
 * Returns the lines with their shares of the VAT of their group, which is that of the sum of its net amounts (EN 16931,
 * BR-CO-17). The shares add up to it.
 *
 * @param given the VAT of lines that give back what other invoices have charged: the other lines share the rest
 */
export function withVat<L extends Net>(
  lines: readonly L[],
  given: ReadonlyMap<L, number> = new Map(),
): (L & { vat_minor: number })[] {
  const vats = new Map(given);
  for (const group of Map.groupBy(lines, vatGroup).values()) {
    const own = group.filter((line) => !given.has(line));
    const total = vatOn(netOfAll(group), group[0]?.vat_rate ?? 0);
    const rest = sumOf([total, ...group.map((line) => -(given.get(line) ?? 0))]);
    for (const [line, vat] of shared(own, rest)) vats.set(line, vat);
  }
  return lines.map((line) => ({ ...line, vat_minor: vats.get(line) ?? 0 }));
}

const netOfAll = (lines: readonly Net[]): number => sumOf(lines.map(({ net_minor }) => net_minor));

/** Divides the VAT of lines of one group: each has that of the lines so far, less what these have. */
export function shared<L extends Net>(lines: readonly L[], vat_minor: number): [L, number][] {
  let [net, vat] = [0, 0];
  return lines.map((line, at) => {
    net = sumOf([net, line.net_minor]);
    const share = (at === lines.length - 1 ? vat_minor : vatOn(net, line.vat_rate)) - vat;
    vat += share;
    return [line, share];
  });
}

const sums = (lines: readonly Taxed[]) => ({
  net_minor: netOfAll(lines),
  vat_minor: sumOf(lines.map((line) => line.vat_minor)),
});

/** Returns the sums of the lines, and those of each group, the highest rate first. @throws VALIDATION_ERROR too large */
export function totalsOf(lines: readonly Taxed[]) {
  const all = sums(lines);
  const groups = [...Map.groupBy(lines, vatGroup).values()];
  const highestFirst = groups.sort(([one], [other]) => (other?.vat_rate ?? 0) - (one?.vat_rate ?? 0));
  const vat = highestFirst.flatMap((same): Subtotal[] =>
    same.slice(0, 1).map((one) => ({ ...vatIn(one), vat_rate: decimal(one.vat_rate), ...sums(same) })),
  );
  return { ...all, gross_minor: sumOf([all.net_minor, all.vat_minor]), vat };
}
