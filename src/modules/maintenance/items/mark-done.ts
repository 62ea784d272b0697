import { authorize } from "../../../core/actor.ts";
import { toLegalDate } from "../../../core/dates.ts";
import type { MaintenanceItemId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { today } from "../../../storage/today.ts";
import { requireAircraft } from "../../fleet/fleet.queries.ts";
import { assessAircraft } from "../assessment/assess-aircraft.ts";
import { entered, requireRecorded } from "../readings/entered.ts";
import { itemEntity } from "./items.queries.ts";
import type { Done } from "./items.schemas.ts";
import type { Item } from "./items.shapes.ts";
import { givenIn, names } from "./last-done.ts";
import { recordDone } from "./record-done.ts";

type Input = Done & { itemId: MaintenanceItemId };

/**
 * Records that an item was done without a work order. The next interval counts from that date and from these readings.
 *
 * @throws NOT_FOUND; VALIDATION_ERROR the date is in the future or before the aircraft's records, or a reading does not fit
 */
export async function markDone(
  context: TenantContext,
  { itemId, last_done_by, last_done_note = null, ...done }: Input,
): Promise<JsonOf<Item>> {
  authorize(context.actor, "maintenance:manage");
  return context.tenant.write(async (tx) => {
    const { aircraft_id } = await itemEntity.row(tx, { itemId });
    const aircraft = await requireAircraft(tx, aircraft_id);
    const on = done.last_done_on ?? toLegalDate(await today(tx, tx.now));
    const stated = await entered(tx, aircraft, { on, given: givenIn(done), now: tx.now, names });
    await requireRecorded(tx, aircraft, { done: stated, path: "last_done_on" });
    await recordDone(tx, context, aircraft, { id: itemId, done: stated, by: last_done_by, note: last_done_note });
    await assessAircraft(tx, context, aircraft_id);
    return itemEntity.read(tx, itemId);
  });
}
