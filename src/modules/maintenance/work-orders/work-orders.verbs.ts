import { wrongStatus } from "../../../core/errors.ts";
import { changeVerb } from "../../../storage/verbs.ts";
import { workOrderEntity } from "./work-orders.queries.ts";

/** @throws NOT_FOUND; CONFLICT it is not `open` */
export const startWorkOrder = changeVerb(workOrderEntity, {
  permission: "maintenance:manage",
  action: "started",
  async set(tx, { status }) {
    if (status !== "open") throw wrongStatus("work order", status, "open");
    return { status: "in_progress" as const, started_at: tx.now };
  },
});

/** Returns a work order to `open`. @throws NOT_FOUND; CONFLICT it is not `in_progress` */
export const reopenWorkOrder = changeVerb(workOrderEntity, {
  permission: "maintenance:manage",
  action: "reopened",
  async set(_, { status }) {
    if (status !== "in_progress") throw wrongStatus("work order", status, "in_progress");
    return { status: "open" as const, started_at: null };
  },
});
