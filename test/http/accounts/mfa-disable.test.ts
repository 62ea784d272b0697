import { describe, expect, test } from "bun:test";
import { minutes } from "../../../src/core/clock.ts";
import { recoveryCodes, totpEnrollments } from "../../../src/modules/accounts/mfa/mfa.tables.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import { challenged, enroll, step, verify } from "../../support/second-factor.ts";
import { actions, logIn, signUp } from "./newcomers.ts";

const disable = (at: Installation, token?: string) =>
  at.call("DELETE", "/auth/mfa/enroll", token === undefined ? {} : { token });

const left = ({ storage }: Installation) =>
  storage.control.read(async (reader) => [
    ...(await reader.select().from(totpEnrollments)),
    ...(await reader.select().from(recoveryCodes)),
  ]);

describe("DELETE /auth/mfa/enroll", () => {
  test("removes the second factor and deletes the recovery codes", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const factor = await enroll(at, olga);
    expectStatus(200, await step(at, olga, await factor.code()));
    const answer = await disable(at, olga.token);
    expect([answer.status, answer.body]).toEqual([200, { data: { enrolled: false } }]);
    expect((await logIn(at, olga.email)).body).toHaveProperty("access_token");
    expect(await left(at)).toEqual([]);
    expect(await actions(at)).toContain("mfa.disabled");
  });

  test("requires a recent step-up of this session: set-up and sign-in with a code do not count", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const factor = await enroll(at, olga);
    const [recovery = ""] = factor.recoveryCodes;
    const signedIn = expectStatus(200, await verify(at, await challenged(at, olga.email), await factor.code())).body;
    expectStatus(200, await step(at, olga, recovery));
    const refused = await disable(at, signedIn.access_token);
    expect([refused.status, refused.body.error.code]).toEqual([403, "STEP_UP_REQUIRED"]);
    at.clock.advance(minutes(10));
    expect((await disable(at, olga.token)).status).toBe(403);
    expect(await left(at)).toHaveLength(11);
  });

  test("a step-up with a removed second factor does not count for the next one", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const elsewhere = { token: expectStatus(200, await logIn(at, olga.email)).body.access_token };
    const factor = await enroll(at, olga);
    for (const [n, session] of [olga, elsewhere].entries())
      expectStatus(200, await step(at, session, factor.recoveryCodes[n] ?? ""));
    expectStatus(200, await disable(at, olga.token));
    await enroll(at, olga);
    for (const { token } of [olga, elsewhere]) expect((await disable(at, token)).status).toBe(403);
    const regenerate = { token: elsewhere.token };
    expect((await at.call("POST", "/auth/mfa/recovery-codes/regenerate", regenerate)).status).toBe(403);
  });

  test("removes an unconfirmed enrollment without a step-up, and succeeds if there is none", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    expectStatus(200, await disable(at, olga.token));
    expect(await actions(at)).not.toContain("mfa.disabled");
    await at.call("POST", "/auth/mfa/enroll/start", { token: olga.token });
    expectStatus(200, await disable(at, olga.token));
    expect(await left(at)).toEqual([]);
  });

  test("requires a session", async () => {
    expect((await disable(await newInstallation())).status).toBe(401);
  });
});
