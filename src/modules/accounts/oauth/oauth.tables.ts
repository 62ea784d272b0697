/** Control database: accounts at OpenID providers, and the sign-ins under way there. */
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../core/clock.ts";
import type { UserId } from "../../../core/ids.ts";
import { users } from "../accounts.tables.ts";

/** An account at a provider that an account here belongs to. */
export const identities = sqliteTable(
  "identities",
  {
    /** The provider's name in the configuration. */
    provider: text().notNull(),
    /** Who that was when the link was made: under the same name the operator may configure somebody else. */
    issuer: text().notNull(),
    /** The provider's `sub`: the one thing about somebody that never changes there. */
    subject: text().notNull(),
    user_id: text()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Whether the account here was made by signing in through this provider. */
    made_account: integer({ mode: "boolean" }).notNull(),
    created_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.issuer, table.subject] }),
    index("identities_user").on(table.user_id),
  ],
);

/** Somebody who was sent to a provider and has not come back: 10 minutes, once. */
export const oauthFlows = sqliteTable("oauth_flows", {
  /** SHA-256 of the `state` parameter. */
  state_hash: text().primaryKey(),
  provider: text().notNull(),
  nonce: text().notNull(),
  /**
   * JSON, sealed under the installation's key with the state's hash as context: the PKCE verifier (RFC 7636), and the
   * session of whoever was signed in when it began.
   */
  sealed: text().notNull(),
  /** SHA-256 of the cookie that binds the flow to the browser it began in. */
  browser_hash: text().notNull(),
  /** Who was signed in when it began, and so links the provider's account to theirs. */
  user_id: text()
    .$type<UserId>()
    .references(() => users.id, { onDelete: "cascade" }),
  redirect_to: text(),
  created_at: text().$type<Instant>().notNull(),
  expires_at: text().$type<Instant>().notNull(),
  used_at: text().$type<Instant>(),
});
