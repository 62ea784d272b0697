import type { WorkOrderId } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { liftGrounding } from "../../fleet/grounding/ground.ts";
import { defectEntity, defectsOf } from "./defects.queries.ts";

/** Marks the defects of a completed work order as rectified, and lifts their groundings. */
export async function rectifyDefects(tx: Tx<"tenant">, by: By, workOrderId: WorkOrderId): Promise<void> {
  for (const { id, aircraft_id } of await defectsOf(tx, workOrderId)) {
    await changeRow(tx, by, defectEntity, {
      id,
      action: "defect.rectified",
      set: { status: "rectified", rectified_at: tx.now, changes_on: null, updated_at: tx.now },
    });
    await liftGrounding(tx, by, { aircraft_id, kind: "defect", subject_id: id });
  }
}
