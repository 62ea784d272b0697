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
    occurredAt: text("occurred_at").$type<Instant>().notNull(),
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
    eventTypes: text("event_types", { mode: "json" }).$type<string[]>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    /** Why it is disabled: `by_hand`, `gone` (it answered 410), `failing` (nothing else for 5 days). */
    disabledReason: text("disabled_reason"),
    /** Signing secrets, sealed under the tenant's data key. */
    primarySecret: text("primary_secret").notNull(),
    secondarySecret: text("secondary_secret"),
    /** Until when the secondary secret signs as well; looked at when signing. */
    secondaryUntil: text("secondary_until").$type<Instant>(),
    /** Headers sent with each delivery: their names, and a JSON object of them, sealed as the secrets are. */
    headerNames: text("header_names", { mode: "json" }).$type<string[]>(),
    headers: text(),
    /** When the first attempt failed that nothing but failures has followed; null after a success. */
    failingSince: text("failing_since").$type<Instant>(),
    lastFailureAt: text("last_failure_at").$type<Instant>(),
    lastFailureClass: text("last_failure_class"),
    createdBy: text("created_by").$type<UserId>().notNull(),
    createdAt: text("created_at").$type<Instant>().notNull(),
    updatedAt: text("updated_at").$type<Instant>().notNull(),
    /** Kept, so that the log of its deliveries stays readable. */
    deletedAt: text("deleted_at").$type<Instant>(),
  },
  (table) => [index("webhook_endpoints_kept").on(table.id).where(sql`${table.deletedAt} is null`)],
);

export const deliveryStatuses = ["pending", "delivering", "succeeded", "failed", "cancelled"] as const;

export const deliveries = sqliteTable(
  "deliveries",
  {
    /** The UUID that receivers deduplicate on; the same for every attempt. */
    id: text().$type<DeliveryId>().primaryKey(),
    eventId: text("event_id")
      .$type<EventId>()
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    endpointId: text("endpoint_id")
      .$type<EndpointId>()
      .notNull()
      .references(() => webhookEndpoints.id),
    status: text({ enum: deliveryStatuses }).notNull(),
    /** Attempts that have ended. */
    attempts: integer().notNull(),
    /** When the attempt that comes next, or is under way, was due; null once the delivery has ended. */
    dueAt: text("due_at").$type<Instant>(),
    /** While delivering: who has it and until when. A result counts only with the token it was claimed with. */
    leaseToken: text("lease_token"),
    leaseUntil: text("lease_until").$type<Instant>(),
    createdAt: text("created_at").$type<Instant>().notNull(),
    finishedAt: text("finished_at").$type<Instant>(),
  },
  (table) => [
    // One endpoint's turn, and the moment when anything at all is due.
    index("deliveries_turn").on(table.endpointId, table.dueAt, table.id).where(sql`${table.status} = 'pending'`),
    index("deliveries_due").on(table.dueAt).where(sql`${table.status} = 'pending'`),
    index("deliveries_leased").on(table.leaseUntil).where(sql`${table.status} = 'delivering'`),
    index("deliveries_event").on(table.eventId, table.id),
    index("deliveries_endpoint").on(table.endpointId, table.id),
    // Written once, when a delivery ends; what has not is few or in the indexes above.
    index("deliveries_ended").on(table.endpointId, table.status, table.id).where(sql`${table.finishedAt} is not null`),
  ],
);

/** The planner takes a partial index only if the statement spells its condition out; a parameter will not do. */
export const isPending = sql`${deliveries.status} = 'pending'`;
export const isDelivering = sql`${deliveries.status} = 'delivering'`;

/** One row for each attempt that has ended. */
export const deliveryAttempts = sqliteTable(
  "delivery_attempts",
  {
    deliveryId: text("delivery_id")
      .$type<DeliveryId>()
      .notNull()
      .references(() => deliveries.id, { onDelete: "cascade" }),
    /** From 1. */
    number: integer().notNull(),
    startedAt: text("started_at").$type<Instant>().notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** Of the answer; null when there was none. */
    statusCode: integer("status_code"),
    /** What went wrong, for programs: `timeout`, `dns`, `refused_address`, `connect`, `tls`, `redirect`, `status`, … */
    errorClass: text("error_class"),
    /** JSON object; and the first 16 KiB of the body. Null where they are not kept. */
    responseHeaders: text("response_headers"),
    responseBody: text("response_body"),
    /** JSON object of what was sent, values of the endpoint's own headers masked; null when nothing was. */
    requestHeaders: text("request_headers"),
  },
  (table) => [primaryKey({ columns: [table.deliveryId, table.number] })],
);
