import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { Place } from "./check/messages.ts";
import { auditColumns, auditIndexes } from "./shared.tables.ts";

/** In place of that in `shared.tables.ts`: here it has the rows of all organizations. */
export const auditLog = sqliteTable("audit_log", auditColumns, (table) => [
  ...auditIndexes(table),
  index("audit_log_org").on(table.org_id, table.seq).where(sql`${table.org_id} is not null`),
  index("audit_log_org_action").on(table.org_id, table.action, table.seq).where(sql`${table.org_id} is not null`),
  index("audit_log_org_kind").on(table.org_id, table.subject_kind, table.seq).where(sql`${table.org_id} is not null`),
]);

/** One row about the installation itself. */
export const installation = sqliteTable("installation", {
  only: integer().primaryKey().default(1),
  created_at: text().$type<Instant>().notNull(),
  /** Identifies the secret that seals all data. */
  key_id: text().notNull(),
  /** The head of this database's audit log, as `tenant_marks` has it for tenants. */
  audit_seq: integer().notNull().default(0),
  audit_head: text().notNull().default(""),
  /** When the whole database was last read, see `scrubs.ts`. */
  scrubbed_at: text().$type<Instant>(),
  /** How far the present scrub is. */
  scrub_place: text({ mode: "json" }).$type<Place>(),
  /** What it found damaged. */
  scrub_damaged: integer().notNull().default(0),
});

/**
 * The namespaces of organizations on a server (`server/`). A row is written before its namespace is created, because the server
 * lists none: one that an interrupted sign-up left is found by its row.
 */
export const namespaces = sqliteTable("namespaces", {
  org_id: text().$type<OrgId>().primaryKey(),
  created_at: text().$type<Instant>().notNull(),
});

/** The Windsocks that have the databases on a server open (`server/node.ts`): one, until several may. Times are the server's. */
export const nodes = sqliteTable("nodes", {
  /** Made anew by each start. */
  id: text().primaryKey(),
  host: text().notNull(),
  version: text().notNull(),
  /** Grows while the node lives. */
  beats: integer().notNull().default(0),
  /** The time of the last beat, in seconds since 1970. */
  seen_at: integer().notNull(),
});

/** The state of each tenant file, readable without opening it. */
export const tenantMarks = sqliteTable(
  "tenant_marks",
  {
    org_id: text().$type<OrgId>().primaryKey(),
    /** Written since its last checkpoint. The next start opens this file. */
    dirty: integer({ mode: "boolean" }).notNull(),
    /** When the tenant next has due work. */
    next_wake_at: text().$type<Instant>(),
    /** The time of the last checkpoint, which stored `next_wake_at`: see `mark-set-back.ts`. Null: unknown. */
    marked_at: text().$type<Instant>(),
    /** The last audit row at the last checkpoint, and its keyed hash, which detects that rows at the end were removed. */
    audit_seq: integer().notNull().default(0),
    audit_head: text().notNull().default(""),
    /** The file of the last checkpoint, or of the last check: its size, time and inode (`check/file-note.ts`). */
    file_note: text(),
    /** The number of migrations that the file had at its last checkpoint; 0 if that is unknown. */
    schema_version: integer().notNull().default(0),
    /** When the whole database was last read, see `scrubs.ts`. */
    scrubbed_at: text().$type<Instant>(),
    /** How far the present scrub is. */
    scrub_place: text({ mode: "json" }).$type<Place>(),
    /** What it found damaged. */
    scrub_damaged: integer().notNull().default(0),
  },
  (table) => [
    index("tenant_marks_schema_version").on(table.schema_version),
    index("tenant_marks_dirty").on(table.org_id).where(sql`${table.dirty}`),
    index("tenant_marks_marked_at").on(table.marked_at),
    index("tenant_marks_next_wake_at").on(table.next_wake_at).where(sql`${table.next_wake_at} is not null`),
  ],
);
