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
    userId: text("user_id")
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Whether the account here was made by signing in through this provider. */
    madeAccount: integer("made_account", { mode: "boolean" }).notNull(),
    createdAt: text("created_at").$type<Instant>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.issuer, table.subject] }),
    index("identities_user").on(table.userId),
  ],
);

/** Somebody who was sent to a provider and has not come back: 10 minutes, once. */
export const oauthFlows = sqliteTable("oauth_flows", {
  /** SHA-256 of the `state` parameter. */
  stateHash: text("state_hash").primaryKey(),
  provider: text().notNull(),
  nonce: text().notNull(),
  /**
   * JSON, sealed under the installation's key with the state's hash as context: the PKCE verifier (RFC 7636), and the
   * session of whoever was signed in when it began.
   */
  sealed: text().notNull(),
  /** SHA-256 of the cookie that binds the flow to the browser it began in. */
  browserHash: text("browser_hash").notNull(),
  /** Who was signed in when it began, and so links the provider's account to theirs. */
  userId: text("user_id")
    .$type<UserId>()
    .references(() => users.id, { onDelete: "cascade" }),
  redirectTo: text("redirect_to"),
  createdAt: text("created_at").$type<Instant>().notNull(),
  expiresAt: text("expires_at").$type<Instant>().notNull(),
  usedAt: text("used_at").$type<Instant>(),
});
