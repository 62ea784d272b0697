/** Control database: second factors, and the sign-ins that wait for one. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../core/clock.ts";
import type { OrgId, SessionId, UserId } from "../../../core/ids.ts";
import { users } from "../accounts.tables.ts";

/** One time-based one-time password (RFC 6238) for each account. */
export const totpEnrollments = sqliteTable("totp_enrollments", {
  user_id: text()
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** The shared secret, sealed under the installation's key with the account's id as context. */
  secret: text().notNull(),
  created_at: text().$type<Instant>().notNull(),
  /** Set by the first valid code: until then nothing is demanded. */
  confirmed_at: text().$type<Instant>(),
  /** The newest 30-second step a code of which was taken: it and all before it are used up. */
  last_step: integer(),
});

export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    /** SHA-256 of the code without its hyphens. */
    code_hash: text().primaryKey(),
    user_id: text()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The session that had it made without a step-up, and can't be raised by it; null otherwise. */
    session_id: text().$type<SessionId>(),
    created_at: text().$type<Instant>().notNull(),
    used_at: text().$type<Instant>(),
  },
  (table) => [index("recovery_codes_user").on(table.user_id)],
);

/** A sign-in whose first factor was right and that waits for the second. */
export const mfaChallenges = sqliteTable(
  "mfa_challenges",
  {
    /** SHA-256 of the whole token. */
    token_hash: text().primaryKey(),
    user_id: text()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** What was wished for at the sign-in: the organization, and the refresh token in a cookie. */
    org_id: text().$type<OrgId>(),
    cookie: integer({ mode: "boolean" }).notNull(),
    /** How the first factor was proved, as in the `amr` claim. */
    amr: text({ mode: "json" }).$type<string[]>().notNull(),
    failures: integer().notNull().default(0),
    created_at: text().$type<Instant>().notNull(),
    expires_at: text().$type<Instant>().notNull(),
    used_at: text().$type<Instant>(),
  },
  (table) => [index("mfa_challenges_user").on(table.user_id)],
);
