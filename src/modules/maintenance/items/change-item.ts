import { authorize } from "../../../core/actor.ts";
import type { MaintenanceItemId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { requireAircraft } from "../../fleet/fleet.queries.ts";
import { assessAircraft } from "../assessment/assess-aircraft.ts";
import { checkIntervals } from "./check-item.ts";
import { itemEntity } from "./items.queries.ts";
import type { ItemChange } from "./items.schemas.ts";
import type { Item } from "./items.shapes.ts";
import { changedLastDone } from "./last-done.ts";

interface Input {
  itemId: MaintenanceItemId;
  change: ItemChange;
}

/** Changes the given fields. Its status, and whether it grounds the aircraft, follow. @throws NOT_FOUND; VALIDATION_ERROR */
export async function changeItem(context: TenantContext, { itemId, change }: Input): Promise<JsonOf<Item>> {
  authorize(context.actor, "maintenance:manage");
  return context.tenant.write(async (tx) => {
    const row = await itemEntity.row(tx, { itemId });
    checkIntervals({ ...row, ...change });
    const lastDone = await changedLastDone(tx, await requireAircraft(tx, row.aircraft_id), { row, change });
    await changeRow(tx, context, itemEntity, {
      id: itemId,
      action: "maintenance_item.updated",
      set: { ...change, ...lastDone, updated_at: tx.now },
    });
    await assessAircraft(tx, context, row.aircraft_id);
    return itemEntity.read(tx, itemId);
  });
}
