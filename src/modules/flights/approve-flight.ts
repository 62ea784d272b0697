import { authorize } from "../../core/actor.ts";
import { allInOrder } from "../../core/async.ts";
import { conflict, forbidden, invalid, wrongStatus } from "../../core/errors.ts";
import type { FlightId, UserId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { emit, outboxIn } from "../../events/emit.ts";
import { currencyOf } from "../../identity/currency.queries.ts";
import { type Approver, membersWho } from "../../identity/memberships.queries.ts";
import type { InOrganization } from "../../storage/context.ts";
import { beforeChange } from "../../storage/entity.ts";
import { prepare } from "../../storage/occasions.ts";
import { advanceCounters } from "../fleet/advance-counters.ts";
import { requireAircraft } from "../fleet/fleet.queries.ts";
import { accountOf, isSame } from "../people/identity.queries.ts";
import { acknowledged } from "./acknowledge.ts";
import { changeFlight } from "./change-flight.ts";
import { counterDifferences } from "./flight-rules.ts";
import { flightApproved, flightData } from "./flights.events.ts";
import { afterApproval, flightMoved, flightPosted } from "./flights.occasions.ts";
import { type Flyer, flightEntity, flyersOf, requireFlight } from "./flights.queries.ts";
import type { Approval } from "./flights.schemas.ts";
import type { Flight } from "./flights.shapes.ts";
import { clearanceOf, refuseOverlap } from "./submission.ts";

/**
 * Without a revision, the current one is approved. A reason is required to approve one's own flight. A member on board may do
 * so if all members who could approve it are on board. A member who was named in an earlier revision may do so if all of them
 * were named.
 */
type FlightApproval = { flightId: FlightId } & Approval;

/**
 * Approves a submitted flight and posts it exactly once: the same transaction advances the aircraft's counters and assesses its
 * maintenance, completes its session, and raises its charges.
 *
 * @param charges whether flights are charged: not if the operator disabled `finance`
 * @throws NOT_FOUND; CONFLICT it is not `submitted`, has another revision, or overlaps another; FORBIDDEN the approver flew it and another
 *   member must approve it; VALIDATION_ERROR no other member could approve it, but the reason is missing
 * @throws CONFLICT, FORBIDDEN it does not meet a rule that blocks (`acknowledged`)
 */
export async function approveFlight(
  context: InOrganization,
  { flightId, revision, reason, acknowledge = [] }: FlightApproval,
  charges: boolean,
): Promise<JsonOf<Flight>> {
  const { actor, tenant, control } = context;
  authorize(actor, "flights:approve");
  const [approvers, currency] = await Promise.all([
    control.read((reader) => membersWho(reader, actor.orgId, "flights:approve")),
    charges ? currencyOf(context) : undefined,
  ]);
  return tenant.write(async (tx) => {
    const [flight, before, flyers, announceMoved] = await Promise.all([
      requireFlight(tx, flightId, actor),
      beforeChange(tx, flightEntity, flightId),
      flyersOf(tx, flightId),
      prepare(tx, flightMoved, { id: flightId }),
      outboxIn(tx),
    ]);
    if (flight.status !== "submitted") throw wrongStatus("flight", flight.status, "submitted");
    if (revision !== undefined && revision !== flight.revision) {
      throw conflict(
        "revision_changed",
        `The flight has changed: it is at revision ${flight.revision}. Read it again, then retry.`,
        { revision: flight.revision },
      );
    }
    // The actor may have lost the permission since the gate read it.
    const { named, onBoard } = flyersAmong([...approvers, accountOf(actor)], flyers);
    const isOwn = named.has(actor.userId);
    // A member on board leaves the approval to every member who is not, even if that member was named and removed again.
    const excluded = onBoard.has(actor.userId) ? onBoard : named;
    if (isOwn && approvers.some(({ user_id }) => !excluded.has(user_id)))
      throw forbidden("own_flight", "You were named in the crew of this flight. Another member must approve it.");
    if (isOwn && reason === undefined) {
      const message =
        "You were named in the crew of this flight and no other member can approve it. Give a reason for approving it yourself.";
      throw invalid({ path: "reason", code: "required", message });
    }
    const [, found, aircraft, announcePosted, announceApproval] = await allInOrder([
      // Its submission is refused, but flights of earlier versions may overlap.
      refuseOverlap(tx, flight),
      clearanceOf(tx, flight),
      requireAircraft(tx, flight.aircraft_id),
      prepare(tx, flightPosted, { flight, by: context }),
      prepare(tx, afterApproval, { flight, by: context, currency }),
    ]);
    const findings = acknowledged(actor, found, acknowledge);
    const figures = counterDifferences(flight);
    const { aircraft_id } = flight;
    await advanceCounters(tx, { flight_id: flightId, aircraft_id, kind: "approval", ...figures }, aircraft);
    await announcePosted();
    const approved = await changeFlight(tx, context, flightId, {
      action: "flight.approved",
      before,
      announceMoved,
      set: {
        status: "approved",
        approved_by: actor.userId,
        approved_at: tx.now,
        findings,
        self_approval_reason: isOwn ? reason : null,
      },
    });
    await announceApproval();
    await emit(tx, flightApproved, flightData.of(flightId));
    return approved;
  });
}

interface Flyers {
  /** Named in the crew of any submitted revision. */
  named: ReadonlySet<UserId>;
  /** In the crew of the current revision. */
  onBoard: ReadonlySet<UserId>;
}

/** Returns the members who were in the crew, matched by account or e-mail address. */
function flyersAmong(members: readonly Approver[], flyers: readonly Flyer[]): Flyers {
  const among = (flyers: readonly Flyer[]) =>
    new Set(members.filter((member) => flyers.some((flyer) => isSame(member, flyer))).map(({ user_id }) => user_id));
  return { named: among(flyers), onBoard: among(flyers.filter(({ on_board }) => on_board)) };
}
