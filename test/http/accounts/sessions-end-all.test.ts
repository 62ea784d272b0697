import { describe, expect, test } from "bun:test";
import { minutes } from "../../../src/core/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, statuses } from "../../support/school.ts";
import { actions, controlAudit, isLetIn, logIn, refresh, sessionIdOf, signUp } from "./newcomers.ts";

describe("DELETE /auth/sessions", () => {
  test("ends every session of the caller, and no others", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const { body: other } = expectStatus(200, await logIn(at, olga.email));

    const answer = await at.call("DELETE", "/auth/sessions", { token: olga.token });
    expect([answer.status, answer.body]).toEqual([200, { status: "signed_out" }]);
    expect(answer.headers.get("set-cookie")).toStartWith("svc_refresh=; Max-Age=0");
    expect(await isLetIn(at, olga)).toBe(false);
    expect(await isLetIn(at, { ...olga, token: other.access_token })).toBe(false);
    expect(statuses([await refresh(at, olga.refreshToken), await refresh(at, other.refresh_token)])).toEqual([
      401, 401,
    ]);
    expect(await isLetIn(at, otto)).toBe(true);
    expect((await actions(at)).at(-1)).toBe("sessions.ended");
  });

  test("leaves sessions that ended before as they are", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { access_token: ended } = expectStatus(200, await logIn(at, olga.email)).body;
    expectStatus(200, await at.call("DELETE", `/auth/sessions/${sessionIdOf(ended)}`, { token: olga.token }));
    at.clock.advance(minutes(1));

    expectStatus(200, await at.call("DELETE", "/auth/sessions", { token: olga.token }));

    const { after } = JSON.parse((await controlAudit(at)).at(-1)?.payload ?? "{}");
    expect(after).toEqual({ session_ids: [sessionIdOf(olga.token)] });
  });

  test.each([
    ["no credential", {}],
    ["a bad token", { token: "nonsense" }],
  ])("rejects %s", async (_, call) => {
    const at = await newInstallation();
    expect((await at.call("DELETE", "/auth/sessions", call)).status).toBe(401);
  });
});
