/** Control database: who can sign in, and where they are signed in. */
import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { OrgId, SessionId, UserId } from "../../core/ids.ts";
import type { PlatformPermission } from "../../core/permissions.ts";

export const users = sqliteTable("users", {
  id: text().$type<UserId>().primaryKey(),
  /** Trimmed and in lower case; unique among all accounts. */
  email: text().notNull().unique(),
  /** Set once somebody has proved that the address is theirs. */
  emailVerifiedAt: text("email_verified_at").$type<Instant>(),
  name: text().notNull(),
  /** Argon2id in PHC form, its parameters included; missing for whoever has only ever come through a provider. */
  passwordHash: text("password_hash"),
  disabledAt: text("disabled_at").$type<Instant>(),
  createdAt: text("created_at").$type<Instant>().notNull(),
});

/** One signing-in on one device: a family of refresh tokens, of which the newest generation is valid. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().$type<SessionId>().primaryKey(),
    userId: text("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The organization the session was opened for, if one was named. */
    orgId: text("org_id").$type<OrgId>(),
    /** The session that it was handed on by, and ends with. */
    handedOnFrom: text("handed_on_from")
      .$type<SessionId>()
      .references((): AnySQLiteColumn => sessions.id, { onDelete: "set null" }),
    /** How the user proved who they are, as in the `amr` claim (RFC 8176). */
    amr: text({ mode: "json" }).$type<string[]>().notNull(),
    authTime: text("auth_time").$type<Instant>().notNull(),
    /** The newest refresh token's generation, counted from 1, and when it was first handed out. */
    generation: integer().notNull(),
    rotatedAt: text("rotated_at").$type<Instant>().notNull(),
    /** Ends by itself when not refreshed until then; never later than `endsAt`. */
    idleUntil: text("idle_until").$type<Instant>().notNull(),
    /** Ends by itself in any case. */
    endsAt: text("ends_at").$type<Instant>().notNull(),
    revokedAt: text("revoked_at").$type<Instant>(),
    /** When a second factor was last shown in this session. */
    secondFactorAt: text("second_factor_at").$type<Instant>(),
    /** Until when the session may do what demands a fresh second factor. */
    stepUpUntil: text("step_up_until").$type<Instant>(),
    userAgent: text("user_agent").notNull(),
    address: text().notNull(),
    createdAt: text("created_at").$type<Instant>().notNull(),
  },
  (table) => [
    index("sessions_user").on(table.userId),
    index("sessions_last_seen").on(table.userId, table.rotatedAt, table.id).where(sql`${table.revokedAt} is null`),
    index("sessions_handed_on_from").on(table.handedOnFrom),
  ],
);

/** What goes to somebody by mail, or through the operator, and comes back once: proof of an address, or a reset. */
export const emailTokens = sqliteTable(
  "email_tokens",
  {
    /** SHA-256 of the whole token. */
    tokenHash: text("token_hash").primaryKey(),
    userId: text("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text({ enum: ["verify", "reset"] }).notNull(),
    /** The address it was sent to, which the account may have left meanwhile; null when it did not travel by mail. */
    email: text(),
    createdAt: text("created_at").$type<Instant>().notNull(),
    expiresAt: text("expires_at").$type<Instant>().notNull(),
    usedAt: text("used_at").$type<Instant>(),
  },
  (table) => [index("email_tokens_user").on(table.userId)],
);

export const accountTypes = ["org", "pilot"] as const;

/** Hands a signed-in user from one front end to another: 60 seconds, once. */
export const handoffTokens = sqliteTable("handoff_tokens", {
  /** SHA-256 of the whole token. */
  tokenHash: text("token_hash").primaryKey(),
  sessionId: text("session_id")
    .$type<SessionId>()
    .notNull()
    .references(() => sessions.id, { onDelete: "cascade" }),
  accountType: text("account_type", { enum: accountTypes }).notNull(),
  createdAt: text("created_at").$type<Instant>().notNull(),
  expiresAt: text("expires_at").$type<Instant>().notNull(),
  usedAt: text("used_at").$type<Instant>(),
});

/** What somebody may do for the whole installation. Granted and revoked from the command line only. */
export const platformPermissions = sqliteTable(
  "platform_permissions",
  {
    userId: text("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    permission: text().$type<PlatformPermission>().notNull(),
    grantedAt: text("granted_at").$type<Instant>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.permission] })],
);
