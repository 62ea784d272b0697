import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { minutes, toInstant } from "../../../src/core/clock.ts";
import { users } from "../../../src/identity/identity.tables.ts";
import { sessions } from "../../../src/modules/accounts/accounts.tables.ts";
import { mfaChallenges } from "../../../src/modules/accounts/mfa/mfa.tables.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, password, statuses, times } from "../../support/school.ts";
import { challenged, enroll, step, verify } from "../../support/second-factor.ts";
import { actions, claimsOf, controlAudit, isLetIn, refresh, signUp } from "./newcomers.ts";

async function start() {
  const at = await newInstallation();
  const olga = await signUp(at);
  const factor = await enroll(at, olga);
  return { at, olga, factor };
}

const failedRows = async (at: Installation) =>
  (await controlAudit(at))
    .filter(({ action }) => action === "mfa.failed")
    .map(({ payload }) => JSON.parse(payload ?? ""));

/** Sends wrong codes, one after the other. */
async function guess(at: Installation, token: string, count: number, wrong: string): Promise<number[]> {
  const answers = [];
  for (let n = 0; n < count; n += 1) answers.push((await verify(at, token, wrong)).status);
  return answers;
}

describe("POST /auth/mfa/verify", () => {
  test("finishes the sign-in with a code: returns a token pair, and the session records both factors", async () => {
    const { at, olga, factor } = await start();
    const answer = await verify(at, await challenged(at, olga.email), await factor.code());
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ token_type: "Bearer", expires_in: 900, refresh_expires_in: 30 * 24 * 60 * 60 });
    expect(claimsOf(answer.body.access_token)).toMatchObject({
      sub: olga.userId,
      org: olga.orgId,
      amr: ["pwd", "otp", "mfa"],
    });
    expect(await isLetIn(at, { ...olga, token: answer.body.access_token })).toBe(true);
    expect((await refresh(at, answer.body.refresh_token)).status).toBe(200);
    expect(answer.headers.get("set-cookie")).toBeNull();

    const opened = await at.storage.control.read((reader) =>
      reader.select().from(sessions).where(eq(sessions.user_id, olga.userId)),
    );
    expect(
      opened.map(({ amr, second_factor_at: secondFactorAt, step_up_until: stepUpUntil }) => ({
        amr,
        second_factor_at: secondFactorAt,
        step_up_until: stepUpUntil,
      })),
    ).toContainEqual({
      amr: ["pwd", "otp", "mfa"],
      second_factor_at: toInstant(at.clock.now()),
      step_up_until: null,
    });
    expect((await actions(at)).slice(-3)).toEqual(["session.opened", "mfa.verified", "session.refreshed"]);
  });

  test("acts in the organization of the sign-in, and uses the cookie if the sign-in requested it", async () => {
    const { at, olga, factor } = await start();
    const other = await signUp(at, "otto@example.com");
    const code = { token: other.token, body: { email: olga.email, roles: ["instructor"] } };
    const invited = expectStatus(201, await at.call("POST", `/orgs/${other.orgId}/invites`, code)).body.data;
    const claim = { token: olga.token, body: { token: invited.token } };
    expectStatus(200, await at.call("POST", "/auth/org-invites/claim", claim));

    const token = await challenged(at, olga.email, { cookie: true, org_id: other.orgId });
    const answer = expectStatus(200, await verify(at, token, await factor.code()));
    expect(answer.body).not.toHaveProperty("refresh_token");
    expect(answer.headers.get("set-cookie")).toMatch(/^svc_refresh=.+; HttpOnly; SameSite=Strict/);
    expect(claimsOf(answer.body.access_token).org).toBe(other.orgId);
  });

  test("accepts a recovery code once, with any case, spaces and hyphens", async () => {
    const { at, olga, factor } = await start();
    const [first = "", second = ""] = factor.recoveryCodes;
    const loose = ` ${first.toLowerCase().replaceAll("-", " ")} `;
    expectStatus(200, await verify(at, await challenged(at, olga.email), loose));
    expect((await verify(at, await challenged(at, olga.email), first)).status).toBe(401);
    expectStatus(200, await verify(at, await challenged(at, olga.email), second.replaceAll("-", "")));
    expect((await actions(at)).filter((action) => action === "recovery_code.used")).toHaveLength(2);
  });

  test("accepts a code with spaces, and of the step before or after", async () => {
    const { at, olga, factor } = await start();
    const spaced = (await factor.code()).replace(/(...)/, "$1 ");
    expectStatus(200, await verify(at, await challenged(at, olga.email), spaced));
    expectStatus(200, await verify(at, await challenged(at, olga.email), await factor.code(1)));
    at.clock.advance(minutes(5));
    expectStatus(200, await verify(at, await challenged(at, olga.email), await factor.code(-1)));
    const early = await challenged(at, olga.email);
    expect((await verify(at, early, await factor.code(2))).status).toBe(401);
    expect((await verify(at, early, await factor.code(-2))).status).toBe(401);
  });

  test("rejects a used code, and codes of earlier steps", async () => {
    const { at, olga, factor } = await start();
    const [older, newer] = [await factor.code(), await factor.code(1)];
    expectStatus(200, await verify(at, await challenged(at, olga.email), newer));
    const token = await challenged(at, olga.email);
    expect(statuses([await verify(at, token, newer), await verify(at, token, older)])).toEqual([401, 401]);
  });

  test("of concurrent uses of one challenge, exactly one opens a session", async () => {
    const { at, olga, factor } = await start();
    const token = await challenged(at, olga.email);
    // Different codes, all of them correct: the challenge is used.
    const codes = [await factor.code(), await factor.code(1), ...factor.recoveryCodes.slice(0, 6)];
    const answers = await Promise.all(codes.map((code) => verify(at, token, code)));
    expect(statuses(answers)).toEqual([200, ...times(7, () => 401)]);
    expect((await actions(at)).filter((action) => action === "mfa.verified")).toHaveLength(1);
  });

  test.each(["code", "recovery code"])(
    "of many uses of one %s at once, exactly one wins, wherever it is shown",
    async (what) => {
      const { at, olga, factor } = await start();
      const code = what === "code" ? await factor.code() : (factor.recoveryCodes[0] ?? "");
      const tokens = await Promise.all(times(3, () => challenged(at, olga.email)));
      const answers = await Promise.all([
        ...tokens.map((token) => verify(at, token, code)),
        ...times(3, () => step(at, olga, code)),
      ]);
      expect(statuses(answers)).toEqual([200, ...times(5, () => 401)]);
    },
  );

  test.each([
    ["no code", { mfa_token: "x" }],
    ["no token", { code: "123456" }],
    ["an empty token", { mfa_token: "", code: "123456" }],
    ["five digits", { mfa_token: "x", code: "12345" }],
    ["seven digits", { mfa_token: "x", code: "1234567" }],
    ["letters that no code has", { mfa_token: "x", code: "MZXW-6YTB-OJRG-C4RA-KRUG-KID1" }],
    ["a number", { mfa_token: "x", code: 123456 }],
    ["an unknown field", { mfa_token: "x", code: "123456", remember: true }],
  ])("rejects %s", async (_, body) => {
    const at = await newInstallation();
    const answer = await at.call("POST", "/auth/mfa/verify", { body });
    expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  });

  test("rejects an unknown token and an access token", async () => {
    const { at, olga, factor } = await start();
    for (const token of ["nonsense", olga.token.slice(0, 200)])
      expect((await verify(at, token, await factor.code())).status).toBe(401);
  });

  test("a challenge is valid for exactly five minutes", async () => {
    const { at, olga, factor } = await start();
    const early = await challenged(at, olga.email);
    const late = await challenged(at, olga.email);
    at.clock.advance(minutes(5) - 1);
    expectStatus(200, await verify(at, early, await factor.code()));
    at.clock.advance(1);
    expect((await verify(at, late, await factor.code(1))).status).toBe(401);
  });

  test("after five wrong codes, a challenge rejects the correct code too: 429 until it expires, then 401", async () => {
    const { at, olga, factor } = await start();
    const token = await challenged(at, olga.email);
    const wrong = await factor.wrongCode();
    at.clock.advance(minutes(1));
    expect(await guess(at, token, 5, wrong)).toEqual(times(5, () => 401));
    const dead = await verify(at, token, await factor.code());
    expect([dead.status, dead.body.error.code, dead.headers.get("retry-after")]).toEqual([429, "RATE_LIMITED", "240"]);
    at.clock.advance(minutes(4));
    expect((await verify(at, token, await factor.code())).status).toBe(401);
    // The account can sign in again.
    expectStatus(200, await verify(at, await challenged(at, olga.email), await factor.code()));
  });

  test("concurrent wrong codes are counted individually, each with an audit row", async () => {
    const { at, olga, factor } = await start();
    const token = await challenged(at, olga.email);
    const wrong = await factor.wrongCode();
    const answers = await Promise.all(times(8, () => verify(at, token, wrong)));
    expect(statuses(answers)).toEqual([...times(5, () => 401), ...times(3, () => 429)]);
    expect((await failedRows(at)).map(({ after }) => after)).toEqual(
      times(5, (n) => ({ at: "sign_in", failures: n + 1 })),
    );
  });

  test("limits guesses at one account to 10 in 15 minutes, over all its challenges and step-ups", async () => {
    const { at, olga, factor } = await start();
    const wrong = await factor.wrongCode();
    expect(await guess(at, await challenged(at, olga.email), 4, wrong)).toEqual(times(4, () => 401));
    expect(await guess(at, await challenged(at, olga.email), 4, wrong)).toEqual(times(4, () => 401));
    expect((await step(at, olga, wrong)).status).toBe(401);
    const third = await challenged(at, olga.email);
    expect(await guess(at, third, 1, wrong)).toEqual([401]);

    const refused = await verify(at, third, await factor.code());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "90"]);
    expect(refused.headers.get("ratelimit-policy")).toBe('"mfa";q=10;w=900');
    expect((await step(at, olga, await factor.code())).status).toBe(429);
    // Other accounts are not affected, and the limit ends.
    const otto = await signUp(at, "otto@example.com");
    const others = await enroll(at, otto);
    expectStatus(200, await verify(at, await challenged(at, otto.email), await others.code()));
    at.clock.advance(minutes(1.5));
    expectStatus(200, await verify(at, third, await factor.code()));
  });

  test("a success resets the account's count", async () => {
    const { at, olga, factor } = await start();
    const wrong = await factor.wrongCode();
    for (const code of factor.recoveryCodes.slice(0, 4)) {
      const token = await challenged(at, olga.email);
      expect(await guess(at, token, 4, wrong)).toEqual(times(4, () => 401));
      expectStatus(200, await verify(at, token, code));
    }
  });

  test("rejects an account that was disabled meanwhile", async () => {
    const { at, olga, factor } = await start();
    const token = await challenged(at, olga.email);
    await at.storage.control.write((tx) =>
      tx.update(users).set({ disabled_at: tx.now }).where(eq(users.id, olga.userId)),
    );
    expect((await verify(at, token, await factor.code())).status).toBe(401);
  });

  test("rejects a sign-in whose password was changed meanwhile", async () => {
    const { at, olga, factor } = await start();
    const token = await challenged(at, olga.email);
    const body = { current_password: password, new_password: "another battery horse" };
    expectStatus(200, await at.call("POST", "/auth/password", { token: olga.token, body }));
    expect((await verify(at, token, await factor.code())).status).toBe(401);
  });

  test("rejects a sign-in whose second factor was removed or replaced meanwhile", async () => {
    const { at, olga, factor } = await start();
    const token = await challenged(at, olga.email);
    expectStatus(200, await step(at, olga, await factor.code()));
    expectStatus(200, await at.call("DELETE", "/auth/mfa/enroll", { token: olga.token }));
    const next = await enroll(at, olga);
    expect((await verify(at, token, factor.recoveryCodes[0] ?? "")).status).toBe(401);
    expect((await verify(at, token, await next.code())).status).toBe(401);
  });

  test("no code, token or secret is stored or logged in plain text", async () => {
    const { at, olga, factor } = await start();
    const token = await challenged(at, olga.email);
    const code = await factor.code();
    const recovery = factor.recoveryCodes[0] ?? "";
    await verify(at, token, recovery);
    await step(at, olga, code);
    const { control } = at.storage;
    const rows = await control.read(async (reader) =>
      JSON.stringify([await reader.select().from(mfaChallenges), await controlAudit(at), at.logged]),
    );
    for (const secret of [token, code, recovery, recovery.replaceAll("-", ""), factor.secret])
      expect(rows).not.toContain(secret);
  });
});
