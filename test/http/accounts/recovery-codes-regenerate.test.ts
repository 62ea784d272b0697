import { describe, expect, test } from "bun:test";
import { minutes } from "../../../src/core/clock.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import { challenged, enroll, step, verify } from "../../support/second-factor.ts";
import { actions, logIn, signUp } from "./newcomers.ts";

const regenerate = (at: Installation, token?: string) =>
  at.call("POST", "/auth/mfa/recovery-codes/regenerate", token === undefined ? {} : { token });

describe("POST /auth/mfa/recovery-codes/regenerate", () => {
  test("replaces every code, used or not, by ten new ones", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { recoveryCodes: old } = await enroll(at, olga);
    expectStatus(200, await step(at, olga, old[0] ?? ""));
    const { recovery_codes: codes } = expectStatus(200, await regenerate(at, olga.token)).body.data;
    expect((await actions(at)).at(-1)).toBe("recovery_codes.regenerated");
    expect(codes).toHaveLength(10);
    expect(codes.filter((code: string) => old.includes(code))).toEqual([]);
    const { body } = await at.call("GET", "/auth/mfa/recovery-codes", { token: olga.token });
    expect(body.data).toEqual({ total: 10, remaining: 10 });
    expect((await step(at, olga, old[1] ?? "")).status).toBe(401);
    expectStatus(200, await step(at, olga, codes[1]));
  });

  test("without a step-up, creates codes that sign in but do not step up sessions older than the codes", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const factor = await enroll(at, olga);
    at.clock.advance(minutes(1));
    const { recovery_codes: codes } = expectStatus(200, await regenerate(at, olga.token)).body.data;
    const handed = (await at.call("POST", "/auth/establish-token", { token: olga.token })).body;
    at.clock.advance(1000);
    const exchanged = await at.call("POST", "/auth/establish-exchange", { body: { token: handed.token } });
    for (const token of [olga.token, expectStatus(200, exchanged).body.access_token])
      expect((await step(at, { token }, codes[0])).status).toBe(401);
    expect((await at.call("DELETE", "/auth/mfa/enroll", { token: olga.token })).status).toBe(403);

    const opened = expectStatus(200, await verify(at, await challenged(at, olga.email), codes[0])).body;
    expectStatus(200, await step(at, { token: opened.access_token }, codes[1]));
    // Codes created after a step-up have no restriction.
    at.clock.advance(minutes(1));
    expectStatus(200, await step(at, olga, await factor.code()));
    const { recovery_codes: better } = expectStatus(200, await regenerate(at, olga.token)).body.data;
    expectStatus(200, await step(at, olga, better[0]));
  });

  test("without a step-up, steps up another session that signed in at the same moment, and none of a moment before", async () => {
    for (const [wait, status] of [
      [0, 200],
      [1, 401],
    ] as const) {
      const at = await newInstallation();
      const olga = await signUp(at);
      const factor = await enroll(at, olga);
      at.clock.advance(minutes(1));
      const opened = (await verify(at, await challenged(at, olga.email), await factor.code())).body;
      at.clock.advance(wait);
      const { recovery_codes: codes } = expectStatus(200, await regenerate(at, olga.token)).body.data;
      expect((await step(at, { token: opened.access_token }, codes[0])).status).toBe(status);
    }
  });

  test("keeps the codes of other accounts", async () => {
    const at = await newInstallation();
    const [olga, otto] = [await signUp(at), await signUp(at, "otto@example.com")];
    await enroll(at, olga);
    const others = await enroll(at, otto);
    expectStatus(200, await regenerate(at, olga.token));
    expectStatus(200, await step(at, otto, others.recoveryCodes[0] ?? ""));
  });

  test("requires a verification in this session within ten minutes: set-up, sign-in or step-up", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const before = expectStatus(200, await logIn(at, olga.email)).body.access_token;
    const factor = await enroll(at, olga);
    const refused = await regenerate(at, before);
    expect([refused.status, refused.body.error.code]).toEqual([403, "STEP_UP_REQUIRED"]);
    expectStatus(200, await step(at, { token: before }, await factor.code()));
    expectStatus(200, await regenerate(at, before));

    at.clock.advance(minutes(10) - 1);
    expectStatus(200, await regenerate(at, olga.token));
    at.clock.advance(1);
    expect((await regenerate(at, olga.token)).status).toBe(403);
    const { access_token } = (await verify(at, await challenged(at, olga.email), await factor.code())).body;
    expectStatus(200, await regenerate(at, access_token));
  });

  test("answers 412 to an account without a confirmed second factor", async () => {
    const at = await newInstallation();
    const { token } = await signUp(at);
    const answer = await regenerate(at, token);
    expect([answer.status, answer.body.error.code]).toEqual([412, "PRECONDITION_FAILED"]);
    await at.call("POST", "/auth/mfa/enroll/start", { token });
    expect((await regenerate(at, token)).status).toBe(412);
  });

  test("requires a session", async () => {
    expect((await regenerate(await newInstallation())).status).toBe(401);
  });
});
