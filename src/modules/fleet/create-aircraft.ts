import { authorize } from "../../core/actor.ts";
import type { Instant } from "../../core/clock.ts";
import { type AircraftId, newId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { TenantContext } from "../../storage/context.ts";
import { addRow } from "../../storage/entity.ts";
import { announce } from "../../storage/occasions.ts";
import { aircraftAdded } from "./fleet.occasions.ts";
import { type AircraftRow, aircraftEntity } from "./fleet.queries.ts";
import type { NewAircraft } from "./fleet.schemas.ts";
import type { Aircraft } from "./fleet.shapes.ts";
import { priced, priceOf, requireFreeRegistration } from "./master-data.ts";

/**
 * Adds an aircraft to the fleet. Its counters start at the given readings.
 *
 * @throws CONFLICT another aircraft of the school has the registration, even if that one is archived
 */
export async function createAircraft(context: TenantContext, input: NewAircraft): Promise<JsonOf<Aircraft>> {
  authorize(context.actor, "aircraft:manage");
  const { currency } = await priceOf(context, input.hourly_rate_minor);
  const id = newId<"aircraft">(context.clock);
  return context.tenant.write(async (tx) => {
    await requireFreeRegistration(tx, input.registration, id);
    const row = newAircraft({ id, now: tx.now }, input, currency);
    return addRow(tx, context, aircraftEntity, {
      action: "aircraft.created",
      row,
      also: () => announce(tx, aircraftAdded, { id }),
    });
  });
}

/** Returns the row of a new aircraft. @param currency the organization's */
export function newAircraft(
  { id, now }: { id: AircraftId; now: Instant },
  input: NewAircraft,
  currency: string | null,
): AircraftRow {
  const { hobbs, tacho, airframe_minutes, landings } = input;
  return {
    id,
    status: "available",
    ...input,
    ...priced(input.hourly_rate_minor, currency),
    opening_hobbs: hobbs,
    opening_tacho: tacho,
    opening_airframe_minutes: airframe_minutes,
    opening_landings: landings,
    created_at: now,
    updated_at: now,
  };
}
