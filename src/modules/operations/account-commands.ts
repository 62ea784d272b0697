/** The commands of the command line for accounts and platform permissions. */
import { z } from "zod";
import { platformPermissions } from "../../core/permissions.ts";
import { email, instantOut } from "../../http/fields.ts";
import { disableAccount, enableAccount } from "../accounts/operator/disable-account.ts";
import { dropMfa } from "../accounts/operator/drop-mfa.ts";
import { grantPlatformPermission, revokePlatformPermission } from "../accounts/operator/grant-platform-permission.ts";
import { listPlatformAdmins } from "../accounts/operator/platform-permissions.queries.ts";
import { issueResetLink } from "../accounts/passwords/issue-reset-link.ts";
import { define } from "./command.ts";

const OfAccount = z.strictObject({ email });
const OfPermission = z.strictObject({
  email,
  permission: z.enum(platformPermissions, `Must be one of ${platformPermissions.join(", ")}.`),
});
/** Whether the command changed anything. */
const Changed = z.strictObject({ changed: z.boolean() });

/** `windsock account reset-link EMAIL` */
export const accountResetLink = define({
  name: "account-reset-link",
  args: OfAccount,
  result: z.strictObject({ link: z.string(), expires_at: instantOut, disabled: z.boolean() }),
  async run(context, { linkUrl }, account) {
    const { link, expiresAt, disabled } = await issueResetLink({ ...context, linkUrl }, account);
    return { link, expires_at: expiresAt, disabled };
  },
});

/** `windsock account disable EMAIL` */
export const accountDisable = define({
  name: "account-disable",
  args: OfAccount,
  result: Changed.extend({ sessions_ended: z.int(), organizations_without_owner: z.array(z.string()) }),
  async run(context, _, account) {
    const { changed, sessionsEnded, ownerless } = await disableAccount(context, account);
    return { changed, sessions_ended: sessionsEnded, organizations_without_owner: ownerless };
  },
});

/** `windsock account enable EMAIL` */
export const accountEnable = define({
  name: "account-enable",
  args: OfAccount,
  result: Changed,
  run: async (context, _, account) => ({ changed: await enableAccount(context, account) }),
});

/** `windsock account drop-mfa EMAIL` */
export const accountDropMfa = define({
  name: "account-drop-mfa",
  args: OfAccount,
  result: Changed,
  run: async (context, _, account) => ({ changed: await dropMfa(context, account) }),
});

/** `windsock admin grant EMAIL PERMISSION [--unverified]` */
export const adminGrant = define({
  name: "admin-grant",
  args: OfPermission.extend({ unverified: z.boolean() }),
  result: Changed,
  run: async (context, _, { unverified, ...grant }) => ({
    changed: await grantPlatformPermission(context, { ...grant, evenUnverified: unverified }),
  }),
});

/** `windsock admin revoke EMAIL PERMISSION` */
export const adminRevoke = define({
  name: "admin-revoke",
  args: OfPermission,
  result: Changed,
  run: async (context, _, grant) => ({ changed: await revokePlatformPermission(context, grant) }),
});

/** `windsock admin list` */
export const adminList = define({
  name: "admin-list",
  args: z.strictObject({}),
  result: z.strictObject({
    admins: z.array(
      z.strictObject({
        email: z.string(),
        permission: z.enum(platformPermissions),
        granted_at: instantOut,
        disabled: z.boolean(),
        verified: z.boolean(),
      }),
    ),
  }),
  async run({ control }) {
    const admins = await control.read(listPlatformAdmins);
    return {
      admins: admins.map(({ disabled_at, email_verified_at, ...admin }) => ({
        ...admin,
        disabled: disabled_at !== null,
        verified: email_verified_at !== null,
      })),
    };
  },
});
