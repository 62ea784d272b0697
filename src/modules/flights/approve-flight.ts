import { authorize, type MemberActor } from "../../core/actor.ts";
import { conflict, forbidden, invalid } from "../../core/errors.ts";
import type { FlightId } from "../../core/ids.ts";
import type { InOrganization } from "../../storage/context.ts";
import type { Control } from "../../storage/store.ts";
import { advanceCounters } from "../fleet/advance-counters.ts";
import { membersWho } from "../organizations/memberships.queries.ts";
import { changeFlight } from "./change-flight.ts";
import { countersMoved } from "./flight-rules.ts";
import { flewOn, requireFlight } from "./flights.queries.ts";
import type { Flight } from "./flights.shapes.ts";

export interface FlightApproval {
  flightId: FlightId;
  /** The revision that the approver looked at; whatever is there now, when not given. */
  revision?: number | undefined;
  /** Why somebody approves a flight of their own; only the one member who could approve it at all may. */
  reason?: string | undefined;
}

/**
 * Approves a submitted flight and posts it, exactly once: the aircraft's counters move on in the same transaction.
 *
 * @throws NOT_FOUND; CONFLICT it is not `submitted`, or another revision; FORBIDDEN the approver flew it and is not
 *   the only one who could approve it; VALIDATION_ERROR they are, but gave no reason
 */
export async function approveFlight(
  context: InOrganization,
  { flightId, revision, reason }: FlightApproval,
): Promise<Flight> {
  const { actor, tenant, control } = context;
  authorize(actor, "flights:approve");
  const isOnlyApprover = await nobodyElseApproves(control, actor);
  return tenant.write(async (tx) => {
    const flight = await requireFlight(tx, flightId, actor);
    if (flight.status !== "submitted") throw conflict(`The flight is ${flight.status}, not submitted.`);
    if (revision !== undefined && revision !== flight.revision) {
      throw conflict(`The flight has changed: it is at revision ${flight.revision}.`);
    }
    const isOwn = await flewOn(tx, flightId, actor);
    if (isOwn && !isOnlyApprover) throw forbidden("Nobody approves a flight they flew.");
    if (isOwn && reason === undefined) {
      const message = "You flew it. As the only one who could approve it, say why you approve your own flight.";
      throw invalid({ path: "body.reason", code: "required", message });
    }
    await advanceCounters(tx, { flightId, aircraftId: flight.aircraftId, kind: "approval", ...countersMoved(flight) });
    return changeFlight(tx, context, flightId, {
      action: "flight.approved",
      columns: {
        status: "approved",
        approvedBy: actor.userId,
        approvedAt: tx.now,
        selfApprovalReason: isOwn ? reason : null,
      },
    });
  });
}

async function nobodyElseApproves(control: Control, { orgId, userId }: MemberActor): Promise<boolean> {
  const approvers = await control.read((reader) => membersWho(reader, orgId, "flights:approve"));
  return approvers.every((member) => member === userId);
}
