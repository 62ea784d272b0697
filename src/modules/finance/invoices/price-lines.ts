import { sumOf, vatOn } from "../../../core/money.ts";
import type { Reader } from "../../../storage/store.ts";
import type { InvoiceId } from "../invoices.tables.ts";
import { shared, vatGroup, withVat } from "../vat-of-lines.ts";
import { type DraftLine, type LineRow, type Priced, withNet } from "./lines.ts";
import { invoicesOf, readRemainder } from "./remainder.queries.ts";
import { type Remainder, vatOfCredit } from "./remainder.ts";

type Netted = DraftLine & Pick<LineRow, "net_minor">;

/**
 * Returns lines with their amounts: each net amount is rounded, and the VAT of each category, rate and reason. What a line credits
 * takes its VAT from the remainder of the invoice that it is on.
 *
 * @param draft the draft whose lines they are: what it credits so far does not count
 */
export async function priced(
  reader: Reader<"tenant">,
  drafts: readonly (DraftLine | LineRow)[],
  draft?: InvoiceId,
): Promise<Priced[]> {
  const lines = drafts.map(withNet);
  const credited = await invoicesOf(
    reader,
    lines.flatMap(({ credits_line_id }) => credits_line_id ?? []),
  );
  const reversals = lines.flatMap(({ charge_id }) => charge_id ?? []);
  const vats = new Map<Netted, number>();
  for (const [invoice, crediting] of Map.groupBy(
    lines,
    (line) => line.credits_line_id && credited.get(line.credits_line_id),
  )) {
    if (!invoice) continue;
    const remainder = await readRemainder(reader, invoice, { draft, reversals });
    for (const [line, vat] of vatOfCredits(remainder, crediting)) vats.set(line, vat);
  }
  return withVat(lines, vats);
}

/** Returns the VAT of lines that credit an invoice: of each group from its remainder. */
function vatOfCredits(remainder: Remainder, lines: readonly Netted[]): [Netted, number][] {
  const groups = [...Map.groupBy(lines, vatGroup)].map(([name, inGroup]) => {
    const net = -sumOf(inGroup.map(({ net_minor }) => net_minor));
    const rate = inGroup[0]?.vat_rate ?? 0;
    const group = remainder.groups.get(name);
    return { inGroup, net, vat: group ? vatOfCredit(group, net, rate) : vatOn(net, rate) };
  });
  let excess = excessOf(remainder, sumOf(groups.flatMap(({ net, vat }) => [net, vat])));
  return groups.flatMap(({ inGroup, vat }) => {
    const cut = Math.min(excess, Math.max(0, vat));
    excess -= cut;
    return shared(inGroup, cut - vat);
  });
}

/** Returns by how much a gross amount exceeds the remainder of an invoice that is limited as a whole. */
const excessOf = ({ gross, isLimited }: Remainder, credited: number): number =>
  isLimited ? Math.max(0, credited - Math.max(0, gross)) : 0;
