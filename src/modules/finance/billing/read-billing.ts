import { authorize, type MemberActor, permits } from "../../../core/actor.ts";
import { notFound } from "../../../core/errors.ts";
import type { FlightId, PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { type FlightRow, requireFlight } from "../../flights/flights.queries.ts";
import { personNameOf } from "../../people/people.queries.ts";
import { personOf } from "../../training/own-training.queries.ts";
import { chargesOfFlight } from "../charges/charges.queries.ts";
import { type BillingRow, billingRow } from "./billing.queries.ts";
import type { Billing } from "./billing.schemas.ts";
import { payerOf } from "./payer.ts";

type TenantReader = Reader<"tenant">;

interface Ref {
  flightId: FlightId;
  actor: MemberActor;
}

export interface BilledFlight {
  flight: FlightRow;
  row: BillingRow | undefined;
  payer_id: PersonId | null;
}

/** Members without `finance:read` see flights that they pay for. @throws NOT_FOUND; FORBIDDEN */
export async function requireBilled(reader: TenantReader, { flightId, actor }: Ref): Promise<BilledFlight> {
  authorize(actor, "finance:read", "finance:own");
  const flight = await requireFlight(reader, flightId, actor);
  const row = await billingRow(reader, flightId);
  const isPosted = flight.status === "approved" || flight.status === "reversed";
  const payer_id = isPosted ? (row?.payer_id ?? null) : payerOf(flight, row?.named_payer_id ?? null);
  if (!permits(actor, "finance:read") && (payer_id === null || (await personOf(reader, actor)) !== payer_id))
    throw notFound();
  return { flight, row, payer_id };
}

/** Returns whether and to whom a flight is charged, with its charges. @throws as `requireBilled` */
export async function readBilling(reader: TenantReader, ref: Ref): Promise<Billing> {
  const { flight, row, payer_id } = await requireBilled(reader, ref);
  const isPosted = flight.status === "approved" || flight.status === "reversed";
  return {
    flight_id: flight.id,
    status: row?.status ?? (isPosted ? "free" : "pending"),
    missing: row?.missing ?? [],
    payer_id,
    named_payer_id: row?.named_payer_id ?? null,
    payer_name: await personNameOf(reader, payer_id),
    named_payer_name: await personNameOf(reader, row?.named_payer_id ?? null),
    on: row?.on ?? null,
    reason: row?.reason ?? null,
    charges: await chargesOfFlight(reader, flight.id),
  };
}
