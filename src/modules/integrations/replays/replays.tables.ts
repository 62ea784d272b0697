/** Tenant database: replays of many events, processed in batches. */
import { sql } from "drizzle-orm";
import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../core/clock.ts";
import type { EndpointId, EventId, ReplayId, UserId } from "../../../core/ids.ts";

export const replayStatuses = ["running", "done", "cancelled"] as const;
export const replayKinds = ["all", "failed", "undelivered"] as const;

export const replays = sqliteTable(
  "replays",
  {
    id: text().$type<ReplayId>().primaryKey(),
    /** The period by `occurred_at`: `since` is inclusive, `until` is exclusive and not later than `created_at`. */
    since: text().$type<Instant>().notNull(),
    until: text().$type<Instant>().notNull(),
    type: text(),
    endpoint_id: text().$type<EndpointId>(),
    only: text({ enum: replayKinds }).notNull(),
    status: text({ enum: replayStatuses }).notNull(),
    /** The last processed event, in the order of ids, and when it occurred; null before the first. */
    position: text().$type<EventId>(),
    position_at: text().$type<Instant>(),
    /** When the first event of the period occurred; null if there is none. */
    begins_at: text().$type<Instant>(),
    considered: integer().notNull(),
    queued: integer().notNull(),
    created_by: text().$type<UserId>().notNull(),
    created_at: text().$type<Instant>().notNull(),
    finished_at: text().$type<Instant>(),
  },
  // Finds the running replay, and allows only one.
  (table) => [uniqueIndex("replays_running").on(table.status).where(sql`${table.status} = 'running'`)],
);
