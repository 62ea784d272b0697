/** Tenant database: replays of many events, worked off piece by piece. */
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
    /** Of the events, `since` inclusive and `until` exclusive; never later than the replay itself. */
    since: text().$type<Instant>().notNull(),
    until: text().$type<Instant>().notNull(),
    type: text(),
    endpoint_id: text().$type<EndpointId>(),
    only: text({ enum: replayKinds }).notNull(),
    status: text({ enum: replayStatuses }).notNull(),
    /** The last event that was looked at, in the order of ids, and when it occurred; null before the first. */
    position: text().$type<EventId>(),
    position_at: text().$type<Instant>(),
    /** When the first of the events occurred; null when there is none. */
    begins_at: text().$type<Instant>(),
    considered: integer().notNull(),
    queued: integer().notNull(),
    created_by: text().$type<UserId>().notNull(),
    created_at: text().$type<Instant>().notNull(),
    finished_at: text().$type<Instant>(),
  },
  // Both finds the one that is running and keeps it the only one.
  (table) => [uniqueIndex("replays_running").on(table.status).where(sql`${table.status} = 'running'`)],
);
