import { and, eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { notFound } from "../../../core/errors.ts";
import type { DeliveryId, EndpointId, EventId } from "../../../core/ids.ts";
import type { Bytes } from "../../../core/kept-body.ts";
import { deliveries, events, isDelivering, isPending, webhookEndpoints } from "../../../events/events.tables.ts";
import { descending, pageBody } from "../../../storage/page.ts";
import { resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { delivery, type LoggedDelivery, loggedDelivery } from "./deliveries.shapes.ts";
import type { EndpointDeliveriesQuery, EventDeliveriesQuery } from "./event-log.schemas.ts";

type TenantReader = Reader<"tenant">;
type Status = (typeof deliveries.$inferSelect)["status"];

/** Returns the deliveries of an event as JSON text, newest first. @throws NOT_FOUND */
export async function listEventDeliveries(
  reader: TenantReader,
  eventId: EventId,
  { status, endpoint_id, limit, cursor }: z.infer<typeof EventDeliveriesQuery>,
): Promise<Bytes> {
  if ((await reader.$count(events, eq(events.id, eventId))) === 0) throw notFound();
  const where = and(
    // `+` prevents the use of the endpoint's index: an endpoint has more deliveries than an event.
    endpoint_id && sql`+${deliveries.endpoint_id} = ${endpoint_id}`,
    eq(deliveries.event_id, eventId),
    status && eq(deliveries.status, status),
  );
  return pageBody(reader, delivery, { from: deliveries, orderBy: newestFirst, where, limit, cursor });
}

/** Returns the deliveries to an endpoint, deleted or not, as JSON text, newest first. @throws NOT_FOUND */
export async function listEndpointDeliveries(
  reader: TenantReader,
  endpointId: EndpointId,
  { status, limit, cursor }: z.infer<typeof EndpointDeliveriesQuery>,
): Promise<Bytes> {
  if ((await reader.$count(webhookEndpoints, eq(webhookEndpoints.id, endpointId))) === 0) throw notFound();
  const where = status === undefined ? eq(deliveries.endpoint_id, endpointId) : inStatus(endpointId, status);
  return pageBody(reader, delivery, { from: deliveries, orderBy: newestFirst, where, limit, cursor });
}

/** Returns the delivery with its attempts. @throws NOT_FOUND */
export const findLoggedDelivery = (reader: TenantReader, id: DeliveryId): Promise<LoggedDelivery> =>
  resource(reader, loggedDelivery, { from: deliveries, where: eq(deliveries.id, id) });

const newestFirst = descending(delivery, "id");

/**
 * Matches an endpoint's deliveries with a status, without reading its whole history. The indexes of unfinished deliveries
 * have another order than the list, so a subquery finds all of those first.
 */
function inStatus(endpointId: EndpointId, status: Status): SQL {
  const ofEndpoint = eq(deliveries.endpoint_id, endpointId);
  const among = (where: SQL) => sql`${deliveries.id} in (select ${deliveries.id} from ${deliveries} where ${where})`;
  if (status === "pending") return among(sql`${ofEndpoint} and ${isPending}`);
  // `+` prevents the use of the endpoint's index: few deliveries of all endpoints are in progress.
  if (status === "delivering") return among(sql`+${deliveries.endpoint_id} = ${endpointId} and ${isDelivering}`);
  return sql`${ofEndpoint} and ${deliveries.status} = ${status} and ${deliveries.finished_at} is not null`;
}
