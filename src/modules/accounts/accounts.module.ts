import type { Module } from "../../module.ts";
import { sessionCleanup } from "./accounts.jobs.ts";
import type { AccountParts } from "./accounts.parts.ts";
import { accountRoutes } from "./accounts.routes.ts";
import * as accountTables from "./accounts.tables.ts";
import * as mfaTables from "./mfa/mfa.tables.ts";
import { movedAccounts } from "./moved-accounts.ts";
import { type OAuthSettings, oauthRoutes } from "./oauth/oauth.routes.ts";
import * as oauthTables from "./oauth/oauth.tables.ts";

/** The pages of the console that start a sign-in through a provider, or link one. */
const consolePages = ["/app/sign-in", "/app/account"];

export const accounts = {
  tables: { control: { ...accountTables, ...mfaTables, ...oauthTables } },
  routes: (http, { accounts: parts, capabilities, config, log }) => {
    const ownPages = capabilities.has("console") ? consolePages.map((page) => parts.publicUrl + page) : [];
    const oauthRedirects = [...ownPages, ...config.oauthRedirects];
    return [accountRoutes(http, parts), oauthRoutes(http, parts, { ...config, oauthRedirects, log })];
  },
  jobs: [sessionCleanup],
  moved: movedAccounts,
  tags: { Authentication: "Sign-up, sign-in and sign-out." },
} satisfies Module<{ accounts: AccountParts; config: OAuthSettings }>;
