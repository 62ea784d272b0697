import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
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

/**
 * The Windsocks that have the databases on a server open (`server/node.ts`). Times are the server's. A newer program reads this
 * table before it migrates the database, so its columns must stay.
 */
export const nodes = sqliteTable("nodes", {
  /** Made anew by each start. */
  id: text().primaryKey(),
  host: text().notNull(),
  version: text().notNull(),
  /** The numbers of migrations that its program knows. */
  control_schema: integer().notNull(),
  tenant_schema: integer().notNull(),
  /** Grows while the node lives. */
  beats: integer().notNull().default(0),
  /** The time of the last beat, in seconds since 1970. */
  seen_at: integer().notNull(),
});

/** Work that one node does at a time (`leases.ts`). A row is valid while it is held and its node lives. */
export const leases = sqliteTable("leases", {
  name: text().primaryKey(),
  node_id: text().notNull(),
  held: integer({ mode: "boolean" }).notNull(),
  /** The scheduled time of the last run of a job: another node whose clock is behind does not run it again. */
  tick: text().$type<Instant>(),
});

/** Nodes with writes to a tenant that they have not settled: each stores what the tenant's marks then are (`server/`). */
export const tenantActivity = sqliteTable(
  "tenant_activity",
  { org_id: text().$type<OrgId>().notNull(), node_id: text().notNull() },
  (table) => [primaryKey({ columns: [table.org_id, table.node_id] }), index("tenant_activity_node").on(table.node_id)],
);

/** Attempts to sign in and the like, which the nodes of a server count together (`../core/rate-buckets.ts`). */
export const rateBuckets = sqliteTable(
  "rate_buckets",
  {
    /** A keyed hash: the text has addresses. */
    id: text().primaryKey(),
    /** How full it was at `at`, in attempts. */
    level: real().notNull(),
    /** Milliseconds since 1970. */
    at: integer().notNull(),
    /** When it is empty, and the row of no use. */
    empty_at: integer().notNull(),
    /** Whether the last attempt was allowed. */
    allowed: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [index("rate_buckets_empty_at").on(table.empty_at)],
);

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
    /** On a server, the number of writes that the marks know of (`writes` of `meta`): older ones are not stored over them. */
    writes: integer().notNull().default(0),
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
