/** Postings: what reversals and credit notes of its sale take back of a package, and when it ends. */
import { eq } from "drizzle-orm";
import { conflict } from "../../../core/errors.ts";
import { sumOf } from "../../../core/money.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { decimal } from "../finance.fields.ts";
import type { PackageId } from "../finance.tables.ts";
import { quantityOf } from "../invoices/credit-line.ts";
import type { LineRow } from "../invoices/lines.ts";
import { readRemainder } from "../invoices/remainder.queries.ts";
import { type LineId, financeInvoiceLines as lines } from "../invoices.tables.ts";
import { type PackageRow, packageEntity } from "./packages.queries.ts";
import { drawnFrom, drawnOf, minutesOf, packageSoldBy, partLeft } from "./sold.queries.ts";

/** Ends a package whose sale is reversed. @throws CONFLICT flights were drawn from it */
export async function voidPackage(tx: Tx<"tenant">, by: By, packageId: PackageId): Promise<void> {
  const row = await packageEntity.row(tx, { packageId });
  if (drawnFrom(row) > 0)
    throw conflict(
      "package_drawn",
      "Flights were drawn from the package. Send its invoice, and credit it: that credits the rest of the package, and ends it.",
      { quantity: decimal(partLeft(row)) },
    );
  if (row.voided_at === null || row.ended_by !== null)
    await change(tx, by, row, "voided", { voided_at: row.voided_at ?? tx.now, ended_by: null });
}

/**
 * Takes back what a line of a credit note credits of the sale of a package: of a quantity the minutes of that part, of an amount
 * none, since that is a reduction of the price. A line that leaves nothing but the price of what was drawn, less its discounts, takes all minutes back
 * that are left, and ends the package.
 */
export async function takeBackMinutes(tx: Tx<"tenant">, by: By, credit: LineRow): Promise<void> {
  const credited = await creditedBy(tx, credit);
  if (credited === undefined) return;
  const { line, sold } = credited;
  if (sold.voided_at !== null && sold.ended_by === null) return;
  const ends = await isUsedUp(tx, line, sold);
  const returned = ends ? sold.remaining : minutesOf(sold, quantityOf(credit, line));
  const endsNow = ends && sold.voided_at === null;
  if (returned === 0 && !endsNow) return;
  await tx.update(lines).set({ returned }).where(eq(lines.id, credit.id));
  await change(tx, by, sold, endsNow ? "voided" : "credited", {
    remaining: sold.remaining - returned,
    returned: sold.returned + returned,
    ...(endsNow && { voided_at: tx.now, ended_by: credit.id }),
  });
}

/** Returns whether nothing of the price of a package is left but that of what was drawn, less its discounts. */
async function isUsedUp(tx: Tx<"tenant">, line: LineRow, sold: PackageRow): Promise<boolean> {
  const { lines: all } = await readRemainder(tx, line.invoice_id);
  const unit = [line, ...(all.get(line.id)?.discounts ?? [])];
  const left = sumOf(unit.map(({ id }) => all.get(id)?.left ?? 0));
  const drawn = sumOf(unit.map((one) => drawnOf(one, sold)));
  return left === 0 || (drawnFrom(sold) < sold.quantity && left <= drawn);
}

/**
 * Revives a package that a credit note ended, after minutes that a flight drew were given back: their price stays paid, so the
 * flight that is charged anew, or instead, draws them again.
 */
export async function reviveIfPaid(tx: Tx<"tenant">, by: By, packageId: PackageId): Promise<void> {
  const sold = await packageEntity.row(tx, { packageId });
  if (sold.voided_at === null || sold.ended_by === null) return;
  const [credit] = await tx.select().from(lines).where(eq(lines.id, sold.ended_by));
  const credited = credit && (await creditedBy(tx, credit));
  if (credited === undefined || (await isUsedUp(tx, credited.line, sold))) return;
  await change(tx, by, sold, "revived", { voided_at: null, ended_by: null });
}

/** Gives back what a line had taken of a package, and revives one that it had ended, because its credit note is void. */
export async function giveBackMinutes(tx: Tx<"tenant">, by: By, credit: LineRow): Promise<void> {
  const credited = await creditedBy(tx, credit);
  if (credited === undefined) return;
  const { sold } = credited;
  const given = credit.returned ?? 0;
  const revives = sold.ended_by === credit.id;
  if (given === 0 && !revives) return;
  await change(tx, by, sold, revives ? "revived" : "credit_voided", {
    remaining: sold.remaining + given,
    returned: sold.returned - given,
    ...(revives && { voided_at: null, ended_by: null }),
  });
}

/** Returns the sale of a package that a line credits. */
async function creditedBy(tx: Tx<"tenant">, { credits_line_id }: LineRow) {
  if (credits_line_id === null) return undefined;
  const [line] = await tx.select().from(lines).where(eq(lines.id, credits_line_id));
  const sold = line && (await packageSoldBy(tx, line));
  return sold && { line, sold };
}

type Set = Partial<Pick<PackageRow, "remaining" | "returned" | "voided_at">> & { ended_by?: LineId | null };
type Verb = "voided" | "revived" | "credited" | "credit_voided";

const change = (tx: Tx<"tenant">, by: By, { id }: PackageRow, verb: Verb, set: Set) =>
  changeRow(tx, by, packageEntity, { id, action: `finance_package.${verb}`, set: { ...set, updated_at: tx.now } });
