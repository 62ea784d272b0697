import { describe, expect, test } from "bun:test";
import { hours } from "../../../src/core/clock.ts";
import { verifyEmail } from "../../../src/modules/accounts/email/verify-email.ts";
import { createOneAtATime } from "../../../src/modules/accounts/one-at-a-time.ts";
import type { Passwords } from "../../../src/modules/accounts/passwords/passwords.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { tokenIn } from "../../support/mails.ts";
import { newPasswords } from "../../support/passwords.ts";
import { expectStatus, password, statuses, times } from "../../support/school.ts";
import { enroll } from "../../support/second-factor.ts";
import {
  actions,
  change,
  isSignedIn,
  link,
  logIn,
  prove,
  providersOf,
  renewed,
  type Standalone,
  signUpAlone,
  stored,
} from "./newcomers.ts";

const other = "another horse battery";

const verify = (at: Installation, body: object, by?: { token: string }) =>
  at.call("POST", "/auth/email/verify", { body, ...(by && { token: by.token }) });

const tokenOf = (at: Installation, { email }: Standalone) => tokenIn(at.mails, email, "verify");

/** Mails another token, an hour after the last one. @returns the account, signed in again */
async function another<Who extends Standalone>(at: Installation, who: Who): Promise<Who> {
  at.clock.advance(hours(1));
  const now = await renewed(at, who);
  expectStatus(200, await at.call("POST", "/auth/email/verification", { token: now.token }));
  return now;
}

describe("POST /auth/email/verify", () => {
  test("signed in to the account, verifies the address and changes nothing else", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    await enroll(at, ada);
    await link(at, ada.userId);
    const before = await stored(at, ada.email);
    // A password is ignored.
    const answer = expectStatus(200, await verify(at, { token: tokenOf(at, ada), password: other }, ada));
    expect(answer.body).toEqual({ status: "verified" });
    expect(await stored(at, ada.email)).toEqual({
      ...before,
      email_verified_at: at.clock.now().toISOString() as never,
    });
    expect(await isSignedIn(at, ada)).toBe(true);
    expect(await providersOf(at, ada.userId)).toHaveLength(1);
    expect((await logIn(at, ada.email)).body.mfa_required).toBe(true);
    expect((await actions(at)).at(-2)).toBe("email.verified");
  });

  test("not signed in, takes the account over: sets the password and removes all other means of sign-in", async () => {
    const at = await newInstallation();
    const squatter = await signUpAlone(at);
    await enroll(at, squatter);
    await link(at, squatter.userId);
    const answer = expectStatus(200, await verify(at, { token: tokenOf(at, squatter), password: other }));
    expect(answer.body).toEqual({ status: "verified" });
    expect(answer.headers.get("set-cookie")).toBeNull();

    expect(await isSignedIn(at, squatter)).toBe(false);
    expect((await logIn(at, squatter.email)).status).toBe(401);
    expect((await logIn(at, squatter.email, { password: other })).body.access_token).toBeString();
    expect(await providersOf(at, squatter.userId)).toEqual([]);
    expect((await stored(at, squatter.email)).email_verified_at).not.toBeNull();
    expect(await actions(at)).toContain("account.taken_over");
  });

  test("with the account's password, verifies the address and removes nothing", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    await enroll(at, ada);
    await link(at, ada.userId);
    const before = await stored(at, ada.email);
    expectStatus(200, await verify(at, { token: tokenOf(at, ada), password }));
    expect(await stored(at, ada.email)).toEqual({
      ...before,
      email_verified_at: at.clock.now().toISOString() as never,
    });
    expect(await isSignedIn(at, ada)).toBe(true);
    expect(await providersOf(at, ada.userId)).toHaveLength(1);
    expect((await logIn(at, ada.email)).body.mfa_required).toBe(true);
    expect(await actions(at)).toContain("email.verified");
    expect(await actions(at)).not.toContain("account.taken_over");
  });

  test("with the account's password, signed in to another account, leaves the other account unchanged", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const ben = await signUpAlone(at, "ben@example.com");
    expectStatus(200, await verify(at, { token: tokenOf(at, ada), password }, ben));
    expect([await isSignedIn(at, ada), await isSignedIn(at, ben)]).toEqual([true, true]);
    expect((await stored(at, ben.email)).email_verified_at).toBeNull();
  });

  test("with a password that changes during the check, verifies nothing and removes nothing", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const body = { current_password: password, new_password: other };
    const passwords: Passwords = {
      ...newPasswords({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } }),
      verify: async () => {
        expectStatus(200, await at.call("POST", "/auth/password", { token: ada.token, body }));
        return true;
      },
    };
    const { clock, storage } = at;
    const attempts = { count: async () => undefined, forget: async () => undefined };
    const context = { actor: { kind: "anonymous" }, requestId: "", clock, control: storage.control } as const;
    const parts = { passwords, attempts, oneAtATime: createOneAtATime() };
    const verifying = verifyEmail({ ...context, ...parts }, { token: tokenOf(at, ada), password });
    await expect(verifying).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await stored(at, ada.email)).email_verified_at).toBeNull();
    expect(await isSignedIn(at, ada)).toBe(true);
    expect((await logIn(at, ada.email, { password: other })).status).toBe(200);
  });

  test("limits password attempts, together with logins, and resets the count after the correct one", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const token = tokenOf(at, ada);
    // Rejected by the policy, after it was checked against the account's password.
    const guess = () => verify(at, { token, password: ada.email });
    for (const _ of times(5, (n) => n)) expectStatus(400, await guess());
    for (const _ of times(5, (n) => n)) await logIn(at, ada.email, { password: "wrong" }, "192.0.2.1");
    const refused = expectStatus(429, await guess());
    expect(refused.headers.get("ratelimit-policy")).toContain('"login";q=10;w=900');
    expectStatus(429, await logIn(at, ada.email, {}, "192.0.2.1"));
    at.clock.advance(hours(1));
    expectStatus(200, await verify(at, { token, password }));
    for (const _ of times(9, (n) => n)) await logIn(at, ada.email, { password: "wrong" }, "192.0.2.1");
    expectStatus(200, await logIn(at, ada.email, {}, "192.0.2.1"));
  });

  test("treats a caller signed in to another account as not signed in, and leaves that account unchanged", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const ben = await signUpAlone(at, "ben@example.com");
    const bensBefore = await stored(at, ben.email);
    expectStatus(400, await verify(at, { token: tokenOf(at, ada) }, ben));
    expectStatus(200, await verify(at, { token: tokenOf(at, ada), password: other }, ben));
    expect(await isSignedIn(at, ada)).toBe(false);
    expect(await isSignedIn(at, ben)).toBe(true);
    expect(await stored(at, ben.email)).toEqual(bensBefore);
  });

  test("requires a password if the caller is not signed in; the token stays valid", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const token = tokenOf(at, ada);
    for (const password of [undefined, "short", "qwerty123456", ada.email]) {
      const answer = expectStatus(400, await verify(at, { token, password }));
      expect(answer.body.issues).toMatchObject([{ path: "body.password" }]);
    }
    expect((await stored(at, ada.email)).email_verified_at).toBeNull();
    expect(await isSignedIn(at, ada)).toBe(true);
    expectStatus(200, await verify(at, { token, password: other }));
  });

  test("rejects an invalid session", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    expectStatus(401, await verify(at, { token: tokenOf(at, ada), password: other }, { token: "not.a.token" }));
  });

  test("accepts a token for 24 hours", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const token = tokenOf(at, ada);
    at.clock.advance(hours(24) - 1);
    expectStatus(400, await verify(at, { token }));
    at.clock.advance(1);
    expectStatus(410, await verify(at, { token, password: other }));
  });

  test("rejects tokens of other kinds", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    await at.call("POST", "/auth/password/forgot", { body: { email: ada.email } });
    const reset = tokenIn(at.mails, ada.email, "reset");
    expect(statuses([await verify(at, { token: "x", password: other }), await verify(at, { token: reset })])).toEqual([
      404, 404,
    ]);
  });

  test("accepts a token once, and none after the address is verified", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const first = tokenOf(at, ada);
    await another(at, ada);
    const second = tokenOf(at, ada);
    const wanted = times(5, (n) => `number ${n} horse battery`);
    const answers = await Promise.all(wanted.map((password) => verify(at, { token: second, password })));
    expect(statuses(answers)).toEqual([200, 409, 409, 409, 409]);
    const winner = wanted[answers.findIndex(({ status }) => status === 200)];
    expect((await logIn(at, ada.email, { password: winner })).status).toBe(200);
    expectStatus(409, await verify(at, { token: second, password: other }));
    expectStatus(409, await verify(at, { token: first, password: other }));
    expect((await logIn(at, ada.email, { password: winner })).status).toBe(200);
  });

  test("never takes over an account with a verified address", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const first = tokenOf(at, ada);
    const later = await another(at, ada);
    await prove(at, later);
    expectStatus(409, await verify(at, { token: first, password: other }));
    expect(await isSignedIn(at, later)).toBe(true);
    expect((await logIn(at, ada.email)).status).toBe(200);
  });

  test("rejects a token mailed to a former address of the account", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const token = tokenOf(at, ada);
    await change(at, ada.email, { email: "ada.new@example.com" });
    expectStatus(410, await verify(at, { token }, ada));
    expect((await stored(at, "ada.new@example.com")).email_verified_at).toBeNull();
  });
});
