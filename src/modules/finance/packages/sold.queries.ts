/** What of a package that was sold is left to credit. */
import { eq } from "drizzle-orm";
import { netOf, partOf } from "../../../core/money.ts";
import type { Reader } from "../../../storage/store.ts";
import { decimal } from "../finance.fields.ts";
import { financeCharges } from "../finance.tables.ts";
import type { LineRow } from "../invoices/lines.ts";
import { type PackageRow, packageEntity } from "./packages.queries.ts";

/** Returns the package that a line sold, unless the line takes a sale back. */
export async function packageSoldBy(reader: Reader<"tenant">, line: LineRow): Promise<PackageRow | undefined> {
  if (line.charge_id === null) return undefined;
  const [charge] = await reader.select().from(financeCharges).where(eq(financeCharges.id, line.charge_id));
  if (charge?.kind !== "package" || charge.package_id === null || charge.reverses_id !== null) return undefined;
  return packageEntity.row(reader, { packageId: charge.package_id });
}

/** Returns the minutes that flights have drawn, in hundredths. */
export const drawnFrom = ({ quantity, remaining, returned }: PackageRow): number => quantity - remaining - returned;

/** Returns what of the price of a package was drawn by flights. */
export const drawnOf = ({ net_minor }: LineRow, sold: PackageRow): number =>
  partOf(net_minor, drawnFrom(sold), sold.quantity);

/** A sale is one piece. */
const WHOLE = 100;

/** Returns the minutes of a part of the sale, rounded down. @param part in hundredths of the sale */
export const minutesOf = ({ quantity }: PackageRow, part: number): number => Math.floor((quantity * part) / WHOLE);

/** Returns the largest part of the sale whose minutes are left, in hundredths. */
export const partLeft = ({ quantity, remaining }: PackageRow): number => Math.floor((WHOLE * remaining) / quantity);

/**
 * Returns the largest quantity of the line that can be credited: its minutes are left, and its price.
 *
 * @param remains what is left of the price
 */
export function creditableOf(line: LineRow, sold: PackageRow, remains: number): string {
  let part = partLeft(sold);
  while (part > 0 && netOf(part, line) > remains) part -= 1;
  return decimal(part);
}
