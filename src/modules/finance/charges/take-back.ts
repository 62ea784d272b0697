/** How a charge is taken back: by opposite entries, never by deleting it. */
import { eq } from "drizzle-orm";
import { userIdOf } from "../../../core/actor.ts";
import { newIdAt } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import type { Tx } from "../../../storage/store.ts";
import { type ChargeRow, financeCharges } from "../finance.tables.ts";
import { dropLines } from "../invoices/drop-lines.ts";
import { invoiceEntity } from "../invoices/invoices.queries.ts";
import { lineOfCharge, readRemainder } from "../invoices/remainder.queries.ts";
import { remainsOf } from "../invoices/remainder.ts";
import { reviveIfPaid } from "../packages/end-package.ts";
import { discountsOn } from "./reductions.ts";
import { draw } from "./write-charges.ts";

/** Columns of a reversal that follow from what it takes back. */
type Reversal = Pick<ChargeRow, "status" | "quantity" | "net_minor"> &
  Partial<Pick<ChargeRow, "unit" | "unit_price_minor" | "price_per">>;

/**
 * Posting: takes a charge back. What was not invoiced, or is on a draft, cancels out with its reversal: both are `offset`, and the
 * draft loses the line. Of what was sent, the reversal carries what no credit note gives back; with nothing left, it is
 * `offset`. What was drawn from a package is given back. Discounts on the charge are taken back with it.
 */
export async function takeBackCharge(tx: Tx<"tenant">, by: By, charge: ChargeRow, reason: string): Promise<void> {
  const reversal = await reversalOf(tx, by, charge);
  await insertRow(tx, financeCharges, {
    ...charge,
    ...reversal,
    id: newIdAt<"charge">(tx.now),
    invoice_id: null,
    reverses_id: charge.id,
    reduces_id: null,
    reason,
    created_by: userIdOf(by.actor),
    created_at: tx.now,
    updated_at: tx.now,
  });
  if (charge.status === "package" && charge.package_id) {
    await draw(tx, charge.package_id, -charge.quantity);
    await reviveIfPaid(tx, by, charge.package_id);
  }
  for (const discount of await discountsOn(tx, charge.id)) await takeBackCharge(tx, by, discount, reason);
}

async function reversalOf(tx: Tx<"tenant">, by: By, charge: ChargeRow): Promise<Reversal> {
  const whole = { quantity: -charge.quantity, net_minor: opposite(charge.net_minor) };
  if (charge.status === "package") return { status: "package", ...whole };
  const isSent = charge.invoice_id !== null && (await invoiceEntity.row(tx, { invoiceId: charge.invoice_id })).number;
  if (isSent) return carried(tx, charge);
  if (charge.invoice_id !== null) await dropLines(tx, by, charge.invoice_id, [charge.id]);
  const set = { status: "offset", invoice_id: null, updated_at: tx.now } as const;
  await tx.update(financeCharges).set(set).where(eq(financeCharges.id, charge.id));
  return { status: "offset", ...whole };
}

/** Returns the reversal of what remains of a charge whose invoice was sent: all of it, or one piece at the rest. */
async function carried(tx: Tx<"tenant">, charge: ChargeRow): Promise<Reversal> {
  const line = await lineOfCharge(tx, charge.id);
  if (line === undefined) throw new Error(`The charge ${charge.id} is on no line of its invoice.`);
  const net = remainsOf(await readRemainder(tx, line.invoice_id), line.id);
  if (net === 0) return { status: "offset", quantity: 0, net_minor: 0 };
  if (net === charge.net_minor)
    return { status: "open", quantity: -charge.quantity, net_minor: opposite(charge.net_minor) };
  const piece = { unit: "piece", unit_price_minor: Math.abs(net), price_per: 1 } as const;
  return { status: "open", ...piece, quantity: net > 0 ? -100 : 100, net_minor: -net };
}

/**
 * Posting: what a credit note by hand had reserved of a charge that was reversed meanwhile, and gives back no more, is carried
 * by a further reversal.
 */
export async function carryRest(tx: Tx<"tenant">, by: By, charge: ChargeRow, reason: string): Promise<void> {
  const rest = await carried(tx, charge);
  if (rest.status === "open") await takeBackCharge(tx, by, charge, reason);
}

const opposite = (amount: number): number => (amount === 0 ? 0 : -amount);
