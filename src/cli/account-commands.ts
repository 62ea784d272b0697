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
import { runInServerOrHere } from "./run-in-server-or-here.ts";
import { command, group } from "./strict-command.ts";

const email = { email: { type: "positional", description: "The account's e-mail address", required: true } } as const;
const emailAndPermission = {
  ...email,
  permission: { type: "positional", description: `One of ${platformPermissions.join(", ")}`, required: true },
} as const;

const print = (line: string) => void process.stdout.write(`${line}\n`);
/** Prints to standard error: standard output has only the result, for a file or another program. */
const remark = (line: string) => void process.stderr.write(`${line}\n`);

const resetLink = command(
  { name: "reset-link", description: "Print a link, valid for 30 minutes, to choose a new password" },
  {
    args: email,
    async run({ email }) {
      const { link, expires_at, disabled } = await runInServerOrHere(
        accountResetLink,
        { email },
        {
          onLocalRun({ publicUrl, linkUrl }) {
            const source = linkUrl.startsWith(`${publicUrl}/`) ? "WINDSOCK_PUBLIC_URL" : "WINDSOCK_LINK_URL";
            remark(`No server is running, so the link uses this shell's ${source}: ${linkUrl}`);
          },
        },
      );
      print(link);
      if (disabled) remark("The account is disabled. Enable it with `windsock account enable`.");
      remark(`The link works once, until ${expires_at}. Anyone who has it can set the password: keep it secret.`);
    },
  },
);

const disable = command(
  { name: "disable", description: "End an account's sessions and refuse further sign-ins" },
  {
    args: email,
    async run({ email }) {
      const done = await runInServerOrHere(accountDisable, { email });
      const sessions = done.sessions_ended === 1 ? "1 session" : `${done.sessions_ended} sessions`;
      print(`${email} ${done.changed ? "is disabled" : "was disabled already"}; ${sessions} ended.`);
      for (const name of done.organizations_without_owner) remark(`This organization has no active owner now: ${name}`);
    },
  },
);

const enable = command(
  { name: "enable", description: "Enable a disabled account" },
  {
    args: email,
    async run({ email }) {
      const { changed } = await runInServerOrHere(accountEnable, { email });
      print(`${email} ${changed ? "is enabled" : "was not disabled"}.`);
    },
  },
);

const dropMfa = command(
  { name: "drop-mfa", description: "Remove the second factor of an account" },
  {
    args: email,
    async run({ email }) {
      const { changed } = await runInServerOrHere(accountDropMfa, { email });
      print(`${email} ${changed ? "no longer has a second factor" : "had no second factor"}.`);
    },
  },
);

export const account = group(
  { name: "account", description: "User accounts" },
  { "reset-link": resetLink, disable, enable, "drop-mfa": dropMfa },
);

const grant = command(
  { name: "grant", description: "Grant an account a permission for the whole installation" },
  {
    args: {
      ...emailAndPermission,
      unverified: { type: "boolean", description: "Also if the e-mail address is not verified" },
    },
    async run({ email, permission, unverified = false }) {
      const { changed } = await runInServerOrHere(adminGrant, { email, permission, unverified });
      print(`${email} ${changed ? "now has" : "already had"}: ${permission}`);
    },
  },
);

const revoke = command(
  { name: "revoke", description: "Revoke such a permission" },
  {
    args: emailAndPermission,
    async run({ email, permission }) {
      const { changed } = await runInServerOrHere(adminRevoke, { email, permission });
      print(`${email} ${changed ? "no longer has" : "did not have"}: ${permission}`);
    },
  },
);

const list = command(
  { name: "list", description: "List the permissions for the whole installation" },
  {
    args: {},
    async run() {
      const { admins } = await runInServerOrHere(adminList, {});
      for (const { email, permission, granted_at, disabled, verified } of admins) {
        const marks = `\t${verified ? "verified" : "not verified"}${disabled ? "\tdisabled" : ""}`;
        print(`${email}\t${permission}\tsince ${granted_at}${marks}`);
      }
      if (admins.length === 0) remark("No account has such a permission.");
    },
  },
);

export const admin = group(
  { name: "admin", description: "Permissions for the whole installation" },
  { grant, revoke, list },
);
