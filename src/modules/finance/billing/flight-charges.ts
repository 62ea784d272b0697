/** Postings: the charges of a flight, which its approval raises, and its reversal takes back. */
import { sql } from "drizzle-orm";
import { conflict } from "../../../core/errors.ts";
import type { FlightId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { By } from "../../../storage/context.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import type { Reader, Tx } from "../../../storage/store.ts";
import type { FlightRow } from "../../flights/flights.queries.ts";
import { chargesInEffect } from "../charges/charges.queries.ts";
import { takeBackCharge } from "../charges/take-back.ts";
import { raiseCharge } from "../charges/write-charges.ts";
import { financeFlights } from "../finance.tables.ts";
import { hasRates } from "../rates/rates.queries.ts";
import { type Bill, billOf } from "./bill.ts";
import { type BillingRow, billingRow } from "./billing.queries.ts";
import { dayOfFlight } from "./day-of-flight.ts";

type TimedReader = Reader<"tenant"> & Pick<Tx<"tenant">, "now">;

/** What a flight will cost, and its row before: read before it is charged. */
interface ToCharge {
  flight: FlightRow;
  before: BillingRow | undefined;
  bill: Bill;
}

/**
 * Returns what an approval raises charges of. Undefined: a school without any rate does not charge flights here, unless a member
 * named the payer.
 */
export async function toCharge(
  reader: TimedReader,
  flight: FlightRow,
  currency: string,
): Promise<ToCharge | undefined> {
  const [isCharged, before] = await Promise.all([hasRates(reader), billingRow(reader, flight.id)]);
  return isCharged || before ? billed(reader, { flight, before, currency }) : undefined;
}

async function billed(
  reader: TimedReader,
  { flight, before, currency }: Omit<ToCharge, "bill"> & { currency: string },
): Promise<ToCharge> {
  const bill = await billOf(reader, flight, { named: before?.named_payer_id ?? null, currency, now: reader.now });
  return { flight, before, bill };
}

/** Raises the charges of a flight that is being approved, by the rates of its day. What can't be charged makes it unbilled. */
export async function raiseFlightCharges(tx: Tx<"tenant">, by: By, found: ToCharge | undefined): Promise<void> {
  if (found !== undefined) await raise(tx, by, found);
}

/** Takes back the charges of a flight that is being reversed. */
export async function takeBackFlightCharges(tx: Tx<"tenant">, by: By, flightId: FlightId): Promise<void> {
  const before = await billingRow(tx, flightId);
  if (before === undefined) return;
  await takeBackInEffect(tx, by, flightId, "The flight was reversed.");
  await setBilling(tx, by, "reversed", { ...before, status: "reversed", missing: [] });
}

/** Charges an approved flight anew: takes back what is open. @throws CONFLICT a charge was invoiced */
export async function chargeAnew(tx: Tx<"tenant">, by: By, flight: FlightRow, currency: string): Promise<void> {
  await requireNotInvoiced(tx, flight.id);
  await takeBackInEffect(tx, by, flight.id, "The flight was charged anew.");
  await raiseAnew(tx, by, flight, currency);
}

/** Raises the charges of a flight that has none in effect. */
export async function raiseAnew(tx: Tx<"tenant">, by: By, flight: FlightRow, currency: string): Promise<void> {
  const before = await billingRow(tx, flight.id);
  await raise(tx, by, await billed(tx, { flight, before, currency }));
}

async function raise(tx: Tx<"tenant">, by: By, { flight, before, bill }: ToCharge): Promise<void> {
  const { on, payer_id, free, missing } = bill;
  const lines = bill.lines.map(({ about: _, package_name: __, ...line }) => line);
  const named = before?.named_payer_id ?? null;
  if (payer_id !== null)
    for (const line of lines) await raiseCharge(tx, line, { person_id: payer_id, on, flight_id: flight.id });
  const status = free ? "free" : missing.length > 0 ? "unbilled" : "charged";
  const row = { flight_id: flight.id, status, missing, named_payer_id: named, payer_id, on, reason: null } as const;
  await writeBilling(tx, by, "charged", { row, before, lines });
}

/** @throws CONFLICT */
export async function requireNotInvoiced(tx: Tx<"tenant">, id: FlightId): Promise<void> {
  if ((await chargesInEffect(tx, id)).some(({ status }) => status === "invoiced"))
    throw conflict(
      "charge_invoiced",
      "A charge of the flight is on an invoice. `POST …/rebill` credits it, and bills the flight anew, also to another payer.",
    );
}

/** Takes back each charge of the flight that is in effect. */
export async function takeBackInEffect(tx: Tx<"tenant">, by: By, id: FlightId, reason: string): Promise<void> {
  for (const charge of await chargesInEffect(tx, id)) await takeBackCharge(tx, by, charge, reason);
}

type NewBilling = Omit<BillingRow, "updated_at">;

const removeBilling = sql`delete from ${financeFlights} where ${financeFlights.flight_id} = ${sql.placeholder("id")}`;

/** Writes whether and to whom a flight is charged, and the audit row. */
export async function setBilling(
  tx: Tx<"tenant">,
  by: By,
  action: "reversed" | "waived" | "payer_named",
  row: NewBilling,
): Promise<void> {
  await writeBilling(tx, by, action, { row, before: await billingRow(tx, row.flight_id) });
}

interface Written {
  row: NewBilling;
  before: BillingRow | undefined;
  /** The charges that are raised. */
  lines?: unknown;
}

async function writeBilling(
  tx: Tx<"tenant">,
  by: By,
  action: "charged" | Parameters<typeof setBilling>[2],
  { row, before, lines }: Written,
): Promise<void> {
  await tx.each(removeBilling, [[row.flight_id]]);
  await insertRow(tx, financeFlights, { ...row, updated_at: tx.now });
  const subject = { kind: "finance_flight", id: row.flight_id };
  await audit(tx, by, `finance_flight.${action}`, { subject, before, after: lines ? { ...row, lines } : row });
}

/** The row of a flight that has none. */
export const newBilling = async (tx: Tx<"tenant">, flight: FlightRow): Promise<NewBilling> => ({
  flight_id: flight.id,
  status: "pending",
  missing: [],
  named_payer_id: null,
  payer_id: null,
  reason: null,
  on: await dayOfFlight(tx, flight),
});
