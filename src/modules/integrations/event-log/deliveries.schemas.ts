/** What the routes of deliveries take. */
import { z } from "zod";
import { deliveryStatuses } from "../../../events/events.tables.ts";
import { idOf } from "../../../http/fields.ts";
import { byCursor } from "../../../http/query.ts";

const paged = { ...byCursor, status: z.enum(deliveryStatuses).optional() };

export const EndpointDeliveriesQuery = z.object(paged);
export const EventDeliveriesQuery = z.object({ ...paged, endpoint_id: idOf<"webhook_endpoint">().optional() });
export const DeliveryRef = z.object({ orgId: idOf<"organization">(), deliveryId: idOf<"delivery">() });
