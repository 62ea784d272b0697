/** Control database: second factors, and sign-ins that wait for a code. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../core/clock.ts";
import type { OrgId, SessionId, UserId } from "../../../core/ids.ts";
import { users } from "../../../identity/identity.tables.ts";

/** The authenticator (TOTP, RFC 6238) of each account; at most one. */
export const totpEnrollments = sqliteTable("totp_enrollments", {
  user_id: text()
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** The shared secret, sealed under the installation's key with the account's id as context. */
  secret: text().notNull(),
  created_at: text().$type<Instant>().notNull(),
  /** Set by the first valid code. Until then, no sign-in requires a code. */
  confirmed_at: text().$type<Instant>(),
  /** The newest 30-second step of an accepted code. Codes of this step and earlier ones are rejected. */
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
    /** The session that created the code without a step-up. The code does not step up that session. Otherwise null. */
    session_id: text().$type<SessionId>(),
    created_at: text().$type<Instant>().notNull(),
    used_at: text().$type<Instant>(),
  },
  (table) => [index("recovery_codes_user").on(table.user_id)],
);

/** Sign-ins that have passed the first factor and wait for the second. */
export const mfaChallenges = sqliteTable(
  "mfa_challenges",
  {
    /** SHA-256 of the token. */
    token_hash: text().primaryKey(),
    user_id: text()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** From the sign-in request: the organization, and whether the refresh token goes into the cookie. */
    org_id: text().$type<OrgId>(),
    cookie: integer({ mode: "boolean" }).notNull(),
    /** The methods of the first factor, as in the `amr` claim. */
    amr: text({ mode: "json" }).$type<string[]>().notNull(),
    failures: integer().notNull().default(0),
    created_at: text().$type<Instant>().notNull(),
    expires_at: text().$type<Instant>().notNull(),
    used_at: text().$type<Instant>(),
  },
  (table) => [index("mfa_challenges_user").on(table.user_id)],
);
