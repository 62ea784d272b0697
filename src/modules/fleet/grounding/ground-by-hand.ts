import { authorize } from "../../../core/actor.ts";
import { conflict } from "../../../core/errors.ts";
import type { AircraftId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { findAircraft, requireAircraft } from "../fleet.queries.ts";
import type { Aircraft } from "../fleet.shapes.ts";
import { ground } from "./ground.ts";

interface Input {
  aircraftId: AircraftId;
  reason: string;
}

/** Grounds an aircraft until a member lifts the reason. @throws NOT_FOUND; CONFLICT it is archived */
export async function groundByHand(context: TenantContext, { aircraftId, reason }: Input): Promise<JsonOf<Aircraft>> {
  authorize(context.actor, "aircraft:manage");
  return context.tenant.write(async (tx) => {
    const { status } = await requireAircraft(tx, aircraftId);
    if (status === "archived") throw conflict("aircraft_archived", "The aircraft is archived.");
    await ground(tx, context, { aircraft_id: aircraftId, kind: "by_hand", subject_id: null, note: reason });
    return findAircraft(tx, aircraftId);
  });
}
