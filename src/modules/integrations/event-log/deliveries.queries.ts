import { and, eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { notFound } from "../../../core/errors.ts";
import type { DeliveryId, EndpointId, EventId } from "../../../core/ids.ts";
import { deliveries, events, isDelivering, isPending, webhookEndpoints } from "../../../events/events.tables.ts";
import { descending, pageText } from "../../../storage/page.ts";
import { resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import type { EndpointDeliveriesQuery, EventDeliveriesQuery } from "./deliveries.schemas.ts";
import { delivery, type LoggedDelivery, loggedDelivery } from "./deliveries.shapes.ts";

type TenantReader = Reader<"tenant">;
type Status = (typeof deliveries.$inferSelect)["status"];

/** The deliveries of an event, newest first. JSON text. @throws NOT_FOUND */
export async function listEventDeliveries(
  reader: TenantReader,
  eventId: EventId,
  { status, endpoint_id, limit, cursor }: z.infer<typeof EventDeliveriesQuery>,
): Promise<string> {
  if ((await reader.$count(events, eq(events.id, eventId))) === 0) throw notFound();
  const where = and(
    // Not by the endpoint's index: its deliveries are more than the event's.
    endpoint_id && sql`+${deliveries.endpoint_id} = ${endpoint_id}`,
    eq(deliveries.event_id, eventId),
    status && eq(deliveries.status, status),
  );
  return pageText(reader, delivery, { from: deliveries, orderBy: newestFirst, where, limit, cursor });
}

/** The deliveries to an endpoint, newest first, those to a deleted one too. JSON text. @throws NOT_FOUND */
export async function listEndpointDeliveries(
  reader: TenantReader,
  endpointId: EndpointId,
  { status, limit, cursor }: z.infer<typeof EndpointDeliveriesQuery>,
): Promise<string> {
  if ((await reader.$count(webhookEndpoints, eq(webhookEndpoints.id, endpointId))) === 0) throw notFound();
  const where = status === undefined ? eq(deliveries.endpoint_id, endpointId) : inStatus(endpointId, status);
  return pageText(reader, delivery, { from: deliveries, orderBy: newestFirst, where, limit, cursor });
}

/** The delivery with its attempts. @throws NOT_FOUND */
export const findLoggedDelivery = (reader: TenantReader, id: DeliveryId): Promise<LoggedDelivery> =>
  resource(reader, loggedDelivery, { from: deliveries, where: eq(deliveries.id, id) });

const newestFirst = descending(delivery, "id");

/**
 * An endpoint's deliveries with a status, without reading its whole history. The indexes of what has not ended are in
 * another order than the list, so those deliveries are found first, all of them.
 */
function inStatus(endpointId: EndpointId, status: Status): SQL {
  const ofEndpoint = eq(deliveries.endpoint_id, endpointId);
  const among = (where: SQL) => sql`${deliveries.id} in (select ${deliveries.id} from ${deliveries} where ${where})`;
  if (status === "pending") return among(sql`${ofEndpoint} and ${isPending}`);
  // Not by the endpoint's index: what is under way is little, whoever it goes to.
  if (status === "delivering") return among(sql`+${deliveries.endpoint_id} = ${endpointId} and ${isDelivering}`);
  return sql`${ofEndpoint} and ${deliveries.status} = ${status} and ${deliveries.finished_at} is not null`;
}
