import { authorize } from "../../core/actor.ts";
import { conflict } from "../../core/errors.ts";
import type { FlightId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import type { InOrganization } from "../../storage/context.ts";
import { beforeChange } from "../../storage/entity.ts";
import { changeFlight } from "./change-flight.ts";
import { asEntered, withLandings } from "./crew-landings.ts";
import { flightEntity, requireFlight } from "./flights.queries.ts";
import type { FlightChange } from "./flights.schemas.ts";
import type { Flight } from "./flights.shapes.ts";
import { checkDraft, checkSubmission, maySubmit, notCrewMember, recordFlyers } from "./submission.ts";

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
    const [flight, before] = await Promise.all([
      requireFlight(tx, flightId, actor),
      beforeChange(tx, flightEntity, flightId),
    ]);
    if (flight.status === "approved" || flight.status === "reversed") {
      throw conflict(
        "wrong_status",
        `The flight is ${flight.status} and can't be edited. Reverse an approved flight to correct it.`,
        { status: flight.status, allowed: ["draft", "submitted", "rejected"] },
      );
    }
    const edited = { ...flight, crew: asEntered(flight), ...change };
    const isSubmitted = flight.status === "submitted";
    const checked = await (isSubmitted ? checkSubmission(tx, edited, flight) : checkDraft(tx, edited, flight));
    const revision = isSubmitted ? flight.revision + 1 : flight.revision;
    const { crew: _, ...columns } = change;
    const changed = await changeFlight(tx, context, flightId, {
      action: "flight.edited",
      before,
      set: { ...columns, ...checked, revision },
      crew: withLandings(edited),
    });
    if (isSubmitted) {
      if (!(await maySubmit(tx, flightId, actor))) throw notCrewMember();
      await recordFlyers(tx, flightId);
    }
    return changed;
  });
}
