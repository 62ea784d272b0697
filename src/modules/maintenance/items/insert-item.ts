import { type MaintenanceItemId, newIdAt } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import { checkIntervals } from "./check-item.ts";
import { itemEntity } from "./items.queries.ts";
import type { NewItem } from "./items.schemas.ts";
import { givenIn, known, statedLastDone } from "./last-done.ts";

/** Inserts an item as if it were not due. The caller assesses the aircraft afterwards. @throws VALIDATION_ERROR */
export async function insertItem(
  tx: Tx<"tenant">,
  by: By,
  aircraft: AircraftRow,
  input: NewItem,
): Promise<MaintenanceItemId> {
  checkIntervals(input);
  const lastDone = await statedLastDone(tx, aircraft, { on: input.last_done_on, given: known(givenIn(input)) });
  const id: MaintenanceItemId = newIdAt(tx.now);
  const stamps = { created_at: tx.now, updated_at: tx.now };
  await addRow(tx, by, itemEntity, {
    action: "maintenance_item.created",
    row: { id, ...input, ...lastDone, status: "ok" as const, past_tolerance: false, ...stamps },
  });
  return id;
}
