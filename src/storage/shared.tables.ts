/** Tables that the control database and every tenant have. */
import { desc, sql } from "drizzle-orm";
import { index, integer, primaryKey, type SQLiteColumn, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { Permission } from "../core/permissions.ts";

/** Of the audit log. */
export const auditColumns = {
  seq: integer().primaryKey(),
  at: text().$type<Instant>().notNull(),
  actor_kind: text().notNull(),
  actor_id: text(),
  action: text().notNull(),
  subject_kind: text().notNull(),
  subject_id: text().notNull(),
  /** In the control database, the organization that it concerns, if any. Null in a tenant. */
  org_id: text().$type<OrgId>(),
  request_id: text().notNull(),
  /** JSON `{by, before, after}`. An erasure sets it to null, or replaces a name in it: the chain stays valid (`audit.ts`). */
  payload: text(),
  salt: text().notNull(),
  digest: text().notNull(),
  hash: text().notNull(),
};

type AuditColumns = Record<"subject_id" | "seq" | "action" | "subject_kind" | "org_id", SQLiteColumn>;

/** One for each filter, in the order of the list. An action says of what kind its subjects are, so both together need none. */
export const auditIndexes = (table: AuditColumns) => [
  index("audit_log_subject").on(table.subject_id, table.seq),
  index("audit_log_action").on(table.action, table.seq).where(sql`${table.org_id} is null`),
  index("audit_log_kind").on(table.subject_kind, table.seq).where(sql`${table.org_id} is null`),
];

/** One row for each change, in a hash chain (`audit.ts`). In the control database it has more indexes. */
export const auditLog = sqliteTable("audit_log", auditColumns, auditIndexes);

/** Changes of this database that are not yet applied to the other (`intents.ts`). */
export const intents = sqliteTable(
  "intents",
  {
    id: text().primaryKey(),
    kind: text().notNull(),
    /** The organization whose tenant is the source or the target. */
    org_id: text().$type<OrgId>().notNull(),
    payload: text().notNull(),
    created_at: text().$type<Instant>().notNull(),
  },
  // With the rowid, in whose order they are applied.
  (table) => [index("intents_org").on(table.org_id)],
);

/** Intents of the other database that were applied here. They are not applied again. */
export const appliedIntents = sqliteTable("applied_intents", {
  id: text().primaryKey(),
  applied_at: text().$type<Instant>().notNull(),
});

/**
 * The words by which records are found (`search-words.ts`). A table with an index, not FTS5: its rows are overwritten when they are
 * deleted (`secure_delete`), and its schema is generated like that of every other table.
 */
export const searchWords = sqliteTable(
  "search_words",
  {
    /** The kind of the records; of members with their organization. */
    list: text().notNull(),
    record: text().notNull(),
    /** See `../core/words.ts`. */
    word: text().notNull(),
    /** Of a record that is archived or done: it is found after the others. */
    past: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [
    // The record first: comparing two keys ends there, since nearly all are of different records.
    primaryKey({ columns: [table.record, table.list, table.word] }),
    // In the order of the matches: of those with one word, the newest record first.
    index("search_words_word").on(table.list, table.past, table.word, desc(table.record)),
  ],
);

/** Requests with an `Idempotency-Key` that were carried out in this database (`used-keys.ts`). */
export const usedKeys = sqliteTable(
  "used_keys",
  {
    /** SHA-256 of the caller, the route with its ids, and the key. */
    id: text().primaryKey(),
    /** A keyed hash of the body, which detects a key that is reused for another request. */
    body_hash: text().notNull(),
    used_at: text().$type<Instant>().notNull(),
    /** The response. Null if it has a secret or a crash came before it was stored. */
    status: integer(),
    answer: text(),
    /** The permissions that the request used, stored with its response. */
    permissions: text({ mode: "json" }).$type<readonly Permission[]>(),
    /** The response's `Location`, if it has one. */
    location: text(),
  },
  (table) => [index("used_keys_used_at").on(table.used_at)],
);
