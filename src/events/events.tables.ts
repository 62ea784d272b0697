/** Tenant database: events, webhook endpoints, deliveries and their attempts. */
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { DeliveryId, EndpointId, EventId, UserId } from "../core/ids.ts";
import { stamps } from "../storage/stamps.ts";

export const events = sqliteTable(
  "events",
  {
    /** `evt_` and the 32 hex digits of a UUIDv7: ids sort by time. */
    id: text().$type<EventId>().primaryKey(),
    type: text().notNull(),
    occurred_at: text().$type<Instant>().notNull(),
    /** The JSON text at the commit. Deliveries send these bytes unchanged, however late. */
    data: text().notNull(),
    /** The `traceparent` of the request or the job that caused it. Deliveries belong to its trace. */
    traceparent: text(),
  },
  (table) => [index("events_type").on(table.type, table.id)],
);

export const webhookEndpoints = sqliteTable("webhook_endpoints", {
  id: text().$type<EndpointId>().primaryKey(),
  url: text().notNull(),
  description: text(),
  /** The subscribed types, at least one. */
  event_types: text({ mode: "json" }).$type<string[]>().notNull(),
  enabled: integer({ mode: "boolean" }).notNull(),
  /** Why it is disabled: `by_hand`, `gone` (it returned 410), `failing` (no success for 5 days). */
  disabled_reason: text(),
  /** Signing secrets, sealed under the tenant's data key. */
  primary_secret: text().notNull(),
  secondary_secret: text(),
  /** Until when the secondary secret signs as well. Checked when signing. */
  secondary_until: text().$type<Instant>(),
  /** Custom headers of each delivery: their names, and a JSON object of names and values, sealed like the secrets. */
  header_names: text({ mode: "json" }).$type<string[]>(),
  headers: text(),
  /** The end of the first failed attempt since the last success; null after a success. */
  failing_since: text().$type<Instant>(),
  last_failure_at: text().$type<Instant>(),
  last_failure_class: text(),
  created_by: text().$type<UserId>().notNull(),
  ...stamps,
  /** A deleted endpoint is kept for the log of its deliveries. */
  deleted_at: text().$type<Instant>(),
});

export const deliveryStatuses = ["pending", "delivering", "succeeded", "failed", "cancelled"] as const;

export const deliveries = sqliteTable(
  "deliveries",
  {
    /** The UUID by which receivers deduplicate; the same for every attempt. */
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
    /** Attempts that ended. */
    attempts: integer().notNull(),
    /** When the next or current attempt is due; null when the delivery has ended. */
    due_at: text().$type<Instant>(),
    /** While delivering: the token and the end of the lease. A result is recorded only with the token of its claim. */
    lease_token: text(),
    lease_until: text().$type<Instant>(),
    created_at: text().$type<Instant>().notNull(),
    finished_at: text().$type<Instant>(),
  },
  (table) => [
    // The next deliveries of one endpoint, and the next due time of all.
    index("deliveries_turn").on(table.endpoint_id, table.due_at, table.id).where(sql`${table.status} = 'pending'`),
    index("deliveries_due").on(table.due_at).where(sql`${table.status} = 'pending'`),
    index("deliveries_leased").on(table.lease_until).where(sql`${table.status} = 'delivering'`),
    index("deliveries_event").on(table.event_id, table.id),
    index("deliveries_endpoint").on(table.endpoint_id, table.id),
    // An entry is added once, when a delivery ends. The indexes above find deliveries that have not ended.
    index("deliveries_ended")
      .on(table.endpoint_id, table.status, table.id)
      .where(sql`${table.finished_at} is not null`),
  ],
);

/** SQLite uses a partial index only if the statement contains its condition as a literal, not as a parameter. */
export const isPending = sql`${deliveries.status} = 'pending'`;
export const isDelivering = sql`${deliveries.status} = 'delivering'`;

/** One row for each attempt that ended. */
export const deliveryAttempts = sqliteTable(
  "delivery_attempts",
  {
    delivery_id: text()
      .$type<DeliveryId>()
      .notNull()
      .references(() => deliveries.id, { onDelete: "cascade" }),
    /** Counted from 1. */
    number: integer().notNull(),
    started_at: text().$type<Instant>().notNull(),
    duration_ms: integer().notNull(),
    /** Status of the response; null without a response. */
    status_code: integer(),
    /** Why the attempt failed: one of `errorClasses`; null after a success. */
    error_class: text(),
    /** The headers as a JSON object, and the first 16 KiB of the body. Null if they are not kept. */
    response_headers: text(),
    response_body: text(),
    /** The headers sent as a JSON object, values of custom headers masked; null when nothing was sent. */
    request_headers: text(),
  },
  (table) => [primaryKey({ columns: [table.delivery_id, table.number] })],
);
