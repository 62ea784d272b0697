import type { MaintenanceItemId } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import type { Done } from "../readings/readings.ts";
import { itemEntity } from "./items.queries.ts";
import { columnsOf } from "./last-done.ts";

interface DoneBy {
  id: MaintenanceItemId;
  done: Done;
  by: string;
  note: string | null;
}

/** Stores when an item was done, and by whom. The caller has checked that, and assesses the aircraft afterwards. */
export async function recordDone(
  tx: Tx<"tenant">,
  actor: By,
  aircraft: AircraftRow,
  { id, done, by, note }: DoneBy,
): Promise<void> {
  const set = { ...(await columnsOf(tx, aircraft, done)), last_done_by: by, last_done_note: note, updated_at: tx.now };
  await changeRow(tx, actor, itemEntity, { id, action: "maintenance_item.done", set });
}
