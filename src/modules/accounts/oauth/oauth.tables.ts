/** Control database: linked accounts at OpenID providers, and sign-ins in progress there. */
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../../../core/clock.ts";
import type { UserId } from "../../../core/ids.ts";
import { users } from "../../../identity/identity.tables.ts";

/** Accounts at providers that sign in to an account here. */
export const identities = sqliteTable(
  "identities",
  {
    /** The provider's name in the configuration. */
    provider: text().notNull(),
    /** The issuer at the time of the link: the operator may configure another provider under the same name later. */
    issuer: text().notNull(),
    /** The provider's `sub`, which never changes there. */
    subject: text().notNull(),
    user_id: text()
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Whether the account here was created through this provider. */
    made_account: integer({ mode: "boolean" }).notNull(),
    created_at: text().$type<Instant>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.issuer, table.subject] }),
    index("identities_user").on(table.user_id),
  ],
);

/** Sign-ins in progress at a provider. Valid for 10 minutes and one use. */
export const oauthFlows = sqliteTable("oauth_flows", {
  /** SHA-256 of the `state` parameter. */
  state_hash: text().primaryKey(),
  provider: text().notNull(),
  nonce: text().notNull(),
  /**
   * JSON, sealed under the installation's key with the state's hash as context: the PKCE verifier (RFC 7636), the session
   * that was signed in when the flow started, and whether the refresh token goes into the cookie.
   */
  sealed: text().notNull(),
  /** SHA-256 of the cookie that binds the flow to the browser that started it. */
  browser_hash: text().notNull(),
  /** The account that was signed in when the flow started, and that the provider is linked to. */
  user_id: text()
    .$type<UserId>()
    .references(() => users.id, { onDelete: "cascade" }),
  redirect_to: text(),
  created_at: text().$type<Instant>().notNull(),
  expires_at: text().$type<Instant>().notNull(),
  used_at: text().$type<Instant>(),
});
