/** Tables that the control database and every tenant have alike. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { OrgId, UserId } from "../core/ids.ts";

/** Every write, chained row to row (`audit.ts`). */
export const auditLog = sqliteTable(
  "audit_log",
  {
    seq: integer().primaryKey(),
    at: text().$type<Instant>().notNull(),
    actor_kind: text().notNull(),
    actor_id: text(),
    action: text().notNull(),
    subject_kind: text().notNull(),
    subject_id: text().notNull(),
    /** In the control database, the organization it concerns, if it concerns one. A tenant's log is all of one. */
    org_id: text().$type<OrgId>(),
    request_id: text().notNull(),
    /** JSON `{by, before, after}`; emptied when a person's data is erased, which leaves the digest and the chain whole. */
    payload: text(),
    salt: text().notNull(),
    digest: text().notNull(),
    hash: text().notNull(),
  },
  (table) => [
    index("audit_log_subject").on(table.subject_id, table.seq),
    // For each filter in the order of the list; of two filters, those of one organization in the control database are
    // few enough for one index.
    index("audit_log_action").on(table.action, table.seq).where(sql`${table.org_id} is null`),
    index("audit_log_kind").on(table.subject_kind, table.seq).where(sql`${table.org_id} is null`),
    index("audit_log_kind_action").on(table.subject_kind, table.action, table.seq).where(sql`${table.org_id} is null`),
    index("audit_log_org").on(table.org_id, table.seq).where(sql`${table.org_id} is not null`),
    index("audit_log_org_action").on(table.org_id, table.action, table.seq).where(sql`${table.org_id} is not null`),
    index("audit_log_org_kind").on(table.org_id, table.subject_kind, table.seq).where(sql`${table.org_id} is not null`),
  ],
);

/** What this database has decided and the other one still has to learn (`intents.ts`). */
export const intents = sqliteTable("intents", {
  id: text().primaryKey(),
  kind: text().notNull(),
  /** Whose tenant is the other side. */
  org_id: text().$type<OrgId>().notNull(),
  payload: text().notNull(),
  created_at: text().$type<Instant>().notNull(),
});

/** Intents of the other database that were applied here: the second application is a no-op. */
export const appliedIntents = sqliteTable("applied_intents", {
  id: text().primaryKey(),
  applied_at: text().$type<Instant>().notNull(),
});

/** Requests that came with an `Idempotency-Key` and were carried out here (`used-keys.ts`). */
export const usedKeys = sqliteTable(
  "used_keys",
  {
    /** SHA-256 of who asked for what, with which key. */
    id: text().primaryKey(),
    user_id: text().$type<UserId>().notNull(),
    /** A keyed hash of the body: with another one the key is used for something else. */
    body_hash: text().notNull(),
    used_at: text().$type<Instant>().notNull(),
    /** The answer, unless it carries a secret or a crash came before it. */
    status: integer(),
    answer: text(),
  },
  (table) => [index("used_keys_used_at").on(table.used_at)],
);
