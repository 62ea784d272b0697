/** Tenant database: what integrators may reach. */
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../core/clock.ts";
import type { ApiKeyId, UserId } from "../../../core/ids.ts";

export const apiKeys = sqliteTable("api_keys", {
  id: text().$type<ApiKeyId>().primaryKey(),
  name: text().notNull(),
  scopes: text({ mode: "json" }).$type<string[]>().notNull(),
  /** CIDRs it may be used from; null: from anywhere. */
  allowedNetworks: text("allowed_networks", { mode: "json" }).$type<string[]>(),
  /** SHA-256 of the whole token, which is shown once. */
  tokenHash: text("token_hash").notNull().unique(),
  /** The first characters of the token, to recognize it by. */
  hint: text().notNull(),
  /** SHA-256 of the token before the last rotation, and until when it is good as well; looked at when it is used. */
  previousHash: text("previous_hash").unique(),
  previousUntil: text("previous_until").$type<Instant>(),
  createdBy: text("created_by").$type<UserId>().notNull(),
  createdAt: text("created_at").$type<Instant>().notNull(),
  expiresAt: text("expires_at").$type<Instant>(),
  revokedAt: text("revoked_at").$type<Instant>(),
  /** Written now and then, not with each use; see `api-key-uses.ts`. */
  lastUsedAt: text("last_used_at").$type<Instant>(),
  lastUsedAddress: text("last_used_address"),
});
