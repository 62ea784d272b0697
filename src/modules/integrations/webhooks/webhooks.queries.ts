import { and, eq, isNull, min } from "drizzle-orm";
import type { Instant } from "../../../core/clock.ts";
import { notFound } from "../../../core/errors.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { webhookEndpoints } from "../../../events/events.tables.ts";
import { descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { type WebhookEndpoint, webhookEndpoint } from "./webhooks.shapes.ts";

type TenantReader = Reader<"tenant">;

/** Rows of deleted endpoints remain for the log of their deliveries. */
const notDeleted = isNull(webhookEndpoints.deleted_at);
const existing = (id: EndpointId) => and(eq(webhookEndpoints.id, id), notDeleted);

/** Returns the endpoint as the API shows it. @throws NOT_FOUND */
export const findEndpoint = (reader: TenantReader, id: EndpointId): Promise<WebhookEndpoint> =>
  resource(reader, webhookEndpoint, { from: webhookEndpoints, where: existing(id) });

export const endpointEntity = { kind: "webhook_endpoint", table: webhookEndpoints, read: findEndpoint };

/** Returns the endpoint's row, with its encrypted secrets. @throws NOT_FOUND */
export async function requireEndpoint(
  reader: TenantReader,
  id: EndpointId,
): Promise<typeof webhookEndpoints.$inferSelect> {
  const [row] = await reader.select().from(webhookEndpoints).where(existing(id));
  if (row === undefined) throw notFound();
  return row;
}

/** Returns when the next previous signing secret expires, or null. */
export async function nextSecretExpiry(reader: TenantReader): Promise<Instant | null> {
  const [row] = await reader.select({ at: min(webhookEndpoints.secondary_until) }).from(webhookEndpoints);
  return row?.at ?? null;
}

export const countEndpoints = (reader: TenantReader): Promise<number> => reader.$count(webhookEndpoints, notDeleted);

const newestFirst = descending(webhookEndpoint, "id");

/** Returns JSON text, newest first: ids begin with the time of creation. */
export const listEndpoints = (reader: TenantReader, page: PageRequest) =>
  pageBody(reader, webhookEndpoint, {
    ...page,
    from: webhookEndpoints,
    where: notDeleted,
    orderBy: newestFirst,
  });
