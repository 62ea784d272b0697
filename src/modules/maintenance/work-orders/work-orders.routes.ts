import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { changeWorkOrder } from "./change-work-order.ts";
import { completeWorkOrder } from "./complete-work-order.ts";
import { createWorkOrder } from "./create-work-order.ts";
import { listWorkOrders, workOrderEntity } from "./work-orders.queries.ts";
import { NewWorkOrder, Release, WorkOrderChange, WorkOrderListQuery, WorkOrderRef } from "./work-orders.schemas.ts";
import { workOrder } from "./work-orders.shapes.ts";
import { reopenWorkOrder, startWorkOrder } from "./work-orders.verbs.ts";

/** `/orgs/{orgId}/maintenance/work-orders` */
export const workOrderRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Maintenance",
    names: ["a work order", "work orders"],
    path: "maintenance/work-orders",
    item: "/:workOrderId",
    entity: workOrderEntity,
    reads: ["maintenance:read"],
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
    },
  });

/** `/orgs/{orgId}/maintenance/work-orders/{workOrderId}/complete` */
export const completionRoute = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "work order completion", prefix: "/orgs/:orgId/maintenance/work-orders", tags: ["Maintenance"] })
    .use(session)
    .post(
      "/:workOrderId/complete",
      async ({ context, params, body }) => jsonData(await completeWorkOrder(context, { ...params, ...body })),
      {
        transform: requires("maintenance:manage"),
        params: WorkOrderRef,
        body: Release,
        response: responses({ 200: data(workOrder.schema) }, 400, 401, 404, "wrong_status"),
        detail: {
          summary: "Complete a work order",
          description:
            "Releases the aircraft to service: its items are done, its defects are rectified, and what they grounded is lifted. 409: it is not `in_progress`.",
        },
      },
    );
