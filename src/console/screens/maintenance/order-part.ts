import type { WorkOrder, WorkOrderChange } from "../../api/operations.ts";
import type { Save } from "../../app/change.ts";

/** What the parts of the screen of a work order are given. */
export interface PartProps {
  order: WorkOrder;
  canEdit: boolean;
  save: Save<WorkOrderChange>;
}
