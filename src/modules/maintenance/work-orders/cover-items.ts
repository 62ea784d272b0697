import { eq } from "drizzle-orm";
import { type Issue, throwIfAny } from "../../../core/errors.ts";
import type { AircraftId, MaintenanceItemId, WorkOrderId } from "../../../core/ids.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import type { Tx } from "../../../storage/store.ts";
import { itemsOf } from "../items/items.queries.ts";
import { workOrderItems } from "../maintenance.tables.ts";

/** Replaces the items that a work order covers. */
export async function coverItems(
  tx: Tx<"tenant">,
  id: WorkOrderId,
  names: ReadonlyMap<MaintenanceItemId, string>,
): Promise<void> {
  await tx.delete(workOrderItems).where(eq(workOrderItems.work_order_id, id));
  for (const [item_id, name] of names) await insertRow(tx, workOrderItems, { work_order_id: id, item_id, name });
}

/** Returns the names of the items. @throws VALIDATION_ERROR the aircraft has no such item */
export async function namesOfItems(
  tx: Tx<"tenant">,
  aircraftId: AircraftId,
  ids: readonly MaintenanceItemId[],
): Promise<ReadonlyMap<MaintenanceItemId, string>> {
  if (ids.length === 0) return new Map();
  const known = new Map((await itemsOf(tx, aircraftId)).map(({ id, name }) => [id, name]));
  const issues = ids.flatMap((id, at): Issue[] =>
    known.has(id)
      ? []
      : [{ path: `item_ids.${at}`, code: "unknown", message: "There is no such item of the aircraft." }],
  );
  throwIfAny(issues);
  return new Map(ids.map((id) => [id, known.get(id) ?? ""]));
}
