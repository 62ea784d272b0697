import { authorize } from "../../core/actor.ts";
import { wrongStatus } from "../../core/errors.ts";
import type { FlightId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { emit } from "../../events/emit.ts";
import type { InOrganization } from "../../storage/context.ts";
import { changeFlight } from "./change-flight.ts";
import { flightData, flightRejected } from "./flights.events.ts";
import { requireFlight } from "./flights.queries.ts";
import type { Flight } from "./flights.shapes.ts";

/**
 * Rejects a submitted flight with a reason. The flight can be edited and submitted again.
 *
 * @throws NOT_FOUND; FORBIDDEN; CONFLICT it is not `submitted`
 */
export async function rejectFlight(
  context: InOrganization,
  { flightId, reason }: { flightId: FlightId; reason: string },
): Promise<JsonOf<Flight>> {
  const { actor, tenant } = context;
  authorize(actor, "flights:approve");
  return tenant.write(async (tx) => {
    const flight = await requireFlight(tx, flightId, actor);
    if (flight.status !== "submitted") throw wrongStatus("flight", flight.status, "submitted");
    const rejected = await changeFlight(tx, context, flightId, {
      action: "flight.rejected",
      set: { status: "rejected", rejected_at: tx.now, rejection_reason: reason },
    });
    await emit(tx, flightRejected, flightData.of(flightId));
    return rejected;
  });
}
