import { authorize } from "../../core/actor.ts";
import { conflict, forbidden, invalid } from "../../core/errors.ts";
import type { FlightId, UserId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { emit } from "../../events/emit.ts";
import type { InOrganization } from "../../storage/context.ts";
import type { Tx } from "../../storage/store.ts";
import { advanceCounters } from "../fleet/advance-counters.ts";
import { type Approver, membersWho } from "../organizations/memberships.queries.ts";
import { changeFlight } from "./change-flight.ts";
import { countersMoved } from "./flight-rules.ts";
import { flightApproved, flightData } from "./flights.events.ts";
import { flyersOf, requireFlight } from "./flights.queries.ts";
import type { Flight } from "./flights.shapes.ts";

export interface FlightApproval {
  flightId: FlightId;
  /** The revision that the approver looked at; whatever is there now, when not given. */
  revision?: number | undefined;
  /** Why somebody approves a flight of their own, which they may when everybody who could approve it flew it. */
  reason?: string | undefined;
}

/**
 * Approves a submitted flight and posts it, exactly once: the aircraft's counters move on in the same transaction.
 *
 * @throws NOT_FOUND; CONFLICT it is not `submitted`, or another revision; FORBIDDEN the approver flew it, and somebody
 *   else could approve it; VALIDATION_ERROR nobody else could, but there is no reason
 */
export async function approveFlight(
  context: InOrganization,
  { flightId, revision, reason }: FlightApproval,
): Promise<JsonOf<Flight>> {
  const { actor, tenant, control } = context;
  authorize(actor, "flights:approve");
  const approvers = await control.read((reader) => membersWho(reader, actor.orgId, "flights:approve"));
  return tenant.write(async (tx) => {
    const flight = await requireFlight(tx, flightId, actor);
    if (flight.status !== "submitted") throw conflict("wrong_status", `The flight is ${flight.status}, not submitted.`);
    if (revision !== undefined && revision !== flight.revision) {
      throw conflict("revision_changed", `The flight has changed: it is at revision ${flight.revision}.`);
    }
    const flew = await whoFlew(tx, flightId, approvers);
    const isOwn = flew.has(actor.userId);
    if (isOwn && approvers.some(({ user_id: userId }) => !flew.has(userId)))
      throw forbidden("own_flight", "You flew this flight. Another member must approve it.");
    if (isOwn && reason === undefined) {
      const message = "You flew it. Since nobody else could approve it, say why you approve your own flight.";
      throw invalid({ path: "reason", code: "required", message });
    }
    await advanceCounters(tx, {
      flight_id: flightId,
      aircraft_id: flight.aircraft_id,
      kind: "approval",
      ...countersMoved(flight),
    });
    const approved = await changeFlight(tx, context, flightId, {
      action: "flight.approved",
      set: {
        status: "approved",
        approved_by: actor.userId,
        approved_at: tx.now,
        self_approval_reason: isOwn ? reason : null,
      },
    });
    await emit(tx, flightApproved, flightData(flightId));
    return approved;
  });
}

/** Those of `members` who were on board: by their account or by their e-mail address. */
async function whoFlew(reader: Tx<"tenant">, flightId: FlightId, members: readonly Approver[]): Promise<Set<UserId>> {
  const flyers = await flyersOf(reader, flightId);
  const flew = members.filter((member) =>
    flyers.some(({ user_id: userId, email }) => userId === member.user_id || email === member.email),
  );
  return new Set(flew.map(({ user_id: userId }) => userId));
}
