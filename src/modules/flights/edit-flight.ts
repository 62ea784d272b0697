import { authorize } from "../../core/actor.ts";
import { conflict, throwIfAny } from "../../core/errors.ts";
import type { FlightId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { InOrganization } from "../../storage/context.ts";
import { changeFlight } from "./change-flight.ts";
import { asEntered, withLandings } from "./crew-landings.ts";
import { checkContent } from "./flight-content.ts";
import { completenessIssues, warnings } from "./flight-rules.ts";
import { requireFlight } from "./flights.queries.ts";
import type { FlightChange } from "./flights.schemas.ts";
import type { Flight } from "./flights.shapes.ts";
import {
  clearanceOf,
  recordFlyers,
  refuseOverlap,
  requireCrewMember,
  trainingOf,
  warningsOfDraft,
} from "./submission.ts";

/**
 * Changes a flight that is draft, submitted or rejected. A submitted flight must stay complete and overlap no other, and its revision grows
 * by one, so that an approver who names a revision approves what they reviewed.
 *
 * @throws NOT_FOUND; FORBIDDEN; VALIDATION_ERROR; CONFLICT it is approved or reversed, or the aircraft or a new crew member is archived
 */
export async function editFlight(
  context: InOrganization,
  { flightId, change }: { flightId: FlightId; change: FlightChange },
): Promise<JsonOf<Flight>> {
  const { actor, tenant } = context;
  authorize(actor, "flights:submit");
  return tenant.write(async (tx) => {
    const flight = await requireFlight(tx, flightId, actor);
    if (flight.status === "approved" || flight.status === "reversed") {
      throw conflict(
        "wrong_status",
        `The flight is ${flight.status} and can't be edited. Reverse an approved flight to correct it.`,
        { status: flight.status, allowed: ["draft", "submitted", "rejected"] },
      );
    }
    const edited = { ...flight, crew: asEntered(flight), ...change };
    const aircraft = await checkContent(tx, edited, flight.crew);

    const isSubmitted = flight.status === "submitted";
    if (isSubmitted) {
      throwIfAny(completenessIssues(edited, aircraft, tx.now));
      await refuseOverlap(tx, edited);
    }
    const enrollment_id = await trainingOf(tx, { ...edited, before: flight, isComplete: isSubmitted });
    const nextRevision = isSubmitted
      ? {
          revision: flight.revision + 1,
          warnings: warnings(edited, aircraft),
          findings: await clearanceOf(tx, edited),
        }
      : { warnings: await warningsOfDraft(tx, edited, aircraft), findings: [] };
    const { crew: _, ...columns } = change;
    const changed = await changeFlight(tx, context, flightId, {
      action: "flight.edited",
      set: { ...columns, enrollment_id, ...nextRevision },
      crew: withLandings(edited),
    });
    if (isSubmitted) {
      await requireCrewMember(tx, flightId, actor);
      await recordFlyers(tx, flightId);
    }
    return changed;
  });
}
