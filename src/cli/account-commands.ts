/** `windsock account …` and `windsock admin …` */
import process from "node:process";
import { platformPermissions } from "../core/permissions.ts";
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
  permission: { type: "positional", description: `One of ${platformPermissions.join(", ")}`, required: true },
} as const;

const print = (line: string) => void process.stdout.write(`${line}\n`);
/** Beside the result, which may go into a file or another program. */
const remark = (line: string) => void process.stderr.write(`${line}\n`);

const resetLink = command(
  { name: "reset-link", description: "Print a link, good for 30 minutes, that a new password can be chosen by" },
  {
    args: email,
    async run({ email }) {
      const { link, expires_at, disabled } = await carryOut(accountResetLink, { email }, ({ publicUrl, linkUrl }) => {
        const source = linkUrl.startsWith(`${publicUrl}/`) ? "WINDSOCK_PUBLIC_URL" : "WINDSOCK_LINK_URL";
        remark(`No server runs here, so the link has this shell's ${source}: ${linkUrl}`);
      });
      print(link);
      if (disabled) remark("The account is disabled: after a new password it needs `windsock account enable` as well.");
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
    args: {
      ...emailAndPermission,
      unverified: { type: "boolean", description: "Even if nobody has proved the e-mail address" },
    },
    async run({ email, permission, unverified = false }) {
      const { changed } = await carryOut(adminGrant, { email, permission, unverified });
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
      for (const { email, permission, granted_at, disabled, verified } of admins) {
        const marks = `\t${verified ? "verified" : "not verified"}${disabled ? "\tdisabled" : ""}`;
        print(`${email}\t${permission}\tsince ${granted_at}${marks}`);
      }
      if (admins.length === 0) remark("Nobody is.");
    },
  },
);

export const admin = group(
  { name: "admin", description: "Who is permitted something for the whole installation" },
  { grant, revoke, list },
);
