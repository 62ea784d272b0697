/** Tenant database: what integrators may reach. */
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { ApiKeyId, UserId } from "../../core/ids.ts";

export const apiKeys = sqliteTable("api_keys", {
  id: text().$type<ApiKeyId>().primaryKey(),
  name: text().notNull(),
  scopes: text({ mode: "json" }).$type<string[]>().notNull(),
  /** SHA-256 of the whole token, which is shown once. */
  tokenHash: text("token_hash").notNull().unique(),
  /** The first characters of the token, to recognize it by. */
  hint: text().notNull(),
  createdBy: text("created_by").$type<UserId>().notNull(),
  createdAt: text("created_at").$type<Instant>().notNull(),
  expiresAt: text("expires_at").$type<Instant>(),
  revokedAt: text("revoked_at").$type<Instant>(),
});
