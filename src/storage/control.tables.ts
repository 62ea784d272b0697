import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";

/** One row about the installation itself. */
export const installation = sqliteTable("installation", {
  only: integer().primaryKey().default(1),
  createdAt: text("created_at").$type<Instant>().notNull(),
  /** Names the secret that everything here is sealed under. */
  keyId: text("key_id").notNull(),
  /** The end of this database's own audit log, as `tenant_marks` keeps it of the others. */
  auditSeq: integer("audit_seq").notNull().default(0),
  auditHead: text("audit_head").notNull().default(""),
});

/** What the installation remembers of each tenant file without opening it. */
export const tenantMarks = sqliteTable(
  "tenant_marks",
  {
    orgId: text("org_id").$type<OrgId>().primaryKey(),
    /** Written since its last checkpoint: a start looks into this file. */
    dirty: integer({ mode: "boolean" }).notNull(),
    /** When something in it is due next. */
    nextWakeAt: text("next_wake_at").$type<Instant>(),
    /** The last audit row at the last checkpoint, and its hash under the installation's key: a cut tail shows. */
    auditSeq: integer("audit_seq").notNull().default(0),
    auditHead: text("audit_head").notNull().default(""),
  },
  (table) => [
    index("tenant_marks_dirty").on(table.orgId).where(sql`${table.dirty}`),
    index("tenant_marks_next_wake_at").on(table.nextWakeAt).where(sql`${table.nextWakeAt} is not null`),
  ],
);
