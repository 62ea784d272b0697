/** What the routes of deliveries take. */
import { z } from "zod";
import type { DeliveryId } from "../../../core/ids.ts";
import { isId } from "../../../core/ids.ts";
import { deliveryStatuses } from "../../../events/events.tables.ts";
import { idOf } from "../../../http/fields.ts";
import { integerQuery } from "../../../http/query.ts";
import { cursorQuery } from "./cursor.ts";

const isDeliveryId = (text: string): text is DeliveryId => isId<"delivery">(text);
const example = idOf<"delivery">().parse("01890a5d-ac96-774b-bcce-b302099a8057");

const paged = {
  status: z.enum(deliveryStatuses).optional(),
  limit: integerQuery(1, 500, 100, "How many to return at most."),
  cursor: cursorQuery(isDeliveryId, example).optional(),
};

export const EndpointDeliveriesQuery = z.object(paged);
export const EventDeliveriesQuery = z.object({ ...paged, endpoint_id: idOf<"webhook_endpoint">().optional() });
export const DeliveryRef = z.object({ orgId: idOf<"organization">(), deliveryId: idOf<"delivery">() });
