import { describe, expect, test } from "bun:test";
import { minutes } from "../../../src/core/clock.ts";
import { issueResetLink } from "../../../src/modules/accounts/passwords/issue-reset-link.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { tokenIn } from "../../support/mails.ts";
import { expectStatus, statuses, times } from "../../support/school.ts";
import { enroll } from "../../support/second-factor.ts";
import {
  actions,
  change,
  controlAudit,
  freshAddress,
  isSignedIn,
  link,
  logIn,
  prove,
  providersOf,
  signUpAlone,
  stored,
} from "./newcomers.ts";

const other = "another horse battery";
const reset = (at: Installation, token: string, password = other) =>
  at.call("POST", "/auth/password/reset", { body: { token, password } });

/** Returns a mailed token. */
async function mailed(at: Installation, email: string): Promise<string> {
  await at.call("POST", "/auth/password/forgot", { body: { email }, from: freshAddress() });
  return tokenIn(at.mails, email, "reset");
}

/** Returns a token of the operator's link. */
async function handed({ storage, clock }: Installation, email: string): Promise<string> {
  const { control } = storage;
  const context = { actor: { kind: "command_line" }, requestId: "", clock, control, linkUrl: "" } as const;
  return (await issueResetLink(context, { email })).link.replace("#reset=", "");
}

describe("POST /auth/password/reset", () => {
  test("makes other reset links of the account void, and no others", async () => {
    const at = await newInstallation();
    const [ada, ben] = [await signUpAlone(at), await signUpAlone(at, "ben@example.com")];
    const [first, second, bens] = [
      await mailed(at, ada.email),
      await mailed(at, ada.email),
      await mailed(at, ben.email),
    ];
    expectStatus(200, await reset(at, first));
    expect([(await reset(at, second)).status, (await reset(at, bens)).status]).toEqual([410, 200]);
  });

  test("distinguishes a link made void by a password change from an expired one", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const ended = await mailed(at, ada.email);
    const body = { current_password: "correct horse battery", new_password: other };
    expectStatus(200, await at.call("POST", "/auth/password", { token: ada.token, body }));
    const reasonOf = async (token: string) => expectStatus(410, await reset(at, token)).body.error.reason;
    expect(await reasonOf(ended)).toBe("link_void");
    const late = await mailed(at, ada.email);
    at.clock.advance(minutes(30));
    expect(await reasonOf(late)).toBe("link_expired");
  });

  test("sets the password, ends every session and opens none", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    await prove(at, ada);
    const answer = expectStatus(200, await reset(at, await mailed(at, ada.email)));
    expect(answer.body).toEqual({ status: "password_changed" });
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(await isSignedIn(at, ada)).toBe(false);
    expect((await logIn(at, ada.email)).status).toBe(401);
    expect((await logIn(at, ada.email, { password: other })).status).toBe(200);
    expect(at.mails.at(-1)).toMatchObject({ to: ada.email, subject: "Your password was changed" });
    expect(await actions(at)).toContain("password.reset");
  });

  test("accepts a token once of concurrent requests, and makes the account's other ones void", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const [first, second] = [await mailed(at, ada.email), await mailed(at, ada.email)];
    const wanted = times(6, (n) => `number ${n} horse battery`);
    const answers = await Promise.all(wanted.map((password) => reset(at, second, password)));
    expect(statuses(answers)).toEqual([200, ...times(5, () => 409)]);
    const winner = wanted[answers.findIndex(({ status }) => status === 200)];
    expect((await logIn(at, ada.email, { password: winner })).status).toBe(200);
    expect((await reset(at, second)).status).toBe(409);
    expect((await reset(at, first)).status).toBe(410);
  });

  test("of two tokens used concurrently, one succeeds", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const tokens = [await mailed(at, ada.email), await mailed(at, ada.email)];
    const answers = await Promise.all(tokens.map((token) => reset(at, token)));
    expect(statuses(answers)).toEqual([200, 410]);
  });

  test("accepts a token for 30 minutes", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const [early, late] = [await mailed(at, ada.email), await mailed(at, ada.email)];
    at.clock.advance(minutes(30) - 1);
    expectStatus(400, await reset(at, early, "short"));
    at.clock.advance(1);
    expect((await reset(at, late)).status).toBe(410);
    const inTime = await mailed(at, ada.email);
    at.clock.advance(minutes(30) - 1);
    expectStatus(200, await reset(at, inTime));
  });

  test("rejects tokens of other kinds", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const unknown = [await reset(at, "nonsense"), await reset(at, tokenIn(at.mails, ada.email, "verify"))];
    expect(statuses(unknown)).toEqual([404, 404]);
  });

  test("rejects a token mailed to a former address of the account", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const token = await mailed(at, ada.email);
    await change(at, ada.email, { email: "ada.new@example.com" });
    expect((await reset(at, token)).status).toBe(410);
  });

  test.each([
    ["short", "12345678901"],
    ["common", "qwerty123456"],
    ["the address", "ada@example.com"],
  ])("rejects a password that is %s, and the token stays valid", async (_, wrong) => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const token = await mailed(at, ada.email);
    const refused = expectStatus(400, await reset(at, token, wrong));
    expect(refused.body.issues).toMatchObject([{ path: "body.password" }]);
    expectStatus(200, await reset(at, token));
  });

  test("keeps the second factor of an account with a verified address, and the provider that created it", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    await prove(at, ada);
    await enroll(at, ada);
    await link(at, ada.userId, { subject: "own", made_account: true });
    await link(at, ada.userId, { subject: "thief's" });
    expectStatus(200, await reset(at, await mailed(at, ada.email)));
    const login = await logIn(at, ada.email, { password: other });
    expect(login.body.mfa_required).toBe(true);
    expect(await providersOf(at, ada.userId)).toMatchObject([{ subject: "own" }]);
    expect((await controlAudit(at)).find(({ action }) => action === "password.reset")?.payload).toContain(
      '["example"]',
    );
  });

  test("with the operator's link, keeps the second factor of an account with a verified address", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    await prove(at, ada);
    await enroll(at, ada);
    expectStatus(200, await reset(at, await handed(at, ada.email)));
    expect((await logIn(at, ada.email, { password: other })).body.mfa_required).toBe(true);
  });

  test("by mail, verifies an unverified address and removes all other means of sign-in", async () => {
    const at = await newInstallation();
    const squatter = await signUpAlone(at);
    await enroll(at, squatter);
    await link(at, squatter.userId);
    expectStatus(200, await reset(at, await mailed(at, squatter.email)));

    expect(await isSignedIn(at, squatter)).toBe(false);
    expect((await logIn(at, squatter.email)).status).toBe(401);
    expect((await logIn(at, squatter.email, { password: other })).body.access_token).toBeString();
    expect(await providersOf(at, squatter.userId)).toEqual([]);
    expect((await stored(at, squatter.email)).email_verified_at).not.toBeNull();
    expect(await actions(at)).toContain("account.taken_over");
  });

  test("with the operator's link, does not verify the address, keeps the second factor, and unlinks providers of an unverified account", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    await enroll(at, ada);
    await link(at, ada.userId);
    expectStatus(200, await reset(at, await handed(at, ada.email)));
    expect((await stored(at, ada.email)).email_verified_at).toBeNull();
    expect((await logIn(at, ada.email, { password: other })).body.mfa_required).toBe(true);
    expect(await providersOf(at, ada.userId)).toEqual([]);
    expect(await isSignedIn(at, ada)).toBe(false);
    expect(await actions(at)).toContain("password.reset");
  });

  test("does not enable a disabled account", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const token = await mailed(at, ada.email);
    await change(at, ada.email, { disabled_at: (await stored(at, ada.email)).created_at });
    expectStatus(200, await reset(at, token));
    expect((await logIn(at, ada.email, { password: other })).status).toBe(403);
  });
});
