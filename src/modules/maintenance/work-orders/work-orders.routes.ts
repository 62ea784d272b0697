import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { changeWorkOrder } from "./change-work-order.ts";
import { completeWorkOrder } from "./complete-work-order.ts";
import { createWorkOrder } from "./create-work-order.ts";
import { listWorkOrders, workOrderEntity } from "./work-orders.queries.ts";
import { NewWorkOrder, Release, WorkOrderChange, WorkOrderListQuery } from "./work-orders.schemas.ts";
import { reopenWorkOrder, startWorkOrder } from "./work-orders.verbs.ts";

/** `/orgs/{orgId}/maintenance/work-orders` */
export const workOrderRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Maintenance",
    names: ["a work order", "work orders"],
    path: "maintenance/work-orders",
    item: "/:workOrderId",
    entity: workOrderEntity,
    reads: "maintenance:read",
    writes: "maintenance:manage",
    list: { description: "Newest first.", query: WorkOrderListQuery, read: listWorkOrders },
    add: {
      description: "Opens a work order for an aircraft. Emits `maintenance.alert`.",
      body: NewWorkOrder,
      verb: createWorkOrder,
      refuses: ["aircraft_archived"],
    },
    change: {
      description: "Changes the given fields; null clears a field. 409: it is done.",
      body: WorkOrderChange,
      verb: changeWorkOrder,
      refuses: ["wrong_status"],
    },
    actions: {
      start: {
        summary: "Start a work order",
        description: "From `open` to `in_progress`.",
        verb: startWorkOrder,
        refuses: ["wrong_status"],
      },
      reopen: {
        summary: "Reopen a work order",
        description: "From `in_progress` back to `open`.",
        verb: reopenWorkOrder,
        refuses: ["wrong_status"],
      },
      complete: {
        summary: "Complete a work order",
        description:
          "Releases the aircraft to service: its items are done, its defects are rectified, and what they grounded is lifted. It names its approval, the maintenance data and who certifies it. A pilot-owner releases no critical item, and no aircraft of more than 2,730 kg (ML.A.803). 409: it is not `in_progress`, has neither items nor findings, a pilot-owner may not release it, or the person is archived.",
        body: Release,
        verb: completeWorkOrder,
        refuses: ["wrong_status", "nothing_done", "pilot_owner_may_not", "person_archived"],
      },
    },
  });
