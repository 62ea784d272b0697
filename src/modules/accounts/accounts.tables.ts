/** Control database: who can sign in, and where they are signed in. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../core/clock.ts";
import type { OrgId, SessionId, UserId } from "../../core/ids.ts";

export const users = sqliteTable("users", {
  id: text().$type<UserId>().primaryKey(),
  /** Trimmed and in lower case; unique among all accounts. */
  email: text().notNull().unique(),
  /** Set once somebody has proved that the address is theirs. */
  emailVerifiedAt: text("email_verified_at").$type<Instant>(),
  name: text().notNull(),
  /** Argon2id in PHC form, its parameters included. */
  passwordHash: text("password_hash").notNull(),
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
    userAgent: text("user_agent").notNull(),
    address: text().notNull(),
    createdAt: text("created_at").$type<Instant>().notNull(),
  },
  (table) => [index("sessions_user").on(table.userId)],
);
