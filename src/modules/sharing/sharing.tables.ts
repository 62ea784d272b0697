/** Tenant database: tokens with which somebody without an account sees one thing. */
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { Id, UserId } from "../../core/ids.ts";

export type ShareTokenId = Id<"share_token">;

/** What a token gives access to. */
export const purposes = ["vtr", "calendar"] as const;
export type Purpose = (typeof purposes)[number];

export const shareTokens = sqliteTable(
  "share_tokens",
  {
    id: text().$type<ShareTokenId>().primaryKey(),
    purpose: text({ enum: purposes }).notNull(),
    /** The evidence pack, or whose calendar it is. It may be deleted already. */
    subject_id: text().$type<Id<string>>().notNull(),
    name: text().notNull(),
    /** SHA-256 of the whole token. */
    token_hash: text().notNull().unique(),
    /** Null: a job. */
    created_by: text().$type<UserId>(),
    created_at: text().$type<Instant>().notNull(),
    expires_at: text().$type<Instant>(),
    revoked_at: text().$type<Instant>(),
  },
  (table) => [index("share_tokens_subject").on(table.subject_id, table.id)],
);
