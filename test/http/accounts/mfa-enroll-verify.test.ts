import { describe, expect, test } from "bun:test";
import { useSecondFactor } from "../../../src/modules/accounts/mfa/second-factor.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, statuses, times } from "../../support/school.ts";
import { authenticator, challenged, step, verify } from "../../support/second-factor.ts";
import { actions, isLetIn, logIn, signUp } from "./newcomers.ts";

async function begun() {
  const at = await newInstallation();
  const olga = await signUp(at);
  const { token } = olga;
  const { secret } = expectStatus(200, await at.call("POST", "/auth/mfa/enroll/start", { token })).body.data;
  const confirm = (code: string) => at.call("POST", "/auth/mfa/enroll/verify", { token, body: { code } });
  return { at, olga, ...authenticator(at, secret), confirm };
}

describe("POST /auth/mfa/enroll/verify", () => {
  test("enables the second factor and returns ten recovery codes", async () => {
    const { at, olga, code, confirm } = await begun();
    const elsewhere = expectStatus(200, await logIn(at, olga.email)).body.access_token;
    const { recovery_codes } = expectStatus(200, await confirm(await code())).body.data;
    expect(recovery_codes).toHaveLength(10);
    expect(new Set(recovery_codes).size).toBe(10);
    for (const one of recovery_codes) expect(one).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    expect((await actions(at)).at(-1)).toBe("mfa.enrolled");

    expect((await logIn(at, olga.email)).body).toMatchObject({ mfa_required: true });
    // Other sessions stay open.
    expect(await isLetIn(at, { ...olga, token: elsewhere })).toBe(true);
  });

  test("rejects any number of wrong codes, and writes an audit row for each", async () => {
    const { at, olga, code, wrongCode, confirm } = await begun();
    for (const _ of times(12, () => 0)) {
      const answer = await confirm(await wrongCode());
      expect(answer.status).toBe(400);
      expect(answer.body.issues).toEqual([expect.objectContaining({ path: "body.code" })]);
    }
    expect((await logIn(at, olga.email)).body).toHaveProperty("access_token");
    expect((await actions(at)).filter((action) => action === "mfa.failed")).toHaveLength(12);
    expect((await confirm(await code())).status).toBe(200);
  });

  test.each([
    ["no code", {}],
    ["five digits", { code: "12345" }],
    ["a recovery code", { code: "MZXW-6YTB-OJRG-C4RA-KRUG-KIDR" }],
    ["an unknown field", { code: "123456", secret: "x" }],
  ])("rejects %s", async (_, body) => {
    const { at, olga } = await begun();
    expect((await at.call("POST", "/auth/mfa/enroll/verify", { token: olga.token, body })).status).toBe(400);
  });

  test("requires a session", async () => {
    const at = await newInstallation();
    expect((await at.call("POST", "/auth/mfa/enroll/verify", { body: { code: "123456" } })).status).toBe(401);
  });

  test("answers 404 without an enrollment, and after it is confirmed", async () => {
    const at = await newInstallation();
    const { token } = await signUp(at);
    const body = { code: "123456" };
    expect((await at.call("POST", "/auth/mfa/enroll/verify", { token, body })).status).toBe(404);
    const { code, confirm } = await begun();
    expect((await confirm(await code())).status).toBe(200);
    expect((await confirm(await code(1))).status).toBe(404);
  });

  test("says whether no enrollment was started, or it is already confirmed", async () => {
    const { at, code, confirm } = await begun();
    expectStatus(200, await confirm(await code()));
    expect(expectStatus(404, await confirm("123456")).body.error.message).toContain("already confirmed");
    const { token } = await signUp(at, "otto@example.com");
    const never = await at.call("POST", "/auth/mfa/enroll/verify", { token, body: { code: "123456" } });
    expect(expectStatus(404, never).body.error.message).toStartWith("No enrollment was started");
  });

  test("of concurrent requests, exactly one confirms and gets the codes", async () => {
    const { at, olga, code, confirm } = await begun();
    const right = await code();
    const answers = await Promise.all(times(6, () => confirm(right)));
    expect(statuses(answers)).toEqual([200, ...times(5, () => 404)]);
    const [recovery = ""] = answers.find(({ status }) => status === 200)?.body.data.recovery_codes ?? [];
    expectStatus(200, await verify(at, await challenged(at, olga.email), recovery));
  });

  test("marks the code as used: it is rejected afterwards", async () => {
    const { at, olga, code, confirm } = await begun();
    const right = await code();
    expectStatus(200, await confirm(right));
    expect((await step(at, olga, right)).status).toBe(401);
    expect((await verify(at, await challenged(at, olga.email), right)).status).toBe(401);
  });
});

test("the posting useSecondFactor accepts no code of an enrollment that is not confirmed", async () => {
  const { at, olga, code, confirm } = await begun();
  const { userId } = olga;
  const { control, keys } = at.storage;
  const use = async (steps: number) => {
    const given = { userId, code: await code(steps) };
    return control.write((tx) => useSecondFactor(tx, keys, given));
  };
  expect(await use(-1)).toBeUndefined();
  expectStatus(200, await confirm(await code()));
  expect(await use(1)).toBe("totp");
});
