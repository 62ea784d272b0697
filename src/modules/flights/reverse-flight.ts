import { authorize } from "../../core/actor.ts";
import { wrongStatus } from "../../core/errors.ts";
import type { FlightId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { By, InOrganization } from "../../storage/context.ts";
import { announce, prepare } from "../../storage/occasions.ts";
import type { Tx } from "../../storage/store.ts";
import { advanceCounters } from "../fleet/advance-counters.ts";
import { requireAircraft } from "../fleet/fleet.queries.ts";
import { changeFlight } from "./change-flight.ts";
import { counterDifferences } from "./flight-rules.ts";
import { afterReversal, flightPosted } from "./flights.occasions.ts";
import { type FlightRow, requireFlight } from "./flights.queries.ts";
import type { Flight } from "./flights.shapes.ts";

/**
 * Reverses an approved flight by postings opposite to those of its approval; an imported flight has none. The flight stays
 * readable. A corrected flight is a new draft. A reversal emits no event, because the event catalog has no type for it.
 *
 * @throws NOT_FOUND; FORBIDDEN; CONFLICT it is not `approved`
 */
export async function reverseFlight(
  context: InOrganization,
  { flightId, reason }: { flightId: FlightId; reason: string },
): Promise<JsonOf<Flight>> {
  const { actor, tenant } = context;
  authorize(actor, "flights:reverse");
  return tenant.write(async (tx) => {
    const flight = await requireFlight(tx, flightId, actor);
    if (flight.status !== "approved") throw wrongStatus("flight", flight.status, "approved");
    if (!flight.imported) await undoPostings(tx, context, flight);
    const reversed = await changeFlight(tx, context, flightId, {
      action: "flight.reversed",
      set: { status: "reversed", reversed_at: tx.now, reversal_reason: reason },
    });
    await announce(tx, afterReversal, { id: flightId, by: context });
    return reversed;
  });
}

async function undoPostings(tx: Tx<"tenant">, by: By, flight: FlightRow): Promise<void> {
  const { hobbs, tacho, airframe_minutes, landings } = counterDifferences(flight);
  const [aircraft, announcePosted] = await Promise.all([
    requireAircraft(tx, flight.aircraft_id),
    prepare(tx, flightPosted, { flight, by }),
  ]);
  const posting = {
    flight_id: flight.id,
    aircraft_id: flight.aircraft_id,
    kind: "reversal",
    hobbs: -hobbs,
    tacho: -tacho,
    airframe_minutes: -airframe_minutes,
    landings: -landings,
  } as const;
  await advanceCounters(tx, posting, aircraft);
  await announcePosted();
}
