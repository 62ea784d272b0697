import { authorize } from "../../core/actor.ts";
import { type AircraftId, newId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { TenantContext } from "../../storage/context.ts";
import { findAircraft } from "./fleet.queries.ts";
import type { NewAircraft } from "./fleet.schemas.ts";
import type { Aircraft } from "./fleet.shapes.ts";
import { aircraft } from "./fleet.tables.ts";
import { priceOf } from "./price.ts";
import { refuseTakenRegistration } from "./registration.ts";

/**
 * Adds an aircraft to the fleet, with its counters at the readings given.
 *
 * @throws CONFLICT another aircraft here has the registration, an archived one included
 */
export async function createAircraft(context: TenantContext, input: NewAircraft): Promise<Aircraft> {
  authorize(context.actor, "aircraft:manage");
  const { clock, tenant } = context;
  const price = await priceOf(context, input.hourly_rate_minor ?? null);
  const id: AircraftId = newId(clock);
  const counters = { hobbs: input.hobbs ?? 0, tacho: input.tacho ?? 0, airframe_minutes: input.airframe_minutes ?? 0 };

  return tenant.write(async (tx) => {
    await refuseTakenRegistration(tx, input.registration, id);
    await tx.insert(aircraft).values({
      id,
      registration: input.registration,
      model: input.model,
      icao_type: input.icao_type ?? null,
      class: input.class,
      mtom_kg: input.mtom_kg ?? null,
      seats: input.seats ?? null,
      ...price,
      billing_basis: input.billing_basis ?? "block",
      status: "available",
      ...counters,
      opening_hobbs: counters.hobbs,
      opening_tacho: counters.tacho,
      opening_airframe_minutes: counters.airframe_minutes,
      created_at: tx.now,
      updated_at: tx.now,
    });
    const created = await findAircraft(tx, id);
    await audit(tx, context, "aircraft.created", { subject: { kind: "aircraft", id }, after: created });
    return created;
  });
}
