import { authorize } from "../../core/actor.ts";
import { throwIfAny, wrongStatus } from "../../core/errors.ts";
import type { FlightId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { emit } from "../../events/emit.ts";
import type { InOrganization } from "../../storage/context.ts";
import { changeFlight } from "./change-flight.ts";
import { checkContent } from "./flight-content.ts";
import { completenessIssues, warnings } from "./flight-rules.ts";
import { flightData, flightSubmitted } from "./flights.events.ts";
import { requireFlight } from "./flights.queries.ts";
import type { Flight } from "./flights.shapes.ts";
import { clearanceOf, recordFlyers, refuseOverlap, requireCrewMember, trainingOf } from "./submission.ts";

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
    const flight = await requireFlight(tx, flightId, actor);
    if (flight.status !== "draft" && flight.status !== "rejected") {
      throw wrongStatus("flight", flight.status, "draft", "rejected");
    }
    await requireCrewMember(tx, flightId, actor);
    const aircraft = await checkContent(tx, flight, flight.crew);
    throwIfAny(completenessIssues(flight, aircraft, tx.now));
    await refuseOverlap(tx, flight);

    const submitted = await changeFlight(tx, context, flightId, {
      action: "flight.submitted",
      set: {
        status: "submitted",
        enrollment_id: await trainingOf(tx, { ...flight, before: flight, isComplete: true }),
        revision: flight.status === "rejected" ? flight.revision + 1 : flight.revision,
        warnings: warnings(flight, aircraft),
        findings: await clearanceOf(tx, flight),
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
