import { describe, expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, newOwnSchool, newSchool, type School, statuses, times } from "../../support/school.ts";
import { challenged, enroll, step, verify } from "../../support/second-factor.ts";
import { webhookUrl } from "../integrations/scenery.ts";
import { actions, signUp } from "./newcomers.ts";

async function start() {
  const at = await newInstallation();
  const olga = await signUp(at);
  return { at, olga, factor: await enroll(at, olga) };
}

describe("POST /auth/mfa/step", () => {
  test("accepts a code or a recovery code, and returns when the step-up expires", async () => {
    const { at, olga, factor } = await start();
    const answer = expectStatus(200, await step(at, olga, await factor.code()));
    expect(answer.body).toEqual({ data: { step_up_until: "2026-06-14T09:10:00.000Z" } });
    expect((await actions(at)).at(-1)).toBe("mfa.stepped_up");
    at.clock.advance(60_000);
    const again = expectStatus(200, await step(at, olga, factor.recoveryCodes[3] ?? ""));
    expect(again.body.data.step_up_until).toBe("2026-06-14T09:11:00.000Z");
    expect((await actions(at)).slice(-2)).toEqual(["recovery_code.used", "mfa.stepped_up"]);
  });

  test.each([
    ["no code", {}],
    ["five digits", { code: "12345" }],
    ["an unknown field", { code: "123456", until: "2030-01-01" }],
  ])("rejects %s", async (_, body) => {
    const { at, olga } = await start();
    expect((await at.call("POST", "/auth/mfa/step", { token: olga.token, body })).status).toBe(400);
  });

  test("rejects a wrong and a used code, and writes an audit row for each", async () => {
    const { at, olga, factor } = await start();
    const right = await factor.code();
    expectStatus(200, await step(at, olga, right));
    expect((await step(at, olga, right)).status).toBe(401);
    const wrong = await step(at, olga, await factor.wrongCode());
    expect([wrong.status, wrong.body.error.code]).toEqual([401, "UNAUTHORIZED"]);
    expect((await actions(at)).slice(-2)).toEqual(["mfa.failed", "mfa.failed"]);
  });

  test("rejects codes of another account", async () => {
    const { at, olga } = await start();
    const other = await enroll(at, await signUp(at, "otto@example.com"));
    for (const code of [await other.code(), other.recoveryCodes[0] ?? ""])
      expect((await step(at, olga, code)).status).toBe(401);
  });

  test("requires a session", async () => {
    const at = await newInstallation();
    expect((await at.call("POST", "/auth/mfa/step", { body: { code: "123456" } })).status).toBe(401);
  });

  test("returns 412 for an account without a confirmed second factor", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const answer = await step(at, olga, "123456");
    expect([answer.status, answer.body.error.code]).toEqual([412, "PRECONDITION_FAILED"]);
    await at.call("POST", "/auth/mfa/enroll/start", { token: olga.token });
    for (const _ of times(12, () => 0)) expect((await step(at, olga, "123456")).status).toBe(412);
  });

  test("limits guesses to 10 in 15 minutes, concurrent guesses included", async () => {
    const { at, olga, factor } = await start();
    const wrong = await factor.wrongCode();
    const answers = await Promise.all(times(20, () => step(at, olga, wrong)));
    expect(statuses(answers)).toEqual([...times(10, () => 401), ...times(10, () => 429)]);
    const refused = await step(at, olga, await factor.code());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "90"]);
    at.clock.advance(90_000);
    expectStatus(200, await step(at, olga, await factor.code()));
  });

  test("a success resets the count", async () => {
    const { at, olga, factor } = await start();
    const wrong = await factor.wrongCode();
    for (const code of factor.recoveryCodes.slice(0, 3)) {
      for (const _ of times(9, () => 0)) expect((await step(at, olga, wrong)).status).toBe(401);
      expectStatus(200, await step(at, olga, code));
    }
  });
});

describe("a recent step-up is required of an account with a second factor", () => {
  const key = { name: "Reader", scopes: ["public.flights:read"] };
  const endpoint = { url: webhookUrl, event_types: ["flight.submitted"] };
  const sensitive: [string, number, (school: School) => Promise<() => ReturnType<School["owner"]["post"]>>][] = [
    [
      "creating an API key",
      201,
      async ({ owner }) =>
        () =>
          owner.post("/integrations/api-keys", key),
    ],
    [
      "creating a webhook endpoint",
      201,
      async ({ owner }) =>
        () =>
          owner.post("/integrations/webhook-endpoints", endpoint),
    ],
    [
      "changing the URL of an endpoint",
      200,
      async ({ owner }) => {
        const { id } = expectStatus(201, await owner.post("/integrations/webhook-endpoints", endpoint)).body.data;
        let attempts = 0;
        return () =>
          owner.patch(`/integrations/webhook-endpoints/${id}`, { url: `${endpoint.url}/elsewhere/${attempts++}` });
      },
    ],
    [
      "rotating a signing secret",
      200,
      async ({ owner }) => {
        const { id } = expectStatus(201, await owner.post("/integrations/webhook-endpoints", endpoint)).body.data;
        return () => owner.post(`/integrations/webhook-endpoints/${id}/rotate-secret`);
      },
    ],
    [
      "changing roles",
      200,
      async ({ owner, student }) => {
        let roles = ["student"];
        return () => {
          roles = roles.length === 1 ? ["student", "mechanic"] : ["student"];
          return owner.patch(`/members/${student.userId}`, { roles });
        };
      },
    ],
    [
      "inviting a member",
      201,
      async ({ owner }) =>
        () =>
          owner.post("/invites", { email: "ada@example.com", roles: ["owner"] }),
    ],
    [
      "sending an invite again",
      200,
      async ({ owner }) => {
        const invite = { email: "ada@example.com", roles: ["owner"] };
        const { id } = expectStatus(201, await owner.post("/invites", invite)).body.data;
        return () => owner.post(`/invites/${id}/resend`);
      },
    ],
  ];

  test.each(sensitive)("for %s, within the last ten minutes", async (_, success, prepare) => {
    const school = await newOwnSchool();
    const { owner, installation } = school;
    const attempt = await prepare(school);
    const factor = await enroll(installation, owner);

    const refused = await attempt();
    expect([refused.status, refused.body.error.code]).toEqual([403, "STEP_UP_REQUIRED"]);
    expectStatus(200, await step(installation, owner, await factor.code()));
    installation.clock.advance(10 * 60_000 - 1);
    expect((await attempt()).status).toBe(success);
    installation.clock.advance(1);
    expect((await attempt()).status).toBe(403);
  });

  test.each(sensitive)("for %s, but not if the account has no second factor", async (_, success, prepare) => {
    const school = await newSchool();
    const attempt = await prepare(school);
    expect((await attempt()).status).toBe(success);
  });

  test("and a step-up while the clock was a day ahead has ended when it is set back", async () => {
    const { installation, owner } = await newOwnSchool();
    const factor = await enroll(installation, owner);
    const { clock } = installation;
    expectStatus(200, await step(installation, owner, await factor.code()));
    expectStatus(201, await owner.post("/integrations/api-keys", key));
    clock.advance(-60_000);
    expectStatus(201, await owner.post("/integrations/api-keys", { ...key, name: "Another" }));
    clock.advance(-1);
    expect((await owner.post("/integrations/api-keys", key)).status).toBe(403);
  });

  test("in this session: a step-up of another session does not count", async () => {
    const { installation, owner } = await newSchool();
    const factor = await enroll(installation, owner);
    const token = await challenged(installation, owner.email);
    const elsewhere = expectStatus(200, await verify(installation, token, factor.recoveryCodes[0] ?? "")).body;
    expectStatus(200, await step(installation, { token: elsewhere.access_token }, await factor.code()));
    expect((await owner.post("/integrations/api-keys", key)).status).toBe(403);
  });

  test("after the check of the permission", async () => {
    const school = await newSchool();
    const { installation, student } = school;
    await enroll(installation, student);
    const answer = await student.post("/integrations/api-keys", key);
    expect([answer.status, answer.body.error.code]).toEqual([403, "FORBIDDEN"]);
  });
});
