/** Tenant database: API keys. */
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../core/clock.ts";
import type { ApiKeyId, UserId } from "../../../core/ids.ts";

export const apiKeys = sqliteTable("api_keys", {
  id: text().$type<ApiKeyId>().primaryKey(),
  name: text().notNull(),
  scopes: text({ mode: "json" }).$type<string[]>().notNull(),
  /** CIDR networks from which the key can be used; null: from any address. */
  allowed_networks: text({ mode: "json" }).$type<string[]>(),
  /** SHA-256 of the whole token. */
  token_hash: text().notNull().unique(),
  /** The first characters of the token, which identify it in lists. */
  hint: text().notNull(),
  /** SHA-256 of the token before the last rotation, and until when it is valid. Each use of the token checks this. */
  previous_hash: text().unique(),
  previous_until: text().$type<Instant>(),
  created_by: text().$type<UserId>().notNull(),
  created_at: text().$type<Instant>().notNull(),
  expires_at: text().$type<Instant>(),
  revoked_at: text().$type<Instant>(),
  /** Written at most once a minute, see `api-key-uses.ts`. */
  last_used_at: text().$type<Instant>(),
  last_used_address: text(),
});
