/** Tenant database: what happened, who is to be told, and how telling them went. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { DeliveryId, EndpointId, EventId, UserId } from "../core/ids.ts";

export const events = sqliteTable(
  "events",
  {
    /** `evt_` and the 32 hex digits of a UUIDv7: ids sort by time. */
    id: text().$type<EventId>().primaryKey(),
    type: text().notNull(),
    occurred_at: text().$type<Instant>().notNull(),
    /** The JSON text that was current at the commit; a delivery sends these very bytes, however late. */
    data: text().notNull(),
  },
  (table) => [index("events_type").on(table.type, table.id)],
);

export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  {
    id: text().$type<EndpointId>().primaryKey(),
    url: text().notNull(),
    description: text(),
    /** Types subscribed to; at least one. */
    event_types: text({ mode: "json" }).$type<string[]>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** Why it is disabled: `by_hand`, `gone` (it answered 410), `failing` (nothing else for 5 days). */
    disabled_reason: text(),
    /** Signing secrets, sealed under the tenant's data key. */
    primary_secret: text().notNull(),
    secondary_secret: text(),
    /** Until when the secondary secret signs as well; looked at when signing. */
    secondary_until: text().$type<Instant>(),
    /** Headers sent with each delivery: their names, and a JSON object of them, sealed as the secrets are. */
    header_names: text({ mode: "json" }).$type<string[]>(),
    headers: text(),
    /** When the first attempt failed that nothing but failures has followed; null after a success. */
    failing_since: text().$type<Instant>(),
    last_failure_at: text().$type<Instant>(),
    last_failure_class: text(),
    created_by: text().$type<UserId>().notNull(),
    created_at: text().$type<Instant>().notNull(),
    updated_at: text().$type<Instant>().notNull(),
    /** Kept, so that the log of its deliveries stays readable. */
    deleted_at: text().$type<Instant>(),
  },
  (table) => [index("webhook_endpoints_kept").on(table.id).where(sql`${table.deleted_at} is null`)],
);

export const deliveryStatuses = ["pending", "delivering", "succeeded", "failed", "cancelled"] as const;

export const deliveries = sqliteTable(
  "deliveries",
  {
    /** The UUID that receivers deduplicate on; the same for every attempt. */
    id: text().$type<DeliveryId>().primaryKey(),
    event_id: text()
      .$type<EventId>()
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    endpoint_id: text()
      .$type<EndpointId>()
      .notNull()
      .references(() => webhookEndpoints.id),
    status: text({ enum: deliveryStatuses }).notNull(),
    /** Attempts that have ended. */
    attempts: integer().notNull(),
    /** When the attempt that comes next, or is under way, was due; null once the delivery has ended. */
    due_at: text().$type<Instant>(),
    /** While delivering: who has it and until when. A result counts only with the token it was claimed with. */
    lease_token: text(),
    lease_until: text().$type<Instant>(),
    created_at: text().$type<Instant>().notNull(),
    finished_at: text().$type<Instant>(),
  },
  (table) => [
    // One endpoint's turn, and the moment when anything at all is due.
    index("deliveries_turn").on(table.endpoint_id, table.due_at, table.id).where(sql`${table.status} = 'pending'`),
    index("deliveries_due").on(table.due_at).where(sql`${table.status} = 'pending'`),
    index("deliveries_leased").on(table.lease_until).where(sql`${table.status} = 'delivering'`),
    index("deliveries_event").on(table.event_id, table.id),
    index("deliveries_endpoint").on(table.endpoint_id, table.id),
    // Written once, when a delivery ends; what has not is few or in the indexes above.
    index("deliveries_ended")
      .on(table.endpoint_id, table.status, table.id)
      .where(sql`${table.finished_at} is not null`),
  ],
);

/** The planner takes a partial index only if the statement spells its condition out; a parameter will not do. */
export const isPending = sql`${deliveries.status} = 'pending'`;
export const isDelivering = sql`${deliveries.status} = 'delivering'`;

/** One row for each attempt that has ended. */
export const deliveryAttempts = sqliteTable(
  "delivery_attempts",
  {
    delivery_id: text()
      .$type<DeliveryId>()
      .notNull()
      .references(() => deliveries.id, { onDelete: "cascade" }),
    /** From 1. */
    number: integer().notNull(),
    started_at: text().$type<Instant>().notNull(),
    duration_ms: integer().notNull(),
    /** Of the answer; null when there was none. */
    status_code: integer(),
    /** What went wrong, for programs: `timeout`, `dns`, `refused_address`, `connect`, `tls`, `redirect`, `status`, … */
    error_class: text(),
    /** JSON object; and the first 16 KiB of the body. Null where they are not kept. */
    response_headers: text(),
    response_body: text(),
    /** JSON object of what was sent, values of the endpoint's own headers masked; null when nothing was. */
    request_headers: text(),
  },
  (table) => [primaryKey({ columns: [table.delivery_id, table.number] })],
);
