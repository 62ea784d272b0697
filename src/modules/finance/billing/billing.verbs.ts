/** What members decide about the charges of a flight. */
import { authorize } from "../../../core/actor.ts";
import { conflict, wrongStatus } from "../../../core/errors.ts";
import type { FlightId, PersonId } from "../../../core/ids.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import type { InOrganization } from "../../../storage/context.ts";
import type { Tx } from "../../../storage/store.ts";
import { type FlightRow, requireFlight } from "../../flights/flights.queries.ts";
import { requireCustomer } from "../customers/require-customer.ts";
import { billingRow } from "./billing.queries.ts";
import type { Billing } from "./billing.schemas.ts";
import { chargeAnew, newBilling, requireNotInvoiced, setBilling, takeBackInEffect } from "./flight-charges.ts";
import { readBilling } from "./read-billing.ts";

interface Ref {
  flightId: FlightId;
}

/** @throws NOT_FOUND; CONFLICT the flight is not approved, or was imported */
export async function requireApproved(tx: Tx<"tenant">, { actor }: InOrganization, id: FlightId): Promise<FlightRow> {
  const flight = await requireFlight(tx, id, actor);
  if (flight.status !== "approved") throw wrongStatus("flight", flight.status, "approved");
  if (flight.imported) throw conflict("flight_imported", "The flight was imported. Imported flights are not charged.");
  return flight;
}

/** @throws VALIDATION_ERROR as of `requireCustomer` */
export async function requirePayer(tx: Tx<"tenant">, payer_id: PersonId | null): Promise<void> {
  if (payer_id !== null) await requireCustomer(tx, payer_id, "payer_id");
}

/**
 * Charges an approved flight by the rates of its day: takes back what is open, and raises it anew. Also a flight that was
 * waived, or approved before the school had rates.
 *
 * @throws NOT_FOUND; CONFLICT it is not approved, was imported, or a charge was invoiced
 */
export async function chargeFlight(context: InOrganization, { flightId }: Ref): Promise<Billing> {
  authorize(context.actor, "finance:manage");
  const currency = await currencyOf(context);
  return context.tenant.write(async (tx) => {
    await chargeAnew(tx, context, await requireApproved(tx, context, flightId), currency);
    return readBilling(tx, { flightId, actor: context.actor });
  });
}

/** Decides that nobody pays an approved flight. @throws NOT_FOUND; CONFLICT as `chargeFlight` */
export async function waiveFlight(
  context: InOrganization,
  { flightId, reason }: Ref & { reason: string },
): Promise<Billing> {
  authorize(context.actor, "finance:manage");
  return context.tenant.write(async (tx) => {
    const flight = await requireApproved(tx, context, flightId);
    await requireNotInvoiced(tx, flightId);
    await takeBackInEffect(tx, context, flightId, reason);
    const row = (await billingRow(tx, flightId)) ?? (await newBilling(tx, flight));
    await setBilling(tx, context, "waived", { ...row, status: "waived", missing: [], reason });
    return readBilling(tx, { flightId, actor: context.actor });
  });
}

/**
 * Names who pays a flight. One that was approved is charged anew, unless it is waived.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR no such person; CONFLICT the flight was reversed or imported, or a charge was invoiced
 */
export async function namePayer(
  context: InOrganization,
  { flightId, payer_id }: Ref & { payer_id: PersonId | null },
): Promise<Billing> {
  authorize(context.actor, "finance:manage");
  const currency = await currencyOf(context);
  return context.tenant.write(async (tx) => {
    const flight = await requireFlight(tx, flightId, context.actor);
    if (flight.status === "reversed") throw wrongStatus("flight", flight.status);
    await requirePayer(tx, payer_id);
    if (flight.status === "approved") await requireApproved(tx, context, flightId);
    const row = (await billingRow(tx, flightId)) ?? (await newBilling(tx, flight));
    await setBilling(tx, context, "payer_named", { ...row, named_payer_id: payer_id });
    if (flight.status === "approved" && row.status !== "waived") await chargeAnew(tx, context, flight, currency);
    return readBilling(tx, { flightId, actor: context.actor });
  });
}
