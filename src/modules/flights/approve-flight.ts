import { authorize } from "../../core/actor.ts";
import { conflict, forbidden, invalid, wrongStatus } from "../../core/errors.ts";
import type { FlightId, UserId } from "../../core/ids.ts";
import type { JsonOf } from "../../core/json-of.ts";
import { emit } from "../../events/emit.ts";
import { currencyOf } from "../../identity/currency.queries.ts";
import { type Approver, membersWho } from "../../identity/memberships.queries.ts";
import type { InOrganization } from "../../storage/context.ts";
import { announce } from "../../storage/occasions.ts";
import type { Tx } from "../../storage/store.ts";
import { advanceCounters } from "../fleet/advance-counters.ts";
import { accountOf, isSame } from "../people/identity.queries.ts";
import { acknowledged } from "./acknowledge.ts";
import { changeFlight } from "./change-flight.ts";
import { counterDifferences } from "./flight-rules.ts";
import { flightApproved, flightData } from "./flights.events.ts";
import { afterApproval, flightPosted } from "./flights.occasions.ts";
import { type Flyer, flyersOf, requireFlight } from "./flights.queries.ts";
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
    const flight = await requireFlight(tx, flightId, actor);
    if (flight.status !== "submitted") throw wrongStatus("flight", flight.status, "submitted");
    if (revision !== undefined && revision !== flight.revision) {
      throw conflict(
        "revision_changed",
        `The flight has changed: it is at revision ${flight.revision}. Read it again, then retry.`,
        { revision: flight.revision },
      );
    }
    // The actor may have lost the permission since the gate read it.
    const { named, onBoard } = await flyersAmong(tx, flightId, [...approvers, accountOf(actor)]);
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
    // Its submission is refused, but flights of earlier versions may overlap.
    await refuseOverlap(tx, flight);
    const findings = acknowledged(actor, await clearanceOf(tx, flight), acknowledge);
    await advanceCounters(tx, {
      flight_id: flightId,
      aircraft_id: flight.aircraft_id,
      kind: "approval",
      ...counterDifferences(flight),
    });
    await announce(tx, flightPosted, { flight, by: context });
    const approved = await changeFlight(tx, context, flightId, {
      action: "flight.approved",
      set: {
        status: "approved",
        approved_by: actor.userId,
        approved_at: tx.now,
        findings,
        self_approval_reason: isOwn ? reason : null,
      },
    });
    await announce(tx, afterApproval, { flight, by: context, currency });
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
async function flyersAmong(reader: Tx<"tenant">, flightId: FlightId, members: readonly Approver[]): Promise<Flyers> {
  const flyers = await flyersOf(reader, flightId);
  const among = (flyers: readonly Flyer[]) =>
    new Set(members.filter((member) => flyers.some((flyer) => isSame(member, flyer))).map(({ user_id }) => user_id));
  return { named: among(flyers), onBoard: among(flyers.filter(({ on_board }) => on_board)) };
}
