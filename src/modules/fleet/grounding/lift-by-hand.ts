import { and, eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { conflict, notFound } from "../../../core/errors.ts";
import type { AircraftId, GroundingId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { findAircraft } from "../fleet.queries.ts";
import type { GroundingLift } from "../fleet.schemas.ts";
import type { Aircraft } from "../fleet.shapes.ts";
import { groundings } from "../fleet.tables.ts";
import { lift } from "./ground.ts";

interface Input extends GroundingLift {
  aircraftId: AircraftId;
  groundingId: GroundingId;
}

/**
 * Lifts a reason that a member gave. The aircraft is available again if it has no other reason.
 *
 * @throws NOT_FOUND; CONFLICT it is lifted already, or the aircraft is grounded by something that must be put right
 */
export async function liftByHand(
  context: TenantContext,
  { aircraftId, groundingId, note }: Input,
): Promise<JsonOf<Aircraft>> {
  authorize(context.actor, "aircraft:manage");
  return context.tenant.write(async (tx) => {
    const [reason] = await tx
      .select()
      .from(groundings)
      .where(and(eq(groundings.id, groundingId), eq(groundings.aircraft_id, aircraftId)));
    if (reason === undefined) throw notFound();
    if (reason.lifted_at !== null)
      throw conflict("wrong_status", `This reason was lifted at ${reason.lifted_at}.`, {
        status: "lifted",
      });
    if (reason.kind !== "by_hand")
      throw conflict("grounding_not_by_hand", `${causes[reason.kind]} It is lifted when that is put right.`, {
        kind: reason.kind,
      });
    await lift(tx, context, reason, note);
    return findAircraft(tx, aircraftId);
  });
}

const causes = {
  defect: "The aircraft is grounded because of a defect.",
  maintenance: "The aircraft is grounded because of a maintenance item.",
  record: "The aircraft is grounded because of an expired record.",
};
