/** Postings: a package ends when its sale is reversed, or when all that was not drawn from it is credited. */
import { eq } from "drizzle-orm";
import { conflict } from "../../../core/errors.ts";
import { partOf } from "../../../core/money.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import { financeCharges, type PackageId } from "../finance.tables.ts";
import type { LineRow } from "../invoices/lines.ts";
import { readRemainder } from "../invoices/remainder.queries.ts";
import { type PackageRow, packageEntity } from "./packages.queries.ts";

/** Ends a package whose sale is reversed. @throws CONFLICT flights were drawn from it */
export async function voidPackage(tx: Tx<"tenant">, by: By, packageId: PackageId): Promise<void> {
  const row = await packageEntity.row(tx, { packageId });
  if (row.remaining < row.quantity)
    throw conflict(
      "package_drawn",
      "Flights were drawn from the package. Send its invoice, and credit it: that credits the rest of the package, and ends it.",
    );
  if (row.voided_at === null) await change(tx, by, row, "voided");
}

/** Returns the package that a line sold, unless the line takes a sale back. */
export async function packageSoldBy(reader: Reader<"tenant">, line: LineRow): Promise<PackageRow | undefined> {
  if (line.charge_id === null) return undefined;
  const [charge] = await reader.select().from(financeCharges).where(eq(financeCharges.id, line.charge_id));
  if (charge?.kind !== "package" || charge.package_id === null || charge.reverses_id !== null) return undefined;
  return packageEntity.row(reader, { packageId: charge.package_id });
}

/** Returns what of the price of a package was drawn by flights. */
export const drawnOf = ({ net_minor }: LineRow, { quantity, remaining }: PackageRow): number =>
  partOf(net_minor, quantity - remaining, quantity);

/**
 * Ends the package that a line sold once nothing is left of the line but the price of what was drawn. It is usable again when the
 * line is not credited any more, because the draft of a credit note was voided.
 */
export async function endPackageOf(tx: Tx<"tenant">, by: By, line: LineRow): Promise<void> {
  const sold = await packageSoldBy(tx, line);
  if (sold === undefined) return;
  const left = (await readRemainder(tx, line.invoice_id)).lines.get(line.id)?.left ?? 0;
  const ends = left === 0 || (sold.remaining > 0 && left <= drawnOf(line, sold));
  if (ends && sold.voided_at === null) await change(tx, by, sold, "voided");
  if (!ends && left === line.net_minor && sold.voided_at !== null) await change(tx, by, sold, "revived");
}

const change = (tx: Tx<"tenant">, by: By, { id }: PackageRow, verb: "voided" | "revived") =>
  changeRow(tx, by, packageEntity, {
    id,
    action: `finance_package.${verb}`,
    set: { voided_at: verb === "voided" ? tx.now : null, updated_at: tx.now },
  });
