import { authorize } from "../../core/actor.ts";
import { wrongStatus } from "../../core/errors.ts";
import type { FlightId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { emit, outboxIn } from "../../events/emit.ts";
import type { InOrganization } from "../../storage/context.ts";
import { beforeChange } from "../../storage/entity.ts";
import { prepare } from "../../storage/occasions.ts";
import { changeFlight } from "./change-flight.ts";
import { flightData, flightSubmitted } from "./flights.events.ts";
import { flightMoved } from "./flights.occasions.ts";
import { flightEntity, requireFlight } from "./flights.queries.ts";
import type { Flight } from "./flights.shapes.ts";
import { checkSubmission, maySubmit, notCrewMember, recordFlyers } from "./submission.ts";

/**
 * Submits a flight for approval: a draft, or a rejected flight as its next revision. A submitted flight is complete.
 *
 * @throws NOT_FOUND; FORBIDDEN; VALIDATION_ERROR it is incomplete; CONFLICT it is neither draft nor rejected, or overlaps another
 */
export async function submitFlight(
  context: InOrganization,
  { flightId }: { flightId: FlightId },
): Promise<JsonOf<Flight>> {
  const { actor, tenant } = context;
  authorize(actor, "flights:submit");
  return tenant.write(async (tx) => {
    const [flight, before, isAllowed, announceMoved] = await Promise.all([
      requireFlight(tx, flightId, actor),
      beforeChange(tx, flightEntity, flightId),
      maySubmit(tx, flightId, actor),
      prepare(tx, flightMoved, { id: flightId }),
      outboxIn(tx),
    ]);
    if (flight.status !== "draft" && flight.status !== "rejected") {
      throw wrongStatus("flight", flight.status, "draft", "rejected");
    }
    if (!isAllowed) throw notCrewMember();
    const checked = await checkSubmission(tx, flight, flight);
    const submitted = await changeFlight(tx, context, flightId, {
      action: "flight.submitted",
      before,
      announceMoved,
      set: {
        status: "submitted",
        ...checked,
        revision: flight.status === "rejected" ? flight.revision + 1 : flight.revision,
        submitted_by: actor.userId,
        submitted_at: tx.now,
        rejected_at: null,
        rejection_reason: null,
      },
    });
    await recordFlyers(tx, flightId);
    await emit(tx, flightSubmitted, flightData.of(flightId));
    return submitted;
  });
}
