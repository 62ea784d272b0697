import type { Http } from "../../../http/http.ts";
import { publicList } from "../../../http/public-list.ts";
import { publicResource } from "../../../http/public-resource.ts";
import { findPublicWorkOrder, listPublicWorkOrders } from "./work-orders.queries.ts";
import { PublicWorkOrderListQuery, PublicWorkOrderRef } from "./work-orders.schemas.ts";
import { publicWorkOrder } from "./work-orders.shapes.ts";

const scope = "public.maintenance:read";

/** `/api/v1/public/maintenance/work-orders` */
export const publicWorkOrderRoutes = (http: Http) =>
  publicList(http, {
    path: "maintenance/work-orders",
    scope,
    query: PublicWorkOrderListQuery,
    item: publicWorkOrder.schema,
    read: listPublicWorkOrders,
    summary: "List work orders",
    description:
      "Newest first, with the items that they cover and the release to service. With `updated_since`, those opened or changed since then, in the order of the changes.",
  });

/** `/api/v1/public/maintenance/work-orders/{workOrderId}` */
export const publicWorkOrderRoute = (http: Http) =>
  publicResource(http, {
    path: "maintenance/work-orders/:workOrderId",
    scope,
    ref: PublicWorkOrderRef,
    schema: publicWorkOrder.schema,
    read: findPublicWorkOrder,
    summary: "Get a work order",
    description: "With the items that it covers and the release to service.",
  });
