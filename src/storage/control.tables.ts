import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";

/** One row about the installation itself. */
export const installation = sqliteTable("installation", {
  only: integer().primaryKey().default(1),
  created_at: text().$type<Instant>().notNull(),
  /** Names the secret that everything here is sealed under. */
  key_id: text().notNull(),
  /** The end of this database's own audit log, as `tenant_marks` keeps it of the others. */
  audit_seq: integer().notNull().default(0),
  audit_head: text().notNull().default(""),
});

/** What the installation remembers of each tenant file without opening it. */
export const tenantMarks = sqliteTable(
  "tenant_marks",
  {
    org_id: text().$type<OrgId>().primaryKey(),
    /** Written since its last checkpoint: a start looks into this file. */
    dirty: integer({ mode: "boolean" }).notNull(),
    /** When something in it is due next. */
    next_wake_at: text().$type<Instant>(),
    /** The last audit row at the last checkpoint, and its hash under the installation's key: a cut tail shows. */
    audit_seq: integer().notNull().default(0),
    audit_head: text().notNull().default(""),
  },
  (table) => [
    index("tenant_marks_dirty").on(table.org_id).where(sql`${table.dirty}`),
    index("tenant_marks_next_wake_at").on(table.next_wake_at).where(sql`${table.next_wake_at} is not null`),
  ],
);
