import type { WorkOrder, WorkOrderChange } from "../../api/operations.ts";
import type { Merging, Seen } from "../../app/change.ts";
import type { Values } from "../../app/merge.ts";

/** What the parts of the screen of a work order are given. */
export interface PartProps {
  order: WorkOrder;
  canEdit: boolean;
  save: (body: WorkOrderChange | Values, seen: Seen & Merging) => Promise<void>;
}
