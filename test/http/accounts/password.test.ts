import { describe, expect, test } from "bun:test";
import { minutes, shift } from "../../../src/core/clock.ts";
import type { UserId } from "../../../src/core/ids.ts";
import { mfaChallenges } from "../../../src/modules/accounts/mfa/mfa.tables.ts";
import { oauthFlows } from "../../../src/modules/accounts/oauth/oauth.tables.ts";
import type { Tx } from "../../../src/storage/store.ts";
import { type Call, type Installation, newInstallation } from "../../support/installation.ts";
import { tokenIn } from "../../support/mails.ts";
import { expectStatus, password, statuses, times } from "../../support/school.ts";
import { challenged, enroll } from "../../support/second-factor.ts";
import {
  actions,
  change,
  freshAddress,
  isSignedIn,
  link,
  logIn,
  prove,
  providersOf,
  refresh,
  signUpAlone,
  stored,
} from "./newcomers.ts";

const other = "another horse battery";
const put = (at: Installation, token: string | undefined, body: object = {}): ReturnType<Installation["call"]> => {
  const call: Call = { body: { current_password: password, new_password: other, ...body } };
  return at.call("POST", "/auth/password", token === undefined ? call : { ...call, token });
};
const forgot = (at: Installation, email: string) =>
  at.call("POST", "/auth/password/forgot", { body: { email }, from: freshAddress() });

describe("POST /auth/password", () => {
  test("changes the password, ends every other session and keeps this one", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const elsewhere = (await logIn(at, ada.email)).body;
    const ben = await signUpAlone(at, "ben@example.com");

    expect(expectStatus(200, await put(at, ada.token)).body).toEqual({ status: "password_changed" });

    expect(await isSignedIn(at, ada)).toBe(true);
    expect((await refresh(at, ada.refreshToken)).status).toBe(200);
    expect(await isSignedIn(at, { token: elsewhere.access_token })).toBe(false);
    expect((await refresh(at, elsewhere.refresh_token)).status).toBe(401);
    expect(await isSignedIn(at, ben)).toBe(true);
    expect(statuses([await logIn(at, ada.email), await logIn(at, ada.email, { password: other })])).toEqual([200, 401]);
    expect((await logIn(at, ada.email, { password: other })).status).toBe(200);
    expect(await actions(at)).toContain("password.changed");
  });

  test("ends the account's sign-ins in progress at providers, and no others", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const ben = await signUpAlone(at, "ben@example.com");
    const begun = (userId: UserId | null, stateHash: string) => (tx: Tx<"control">) =>
      tx.insert(oauthFlows).values({
        state_hash: stateHash,
        provider: "example",
        nonce: "",
        sealed: "",
        browser_hash: "",
        user_id: userId,
        created_at: tx.now,
        expires_at: shift(tx.now, minutes(10)),
      });
    for (const userId of [ada.userId, ben.userId, null]) {
      await at.storage.control.write(begun(userId, userId ?? "nobody's"));
    }
    expectStatus(200, await put(at, ada.token));
    const left = await at.storage.control.read((reader) => reader.select().from(oauthFlows));
    expect(left.map(({ state_hash: stateHash }) => stateHash).sort()).toEqual([ben.userId, "nobody's"].sort());
  });

  test("mails a notice, without a link and without the password", async () => {
    const at = await newInstallation({ env: { WINDSOCK_PUBLIC_URL: "https://ops.example.com" } });
    const ada = await signUpAlone(at);
    await prove(at, ada);
    await put(at, ada.token);
    const notice = at.mails.at(-1);
    expect(notice).toMatchObject({ to: ada.email, subject: "Your password was changed" });
    expect(notice?.text).toContain("https://ops.example.com");
    for (const hidden of ["#", password, other]) expect(notice?.text).not.toContain(hidden);
  });

  test("ends open resets and sign-ins that wait for a code, and keeps the second factor and providers", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    await enroll(at, ada);
    await link(at, ada.userId);
    await forgot(at, ada.email);
    const reset = tokenIn(at.mails, ada.email, "reset");
    await challenged(at, ada.email);
    expectStatus(200, await put(at, ada.token));

    const body = { token: reset, password: "a third horse battery" };
    expect((await at.call("POST", "/auth/password/reset", { body })).status).toBe(410);
    expect(await at.storage.control.read((reader) => reader.select().from(mfaChallenges))).toEqual([]);
    expect((await logIn(at, ada.email, { password: other })).body.mfa_required).toBe(true);
    expect(await providersOf(at, ada.userId)).toHaveLength(1);
  });

  test("rejects a wrong current password, and after 10 in 15 minutes every password", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const before = await stored(at, ada.email);
    for (let n = 0; n < 10; n += 1)
      expectStatus(401, await put(at, ada.token, { current_password: "not my password" }));
    const refused = expectStatus(429, await put(at, ada.token));
    expect(refused.headers.get("ratelimit-policy")).toContain('"password";q=10;w=900');
    expect(await stored(at, ada.email)).toEqual(before);
    expect(await isSignedIn(at, ada)).toBe(true);

    const ben = await signUpAlone(at, "ben@example.com");
    expectStatus(200, await put(at, ben.token));
    at.clock.advance(minutes(2));
    expectStatus(200, await put(at, ada.token));
  });

  test("counts successful changes too: each costs two hashes", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const [even, odd] = [
      { current_password: password, new_password: other },
      { current_password: other, new_password: password },
    ];
    for (let n = 0; n < 10; n += 1) expectStatus(200, await put(at, ada.token, n % 2 ? odd : even));
    expectStatus(429, await put(at, ada.token, even));
  });

  test("rejects the current password as the new one, in any Unicode form, only after the current one is correct", async () => {
    const at = await newInstallation();
    const accented = "caf\u00e9 horse battery";
    const ada = await signUpAlone(at);
    expectStatus(200, await put(at, ada.token, { new_password: accented }));
    for (const new_password of [accented, accented.normalize("NFD")]) {
      const refused = expectStatus(400, await put(at, ada.token, { current_password: accented, new_password }));
      expect(refused.body.issues).toEqual([
        { path: "body.new_password", code: "impossible", message: "Must not be the current password." },
      ]);
    }
    expectStatus(401, await put(at, ada.token, { current_password: other, new_password: other }));
  });

  test("requires a session", async () => {
    const at = await newInstallation();
    await signUpAlone(at);
    expect(statuses([await put(at, undefined), await put(at, "not.a.token")])).toEqual([401, 401]);
  });

  test.each([
    ["short", "12345678901"],
    ["common", "Qwerty123456"],
    ["the address", " ADA@example.com"],
    ["the address in full-width letters", "ＡＤＡ＠example.com"],
  ])("rejects a new password that is %s", async (_, new_password) => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const answer = expectStatus(400, await put(at, ada.token, { new_password }));
    expect(answer.body.issues).toMatchObject([{ path: "body.new_password" }]);
    expect(answer.text).not.toContain(new_password);
  });

  test("tells an account without a password how to set one", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    await change(at, ada.email, { password_hash: null });
    const answer = expectStatus(409, await put(at, ada.token));
    expect(answer.body.error.message).toContain("/auth/password/forgot");
    await forgot(at, ada.email);
    const body = { token: tokenIn(at.mails, ada.email, "reset"), password: other };
    expectStatus(200, await at.call("POST", "/auth/password/reset", { body }));
    expect((await logIn(at, ada.email, { password: other })).status).toBe(200);
  });

  test("of concurrent changes one succeeds, and sets its password", async () => {
    const at = await newInstallation();
    const ada = await signUpAlone(at);
    const wanted = times(4, (n) => `number ${n} horse battery`);
    const answers = await Promise.all(wanted.map((new_password) => put(at, ada.token, { new_password })));
    expect(statuses(answers)).toEqual([200, 409, 409, 409]);
    const winner = wanted[answers.findIndex(({ status }) => status === 200)];
    expect((await logIn(at, ada.email, { password: winner })).status).toBe(200);
  });
});
