import { and, eq, isNull } from "drizzle-orm";
import { notFound } from "../../../core/errors.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { webhookEndpoints } from "../../../events/events.tables.ts";
import { descending, type PageRequest, pageText } from "../../../storage/page.ts";
import { resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { type WebhookEndpoint, webhookEndpoint } from "./webhooks.shapes.ts";

type TenantReader = Reader<"tenant">;

/** Deleted ones are kept for the log of their deliveries alone. */
const notDeleted = isNull(webhookEndpoints.deleted_at);
const there = (id: EndpointId) => and(eq(webhookEndpoints.id, id), notDeleted);

/** The endpoint as it is shown. @throws NOT_FOUND */
export const findEndpoint = (reader: TenantReader, id: EndpointId): Promise<WebhookEndpoint> =>
  resource(reader, webhookEndpoint, { from: webhookEndpoints, where: there(id) });

/** The endpoint's row, with its sealed secrets. @throws NOT_FOUND */
export async function requireEndpoint(
  reader: TenantReader,
  id: EndpointId,
): Promise<typeof webhookEndpoints.$inferSelect> {
  const [row] = await reader.select().from(webhookEndpoints).where(there(id));
  if (row === undefined) throw notFound();
  return row;
}

export const countEndpoints = (reader: TenantReader): Promise<number> => reader.$count(webhookEndpoints, notDeleted);

const newestFirst = descending(webhookEndpoint, "id");

/** Newest first: ids begin with their time of birth. JSON text. */
export const listEndpoints = (reader: TenantReader, page: PageRequest) =>
  pageText(reader, webhookEndpoint, {
    ...page,
    from: webhookEndpoints,
    where: notDeleted,
    orderBy: newestFirst,
  });
