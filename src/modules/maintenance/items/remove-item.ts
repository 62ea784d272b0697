import { authorize } from "../../../core/actor.ts";
import { conflict } from "../../../core/errors.ts";
import type { MaintenanceItemId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { removeRow } from "../../../storage/entity.ts";
import { liftGrounding } from "../../fleet/grounding/ground.ts";
import { isInWork, itemEntity } from "./items.queries.ts";
import type { Item } from "./items.shapes.ts";

/** Removes an item, and lifts the grounding that it caused. @throws NOT_FOUND; CONFLICT it is in work */
export async function removeItem(
  context: TenantContext,
  { itemId }: { itemId: MaintenanceItemId },
): Promise<JsonOf<Item>> {
  authorize(context.actor, "maintenance:manage");
  return context.tenant.write(async (tx) => {
    const { aircraft_id } = await itemEntity.row(tx, { itemId });
    if (await isInWork(tx, itemId))
      throw conflict("item_in_work_order", "A work order that is not done covers this item.");
    const removed = await removeRow(tx, context, itemEntity, { id: itemId, action: "maintenance_item.removed" });
    await liftGrounding(tx, context, { aircraft_id, kind: "maintenance", subject_id: itemId });
    return removed;
  });
}
