import { authorize } from "../../../core/actor.ts";
import type { MaintenanceItemId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { requireAircraft } from "../../fleet/fleet.queries.ts";
import { assessAircraft } from "../assessment/assess-aircraft.ts";
import { checkLastDone } from "./check-item.ts";
import { itemEntity } from "./items.queries.ts";
import type { Done } from "./items.schemas.ts";
import type { Item } from "./items.shapes.ts";
import { doneNow, recordDone } from "./record-done.ts";

type Input = Done & { itemId: MaintenanceItemId };

/**
 * Records that an item was done without a work order. The next interval counts from that date and from these readings.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR the date is in the future, or a reading exceeds the aircraft's counter
 */
export async function markDone(context: TenantContext, { itemId, ...done }: Input): Promise<JsonOf<Item>> {
  authorize(context.actor, "maintenance:manage");
  return context.tenant.write(async (tx) => {
    const { aircraft_id } = await itemEntity.row(tx, { itemId });
    const aircraft = await requireAircraft(tx, aircraft_id);
    const set = { ...(await doneNow(tx, aircraft)), ...done };
    await checkLastDone(tx, aircraft, set);
    await recordDone(tx, context, itemId, set);
    await assessAircraft(tx, context, aircraft_id);
    return itemEntity.read(tx, itemId);
  });
}
