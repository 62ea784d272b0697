import { authorize } from "../../core/actor.ts";
import { newId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { TenantContext } from "../../storage/context.ts";
import { addRow } from "../../storage/entity.ts";
import { evaluateAircraft } from "../compliance/evaluations/evaluate.ts";
import { aircraftEntity } from "./fleet.queries.ts";
import type { NewAircraft } from "./fleet.schemas.ts";
import type { Aircraft } from "./fleet.shapes.ts";
import { priceOf, requireFreeRegistration } from "./master-data.ts";

/**
 * Adds an aircraft to the fleet. Its counters start at the given readings.
 *
 * @throws CONFLICT another aircraft of the school has the registration, even if that one is archived
 */
export async function createAircraft(context: TenantContext, input: NewAircraft): Promise<JsonOf<Aircraft>> {
  authorize(context.actor, "aircraft:manage");
  const price = await priceOf(context, input.hourly_rate_minor);
  const id = newId<"aircraft">(context.clock);
  const { hobbs, tacho, airframe_minutes, landings } = input;
  const opening = {
    opening_hobbs: hobbs,
    opening_tacho: tacho,
    opening_airframe_minutes: airframe_minutes,
    opening_landings: landings,
  };

  return context.tenant.write(async (tx) => {
    await requireFreeRegistration(tx, input.registration, id);
    const stamps = { created_at: tx.now, updated_at: tx.now };
    return addRow(tx, context, aircraftEntity, {
      action: "aircraft.created",
      row: { id, status: "available", ...input, ...price, ...opening, ...stamps },
      also: () => evaluateAircraft(tx, id),
    });
  });
}
