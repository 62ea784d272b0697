import { describe, expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, statuses, times } from "../../support/school.ts";
import { actions, isLetIn, logIn, refresh, signUp } from "./newcomers.ts";

describe("POST /auth/logout", () => {
  test("ends the refresh token's session: both tokens stop working immediately", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const answer = await at.call("POST", "/auth/logout", { body: { refresh_token: olga.refreshToken } });
    expect([answer.status, answer.body]).toEqual([200, { status: "signed_out" }]);
    expect(await isLetIn(at, olga)).toBe(false);
    expect((await refresh(at, olga.refreshToken)).status).toBe(401);
    expect((await actions(at)).at(-1)).toBe("session.ended");
  });

  test("ends the access token's session", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    expect((await at.call("POST", "/auth/logout", { token: olga.token })).status).toBe(200);
    expect(await isLetIn(at, olga)).toBe(false);
  });

  test("ends this session only", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { body: other } = expectStatus(200, await logIn(at, olga.email));
    await at.call("POST", "/auth/logout", { token: olga.token });
    expect((await refresh(at, other.refresh_token)).status).toBe(200);
  });

  test("of concurrent requests one succeeds, and the others find the session ended", async () => {
    const at = await newInstallation();
    const { token } = await signUp(at);
    const answers = await Promise.all(times(4, () => at.call("POST", "/auth/logout", { token })));
    expect(statuses(answers)).toEqual([200, 401, 401, 401]);
  });

  test("accepts a used refresh token: it still names its session", async () => {
    const at = await newInstallation();
    const { refreshToken } = await signUp(at);
    const { body } = expectStatus(200, await refresh(at, refreshToken));
    expect((await at.call("POST", "/auth/logout", { body: { refresh_token: refreshToken } })).status).toBe(200);
    expect((await refresh(at, body.refresh_token)).status).toBe(401);
  });

  test.each([
    ["no credential", {}, 401],
    ["an invalid access token", { token: "nonsense" }, 401],
    ["an invalid refresh token", { body: { refresh_token: "nonsense" } }, 401],
    ["an unknown field", { body: { everywhere: true } }, 400],
  ])("rejects %s", async (_, call, status) => {
    const at = await newInstallation();
    const answer = await at.call("POST", "/auth/logout", call);
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.headers.get("set-cookie")).toStartWith("svc_refresh=; Max-Age=0");
  });

  test.each([
    ["our own page", { "sec-fetch-site": "same-origin" }, true],
    ["the address bar", { "sec-fetch-site": "none" }, true],
    ["an older browser on our own page", { origin: "http://127.0.0.1:3000" }, true],
    ["a client that is not a browser", {}, true],
    ["another site", { "sec-fetch-site": "cross-site", origin: "http://evil.example" }, false],
    ["another origin of our site", { "sec-fetch-site": "same-site" }, false],
    ["an older browser on another page", { origin: "http://evil.example" }, false],
    ["a sandboxed page", { origin: "null" }, false],
  ])("without a token, clears the cookie, but not for other origins: sent by %s", async (_, headers, clears) => {
    const at = await newInstallation();
    const answer = await at.call("POST", "/auth/logout", { headers: { cookie: "svc_refresh=theirs", ...headers } });
    expect([answer.status, answer.headers.has("set-cookie")]).toEqual([401, clears]);
  });

  test("with a valid token it ends the session and clears the cookie, from any origin", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const headers = { "sec-fetch-site": "cross-site" };
    const forged = await at.call("POST", "/auth/logout", { token: "not.a.token", headers });
    expect([forged.status, forged.headers.has("set-cookie")]).toEqual([401, false]);
    const answer = await at.call("POST", "/auth/logout", { token: olga.token, headers });
    expect([answer.status, answer.headers.has("set-cookie")]).toEqual([200, true]);
    expect(await isLetIn(at, olga)).toBe(false);
  });

  test("rejects an expired session", async () => {
    const at = await newInstallation();
    const { refreshToken } = await signUp(at);
    at.clock.advance(days(30));
    expect((await at.call("POST", "/auth/logout", { body: { refresh_token: refreshToken } })).status).toBe(401);
  });
});
