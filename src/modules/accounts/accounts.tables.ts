/** Control database: sessions, tokens and permissions for the installation. */
import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { OrgId, SessionId, UserId } from "../../core/ids.ts";
import type { PlatformPermission } from "../../core/permissions.ts";
import { users } from "../../identity/identity.tables.ts";

/** One sign-in on one device: a family of refresh tokens, of which the newest generation is valid. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().$type<SessionId>().primaryKey(),
    user_id: text()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The organization the session was opened for, if one was named. */
    org_id: text().$type<OrgId>(),
    /** The session that this one was handed on from. When that session ends, this one ends too. */
    handed_on_from: text()
      .$type<SessionId>()
      .references((): AnySQLiteColumn => sessions.id, { onDelete: "set null" }),
    /** The authentication methods, as in the `amr` claim (RFC 8176). */
    amr: text({ mode: "json" }).$type<string[]>().notNull(),
    auth_time: text().$type<Instant>().notNull(),
    /** The generation of the newest refresh token, counted from 1. `rotated_at` is when it was first issued. */
    generation: integer().notNull(),
    rotated_at: text().$type<Instant>().notNull(),
    /** The session expires at this time unless it is refreshed. Never later than `ends_at`. */
    idle_until: text().$type<Instant>().notNull(),
    /** The session expires at this time in any case. */
    ends_at: text().$type<Instant>().notNull(),
    revoked_at: text().$type<Instant>(),
    /** When a second factor was last verified in this session. */
    second_factor_at: text().$type<Instant>(),
    /** Until when the session may do what requires a step-up. */
    step_up_until: text().$type<Instant>(),
    user_agent: text().notNull(),
    address: text().notNull(),
    created_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    index("sessions_user").on(table.user_id),
    index("sessions_last_seen").on(table.user_id, table.rotated_at, table.id).where(sql`${table.revoked_at} is null`),
    index("sessions_handed_on_from").on(table.handed_on_from),
  ],
);

/** Single-use tokens, sent by mail or passed on by the operator: verification of an address, or a password reset. */
export const emailTokens = sqliteTable(
  "email_tokens",
  {
    /** SHA-256 of the token. */
    token_hash: text().primaryKey(),
    user_id: text()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text({ enum: ["verify", "reset"] }).notNull(),
    /** The address it was mailed to, which may no longer be the account's. Null if it was not mailed. */
    email: text(),
    created_at: text().$type<Instant>().notNull(),
    expires_at: text().$type<Instant>().notNull(),
    used_at: text().$type<Instant>(),
  },
  (table) => [index("email_tokens_user").on(table.user_id)],
);

export const accountTypes = ["org", "pilot"] as const;

/** Tokens that hand a signed-in user from one front end to another. Valid for 60 seconds and one use. */
export const handoffTokens = sqliteTable("handoff_tokens", {
  /** SHA-256 of the token. */
  token_hash: text().primaryKey(),
  session_id: text()
    .$type<SessionId>()
    .notNull()
    .references(() => sessions.id, { onDelete: "cascade" }),
  account_type: text({ enum: accountTypes }).notNull(),
  created_at: text().$type<Instant>().notNull(),
  expires_at: text().$type<Instant>().notNull(),
  used_at: text().$type<Instant>(),
});

/** Permissions for the whole installation. Granted and revoked from the command line only. */
export const platformPermissions = sqliteTable(
  "platform_permissions",
  {
    user_id: text()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    permission: text().$type<PlatformPermission>().notNull(),
    granted_at: text().$type<Instant>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.permission] })],
);
