/** `windsock account …` and `windsock admin …` */
import process from "node:process";
import {
  accountDisable,
  accountDropMfa,
  accountEnable,
  accountResetLink,
  adminGrant,
  adminList,
  adminRevoke,
} from "../modules/operations/account-commands.ts";
import { carryOut } from "./carry-out.ts";
import { command, group } from "./strict-command.ts";

const email = { email: { type: "positional", description: "Of the account", required: true } } as const;
const emailAndPermission = {
  ...email,
  permission: { type: "positional", description: "For example platform_admin.debug:read", required: true },
} as const;

const print = (line: string) => void process.stdout.write(`${line}\n`);
/** Beside the result, which may go into a file or another program. */
const remark = (line: string) => void process.stderr.write(`${line}\n`);

const resetLink = command(
  { name: "reset-link", description: "Print a link, good for 30 minutes, that a new password can be chosen by" },
  {
    args: email,
    async run({ email }) {
      const { link, expires_at } = await carryOut(accountResetLink, { email });
      print(link);
      remark(`It works once, until ${expires_at}. Whoever opens it chooses the password: hand it on with care.`);
    },
  },
);

const disable = command(
  { name: "disable", description: "End an account's sessions and let nobody sign in to it" },
  {
    args: email,
    async run({ email }) {
      const done = await carryOut(accountDisable, { email });
      const sessions = done.sessions_ended === 1 ? "1 session" : `${done.sessions_ended} sessions`;
      print(`${email} ${done.changed ? "is disabled" : "was disabled already"}; ${sessions} ended.`);
      for (const name of done.organizations_without_owner) remark(`Nobody can act as owner now in: ${name}`);
    },
  },
);

const enable = command(
  { name: "enable", description: "Let an account that was disabled be signed in to again" },
  {
    args: email,
    async run({ email }) {
      const { changed } = await carryOut(accountEnable, { email });
      print(`${email} ${changed ? "is enabled" : "was not disabled"}.`);
    },
  },
);

const dropMfa = command(
  { name: "drop-mfa", description: "Take the second factor from an account whose owner has lost it" },
  {
    args: email,
    async run({ email }) {
      const { changed } = await carryOut(accountDropMfa, { email });
      print(`${email} ${changed ? "has no second factor any more" : "had no second factor"}.`);
    },
  },
);

export const account = group(
  { name: "account", description: "Somebody's account" },
  { "reset-link": resetLink, disable, enable, "drop-mfa": dropMfa },
);

const grant = command(
  { name: "grant", description: "Permit an account something for the whole installation" },
  {
    args: emailAndPermission,
    async run({ email, permission }) {
      const { changed } = await carryOut(adminGrant, { email, permission });
      print(`${email} ${changed ? "now has" : "had already"}: ${permission}`);
    },
  },
);

const revoke = command(
  { name: "revoke", description: "Take such a permission back" },
  {
    args: emailAndPermission,
    async run({ email, permission }) {
      const { changed } = await carryOut(adminRevoke, { email, permission });
      print(`${email} ${changed ? "no longer has" : "did not have"}: ${permission}`);
    },
  },
);

const list = command(
  { name: "list", description: "Show who is permitted what for the whole installation" },
  {
    args: {},
    async run() {
      const { admins } = await carryOut(adminList, {});
      for (const { email, permission, granted_at, disabled } of admins) {
        print(`${email}\t${permission}\tsince ${granted_at}${disabled ? "\tdisabled" : ""}`);
      }
      if (admins.length === 0) remark("Nobody is.");
    },
  },
);

export const admin = group(
  { name: "admin", description: "Who is permitted something for the whole installation" },
  { grant, revoke, list },
);
