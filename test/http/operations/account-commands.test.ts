import { expect, test } from "bun:test";
import { minutes } from "../../../src/core/clock.ts";
import {
  accountDisable,
  accountDropMfa,
  accountEnable,
  accountResetLink,
  adminGrant,
  adminList,
  adminRevoke,
} from "../../../src/modules/operations/account-commands.ts";
import type { Command } from "../../../src/modules/operations/command.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { unexamined } from "../../support/operator.ts";
import { expectStatus } from "../../support/school.ts";
import { enroll } from "../../support/second-factor.ts";
import {
  controlAudit,
  isLetIn,
  isSignedIn,
  join,
  link,
  logIn,
  prove,
  providersOf,
  signUp,
  signUpAlone,
  stored,
} from "../accounts/newcomers.ts";

const debug = "platform_admin.debug:read";

const order = <Args, Result>(at: Installation, command: Command<Args, Result>, args: unknown): Promise<Result> =>
  command.handle({ ...unexamined, ...at, linkUrl: at.config.linkUrl }, args);

/** Returns actor, action, subject and request id of the newest rows of the audit log. */
const newest = async (at: Installation, count: number) =>
  (await controlAudit(at))
    .slice(-count)
    .map(({ actor_kind, action, subject_id, request_id }) => [actor_kind, action, subject_id, request_id]);

test("account reset-link creates a link that sets a password once, within 30 minutes", async () => {
  const at = await newInstallation({ env: { WINDSOCK_PUBLIC_URL: "https://ops.example.com" } });
  const ada = await signUpAlone(at);
  const mailsBefore = at.mails.length;
  const { link, expires_at } = await order(at, accountResetLink, { email: " ADA@example.com" });

  expect(expires_at as string).toBe(new Date(at.clock.now().getTime() + minutes(30)).toISOString());
  expect(await newest(at, 1)).toEqual([["command_line", "password.reset_link_issued", ada.userId, ""]]);
  expect(at.mails).toHaveLength(mailsBefore);
  const [page, token = ""] = link.split("#reset=");
  expect(page).toBe("https://ops.example.com/app/link");
  expect(JSON.stringify(await controlAudit(at))).not.toContain(token);
  const body = { token, password: "another horse battery" };
  expectStatus(200, await at.call("POST", "/auth/password/reset", { body }));
  expectStatus(409, await at.call("POST", "/auth/password/reset", { body }));
  expect((await logIn(at, ada.email, { password: body.password })).status).toBe(200);
});

test("account disable ends the account's sessions and prevents sign-in until account enable", async () => {
  const at = await newInstallation();
  const ada = await signUpAlone(at);
  await logIn(at, ada.email);
  const done = { sessions_ended: 2, organizations_without_owner: [] };
  expect(await order(at, accountDisable, { email: ada.email })).toEqual({ changed: true, ...done });
  expect(await isSignedIn(at, ada)).toBe(false);
  expect((await logIn(at, ada.email)).status).toBe(403);
  expect(await order(at, accountDisable, { email: ada.email })).toEqual({ ...done, changed: false, sessions_ended: 0 });

  expect(await order(at, accountEnable, { email: ada.email })).toEqual({ changed: true });
  expect(await order(at, accountEnable, { email: ada.email })).toEqual({ changed: false });
  expect((await logIn(at, ada.email)).status).toBe(200);
  // Ended sessions stay ended.
  expect(await isSignedIn(at, ada)).toBe(false);
  const rows = (await controlAudit(at)).filter(({ actor_kind }) => actor_kind === "command_line");
  expect(rows.map(({ action, subject_id }) => [action, subject_id])).toEqual([
    ["account.disabled", ada.userId],
    ["account.enabled", ada.userId],
  ]);
});

test("account disable accepts a last owner and returns the organizations without an owner", async () => {
  const at = await newInstallation();
  const olga = await signUp(at);
  const ann = await join(at, olga, "ann@example.com", ["admin"]);
  const disabled = await order(at, accountDisable, { email: olga.email });
  expect(disabled.organizations_without_owner).toEqual(["Flugschule Egelsbach"]);
  expect(await isLetIn(at, olga)).toBe(false);
  expect(await isLetIn(at, ann)).toBe(true);

  await order(at, accountEnable, { email: olga.email });
  const otto = await join(at, { ...olga, token: (await logIn(at, olga.email)).body.access_token }, "otto@example.com", [
    "owner",
  ]);
  expect((await order(at, accountDisable, { email: olga.email })).organizations_without_owner).toEqual([]);
  expect((await order(at, accountDisable, { email: otto.email })).organizations_without_owner).toHaveLength(1);
});

test("account disable unlinks providers that were linked later, so that an attacker can't sign in with theirs", async () => {
  const at = await newInstallation();
  const ada = await signUpAlone(at);
  await link(at, ada.userId);
  await link(at, ada.userId, { subject: "own", made_account: true });
  await order(at, accountDisable, { email: ada.email });
  expect(await providersOf(at, ada.userId)).toMatchObject([{ subject: "own" }]);
});

test("account drop-mfa removes only the second factor", async () => {
  const at = await newInstallation();
  const ada = await signUpAlone(at);
  await enroll(at, ada);
  const before = await stored(at, ada.email);
  expect((await logIn(at, ada.email)).body.mfa_required).toBe(true);
  expect(await order(at, accountDropMfa, { email: ada.email })).toEqual({ changed: true });
  expect(await newest(at, 1)).toEqual([["command_line", "mfa.dropped", ada.userId, ""]]);
  expect((await logIn(at, ada.email)).body.access_token).toBeString();
  expect(await order(at, accountDropMfa, { email: ada.email })).toEqual({ changed: false });
  expect(await isSignedIn(at, ada)).toBe(true);
  expect(await stored(at, ada.email)).toEqual(before);
});

test("account drop-mfa removes an unfinished enrollment and writes an audit row", async () => {
  const at = await newInstallation();
  const ada = await signUpAlone(at);
  expectStatus(200, await at.call("POST", "/auth/mfa/enroll/start", { token: ada.token }));
  expect(await order(at, accountDropMfa, { email: ada.email })).toEqual({ changed: false });
  expect(await newest(at, 1)).toEqual([["command_line", "mfa.dropped", ada.userId, ""]]);
  expect(
    (await at.call("POST", "/auth/mfa/enroll/verify", { token: ada.token, body: { code: "123456" } })).status,
  ).toBe(404);
});

test("admin grant, list and revoke change and show platform permissions", async () => {
  const at = await newInstallation();
  const ada = await signUpAlone(at);
  await signUpAlone(at, "ben@example.com");
  await prove(at, ada);
  const grant = { email: ada.email, permission: debug };
  expect(await order(at, adminGrant, { ...grant, unverified: false })).toEqual({ changed: true });
  expect(await order(at, adminGrant, { ...grant, unverified: false })).toEqual({ changed: false });
  const bens = { email: "ben@example.com", permission: "platform_admin.listing:review" };
  await expect(order<unknown, unknown>(at, adminGrant, { ...bens, unverified: false })).rejects.toMatchObject({
    code: "CONFLICT",
    reason: "email_unverified",
    message: expect.stringContaining("--unverified"),
  });
  expect((await order(at, adminList, {})).admins).toHaveLength(1);
  await order<unknown, unknown>(at, adminGrant, { ...bens, unverified: true });
  await order(at, accountDisable, { email: "ben@example.com" });
  const granted_at = at.clock.now().toISOString() as never;
  expect(await order(at, adminList, {})).toEqual({
    admins: [
      { email: "ada@example.com", permission: debug, granted_at, disabled: false, verified: true },
      {
        email: "ben@example.com",
        permission: "platform_admin.listing:review",
        granted_at,
        disabled: true,
        verified: false,
      },
    ],
  });

  expect(await order(at, adminRevoke, grant)).toEqual({ changed: true });
  expect(await order(at, adminRevoke, grant)).toEqual({ changed: false });
  expect((await order(at, adminList, {})).admins).toHaveLength(1);
  const rows = (await controlAudit(at)).filter(({ action }) => action.startsWith("platform_permission."));
  expect(rows.map(({ actor_kind, action, subject_id }) => [actor_kind, action, subject_id === ada.userId])).toEqual([
    ["command_line", "platform_permission.granted", true],
    ["command_line", "platform_permission.granted", false],
    ["command_line", "platform_permission.revoked", true],
  ]);
});

test("each command rejects an unknown account, an invalid address and an unknown permission", async () => {
  const at = await newInstallation();
  const ofAccount = [accountResetLink, accountDisable, accountEnable, accountDropMfa];
  for (const command of ofAccount) {
    await expect(order<unknown, unknown>(at, command, { email: "nobody@example.com" })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "There is no account with the e-mail address nobody@example.com.",
    });
    await expect(order<unknown, unknown>(at, command, { email: "nobody" })).rejects.toMatchObject({
      issues: [{ path: "args.email" }],
    });
  }
  for (const [command, more] of [
    [adminGrant, { unverified: true }],
    [adminRevoke, {}],
  ] as const) {
    const nobody = { email: "nobody@example.com", permission: debug, ...more };
    await expect(order<unknown, unknown>(at, command, nobody)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(
      order<unknown, unknown>(at, command, { ...nobody, permission: "flights:approve" }),
    ).rejects.toMatchObject({
      issues: [{ path: "args.permission", message: expect.stringContaining(debug) }],
    });
  }
  expect(await controlAudit(at)).toEqual([]);
});
