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
import { expectStatus } from "../../support/school.ts";
import { enroll } from "../../support/second-factor.ts";
import { controlAudit, isLetIn, isSignedIn, join, logIn, signUp, signUpAlone, stored } from "../accounts/newcomers.ts";

const debug = "platform_admin.debug:read";

const order = <Args, Result>(at: Installation, command: Command<Args, Result>, args: unknown): Promise<Result> =>
  command.handle({ ...at, linkUrl: at.config.linkUrl }, args);

/** The newest rows of the audit log: who did what to whom. */
const newest = async (at: Installation, count: number) =>
  (await controlAudit(at))
    .slice(-count)
    .map(({ actorKind, action, subjectId, requestId }) => [actorKind, action, subjectId, requestId]);

test("account reset-link makes a link that sets a password, once and for 30 minutes", async () => {
  const at = await newInstallation({ env: { WINDSOCK_PUBLIC_URL: "https://ops.example.com" } });
  const ada = await signUpAlone(at);
  const mailsBefore = at.mails.length;
  const { link, expires_at } = await order(at, accountResetLink, { email: " ADA@example.com" });

  expect(expires_at as string).toBe(new Date(at.clock.now().getTime() + minutes(30)).toISOString());
  expect(await newest(at, 1)).toEqual([["command_line", "password.reset_link_issued", ada.userId, ""]]);
  expect(at.mails).toHaveLength(mailsBefore);
  const [page, token = ""] = link.split("#reset=");
  expect(page).toBe("https://ops.example.com/auth/link");
  expect(JSON.stringify(await controlAudit(at))).not.toContain(token);
  const body = { token, password: "another horse battery" };
  expectStatus(200, await at.call("POST", "/auth/password/reset", { body }));
  expectStatus(409, await at.call("POST", "/auth/password/reset", { body }));
  expect((await logIn(at, ada.email, { password: body.password })).status).toBe(200);
});

test("account disable ends an account's sessions and keeps it out until account enable", async () => {
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
  // What had ended stays ended.
  expect(await isSignedIn(at, ada)).toBe(false);
  const rows = (await controlAudit(at)).filter(({ actorKind }) => actorKind === "command_line");
  expect(rows.map(({ action, subjectId }) => [action, subjectId])).toEqual([
    ["account.disabled", ada.userId],
    ["account.enabled", ada.userId],
  ]);
});

test("account disable stops a last owner too, and tells which organizations have none now who could act", async () => {
  const at = await newInstallation();
  const olga = await signUp(at);
  const ann = await join(at, olga, "ann@example.com", ["admin"]);
  const told = await order(at, accountDisable, { email: olga.email });
  expect(told.organizations_without_owner).toEqual(["Flugschule Egelsbach"]);
  expect(await isLetIn(at, olga)).toBe(false);
  expect(await isLetIn(at, ann)).toBe(true);

  await order(at, accountEnable, { email: olga.email });
  const otto = await join(at, { ...olga, token: (await logIn(at, olga.email)).body.access_token }, "otto@example.com", [
    "owner",
  ]);
  expect((await order(at, accountDisable, { email: olga.email })).organizations_without_owner).toEqual([]);
  expect((await order(at, accountDisable, { email: otto.email })).organizations_without_owner).toHaveLength(1);
});

test("account drop-mfa takes the second factor and nothing else", async () => {
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

test("admin grant, list and revoke: who is permitted what for the whole installation", async () => {
  const at = await newInstallation();
  const ada = await signUpAlone(at);
  await signUpAlone(at, "ben@example.com");
  const grant = { email: ada.email, permission: debug };
  expect(await order(at, adminGrant, grant)).toEqual({ changed: true });
  expect(await order(at, adminGrant, grant)).toEqual({ changed: false });
  await order(at, adminGrant, { email: "ben@example.com", permission: "platform_admin.listing:review" });
  await order(at, accountDisable, { email: "ben@example.com" });
  const granted_at = at.clock.now().toISOString() as never;
  expect(await order(at, adminList, {})).toEqual({
    admins: [
      { email: "ada@example.com", permission: debug, granted_at, disabled: false },
      { email: "ben@example.com", permission: "platform_admin.listing:review", granted_at, disabled: true },
    ],
  });

  expect(await order(at, adminRevoke, grant)).toEqual({ changed: true });
  expect(await order(at, adminRevoke, grant)).toEqual({ changed: false });
  expect((await order(at, adminList, {})).admins).toHaveLength(1);
  const rows = (await controlAudit(at)).filter(({ action }) => action.startsWith("platform_permission."));
  expect(rows.map(({ actorKind, action, subjectId }) => [actorKind, action, subjectId === ada.userId])).toEqual([
    ["command_line", "platform_permission.granted", true],
    ["command_line", "platform_permission.granted", false],
    ["command_line", "platform_permission.revoked", true],
  ]);
});

test("every command says so of an address that has no account, and of what is no address or no permission", async () => {
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
  for (const command of [adminGrant, adminRevoke]) {
    const nobody = { email: "nobody@example.com", permission: debug };
    await expect(order<unknown, unknown>(at, command, nobody)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(
      order<unknown, unknown>(at, command, { ...nobody, permission: "flights:approve" }),
    ).rejects.toMatchObject({
      issues: [{ path: "args.permission", message: expect.stringContaining(debug) }],
    });
  }
  expect(await controlAudit(at)).toEqual([]);
});
