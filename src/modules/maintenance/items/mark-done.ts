import { authorize } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import type { MaintenanceItemId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { today } from "../../../storage/today.ts";
import { requireAircraft } from "../../fleet/fleet.queries.ts";
import { assessAircraft } from "../assessment/assess-aircraft.ts";
import { checkLastDone } from "./check-item.ts";
import { itemEntity } from "./items.queries.ts";
import type { Done } from "./items.schemas.ts";
import type { Item } from "./items.shapes.ts";

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
    const set = {
      last_done_on: toLegalDate(await today(tx, tx.now)),
      last_done_hobbs: aircraft.hobbs,
      last_done_tacho: aircraft.tacho,
      last_done_airframe_minutes: aircraft.airframe_minutes,
      last_done_landings: aircraft.landings,
      ...done,
    };
    await checkLastDone(tx, aircraft, set);
    await changeRow(tx, context, itemEntity, {
      id: itemId,
      action: "maintenance_item.done",
      set: { ...set, updated_at: tx.now },
    });
    await assessAircraft(tx, context, aircraft_id);
    return itemEntity.read(tx, itemId);
  });
}
