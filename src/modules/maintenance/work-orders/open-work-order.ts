import { userIdOf } from "../../../core/actor.ts";
import { type AircraftId, type MaintenanceItemId, newIdAt, type WorkOrderId } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { emitAlert } from "../../fleet/emit-alert.ts";
import { coverItems, namesOfItems } from "./cover-items.ts";
import { nextOrderNumber } from "./order-number.ts";
import { recordHours, totalOf } from "./work-hours.ts";
import { workOrderEntity } from "./work-orders.queries.ts";
import type { NewWorkOrder } from "./work-orders.schemas.ts";

interface Content extends Partial<Omit<NewWorkOrder, "aircraft_id" | "title" | "item_ids">> {
  aircraft_id: AircraftId;
  title: string;
  item_ids?: readonly MaintenanceItemId[];
}

/** Opens a work order and emits `work_order_opened`. @throws VALIDATION_ERROR the aircraft has no such item; see `totalOf` and `recordHours` */
export async function openWorkOrder(
  tx: Tx<"tenant">,
  by: By,
  { item_ids = [], parts = [], hours = [], worked_minutes: entered = 0, ...content }: Content,
): Promise<WorkOrderId> {
  const { aircraft_id, title } = content;
  const names = await namesOfItems(tx, aircraft_id, item_ids);
  const id: WorkOrderId = newIdAt(tx.now);
  const [number, worked_minutes] = [await nextOrderNumber(tx), totalOf(hours, entered || undefined) ?? 0];
  const stamps = { opened_by: userIdOf(by.actor), created_at: tx.now, updated_at: tx.now };
  await addRow(tx, by, workOrderEntity, {
    action: "work_order.opened",
    row: { id, number, ...content, parts, worked_minutes, status: "open" as const, ...stamps },
    async also() {
      await coverItems(tx, id, names);
      await recordHours(tx, id, hours);
    },
  });
  await emitAlert(tx, aircraft_id, { alert: "work_order_opened", work_order: { id, title, status: "open" } });
  return id;
}
