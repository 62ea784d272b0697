import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { days, minutes, seconds } from "../../../src/core/clock.ts";
import { users } from "../../../src/identity/identity.tables.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, statuses, times } from "../../support/school.ts";
import { actions, claimsOf, isLetIn, refresh, signUp } from "./newcomers.ts";

describe("POST /auth/refresh", () => {
  test("returns a next pair that works, with its access token", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    let token = olga.refreshToken;
    for (let round = 0; round < 3; round += 1) {
      at.clock.advance(minutes(20));
      const { body } = expectStatus(200, await refresh(at, token));
      expect(body.refresh_token).not.toBe(token);
      expect(await isLetIn(at, { orgId: olga.orgId, token: body.access_token })).toBe(true);
      expect(claimsOf(body.access_token)).toMatchObject({ sub: olga.userId, org: olga.orgId });
      token = body.refresh_token;
    }
    expect((await actions(at)).filter((action) => action === "session.refreshed")).toHaveLength(3);
  });

  test("returns the same next token for a repeat within 10 seconds", async () => {
    const at = await newInstallation();
    const { refreshToken } = await signUp(at);
    const first = expectStatus(200, await refresh(at, refreshToken));
    at.clock.advance(seconds(10));
    const again = expectStatus(200, await refresh(at, refreshToken));
    expect(again.body.refresh_token).toBe(first.body.refresh_token);
    expect((await refresh(at, first.body.refresh_token)).status).toBe(200);
  });

  test("concurrent tabs stay signed in with the same next token", async () => {
    const at = await newInstallation();
    const { refreshToken } = await signUp(at);
    const answers = await Promise.all(times(8, () => refresh(at, refreshToken)));
    expect(statuses(answers)).toEqual(times(8, () => 200));
    const next = new Set(answers.map(({ body }) => body.refresh_token));
    expect(next.size).toBe(1);
    expect((await actions(at)).filter((action) => action === "session.refreshed")).toHaveLength(1);
  });

  test.each([
    ["after 10 seconds", seconds(10) + 1],
    ["of a clock that was a day ahead and was set back", -days(1)],
  ])("a reuse %s ends the session, with its access tokens", async (_, passed) => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { body } = expectStatus(200, await refresh(at, olga.refreshToken));
    at.clock.advance(passed);
    expect((await refresh(at, olga.refreshToken)).status).toBe(401);
    expect((await refresh(at, body.refresh_token)).status).toBe(401);
    expect(await isLetIn(at, { orgId: olga.orgId, token: body.access_token })).toBe(false);
    expect(await actions(at)).toContain("session.reuse_detected");
  });

  test("a reuse after the next token was used ends the session, at any time", async () => {
    const at = await newInstallation();
    const { refreshToken } = await signUp(at);
    const { body: second } = expectStatus(200, await refresh(at, refreshToken));
    const { body: third } = expectStatus(200, await refresh(at, second.refresh_token));
    expect((await refresh(at, refreshToken)).status).toBe(401);
    expect((await refresh(at, third.refresh_token)).status).toBe(401);
  });

  test("the end of a session does not end the account's other sessions", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const login = { email: olga.email, password: "correct horse battery" };
    const { body: other } = expectStatus(200, await at.call("POST", "/auth/login", { body: login }));
    await refresh(at, olga.refreshToken);
    at.clock.advance(minutes(1));
    expect((await refresh(at, olga.refreshToken)).status).toBe(401);
    expect((await refresh(at, other.refresh_token)).status).toBe(200);
  });

  test("ends after 30 idle days", async () => {
    const at = await newInstallation();
    const { refreshToken } = await signUp(at);
    at.clock.advance(days(30) - 1);
    const { body } = expectStatus(200, await refresh(at, refreshToken));
    at.clock.advance(days(30));
    expect((await refresh(at, body.refresh_token)).status).toBe(401);
  });

  test("ends 90 days after the sign-in, with any number of refreshes", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    let pair = { refresh_token: olga.refreshToken, access_token: olga.token, refresh_expires_in: 0 };
    for (let day = 20; day <= 80; day += 20) {
      at.clock.advance(days(20));
      pair = expectStatus(200, await refresh(at, pair.refresh_token)).body;
    }
    expect(pair.refresh_expires_in).toBe(days(10) / 1000);
    at.clock.advance(days(10) - minutes(5));
    pair = expectStatus(200, await refresh(at, pair.refresh_token)).body;
    expect(await isLetIn(at, { orgId: olga.orgId, token: pair.access_token })).toBe(true);
    at.clock.advance(minutes(5));
    // The access token itself would be valid for ten more minutes.
    expect(await isLetIn(at, { orgId: olga.orgId, token: pair.access_token })).toBe(false);
    expect((await refresh(at, pair.refresh_token)).status).toBe(401);
  });

  test("ends when the account is disabled", async () => {
    const at = await newInstallation();
    const { refreshToken, email } = await signUp(at);
    await at.storage.control.write((tx) => tx.update(users).set({ disabled_at: tx.now }).where(eq(users.email, email)));
    expect((await refresh(at, refreshToken)).status).toBe(401);
  });

  test.each([
    ["no body", undefined, 400],
    ["no token", {}, 400],
    ["an empty token", { refresh_token: "" }, 400],
    ["a number", { refresh_token: 7 }, 400],
    ["an unknown field", { refresh_token: "x", token: "y" }, 400],
    ["a token that is none of ours", { refresh_token: "A".repeat(70) }, 401],
    ["a token of another form", { refresh_token: "x" }, 401],
  ])("rejects %s", async (_, body, status) => {
    const at = await newInstallation();
    expect((await at.call("POST", "/auth/refresh", { body })).status).toBe(status);
  });

  test("rejects an access token, as routes reject a refresh token", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    expect((await refresh(at, olga.token)).status).toBe(400);
    expect(await isLetIn(at, { orgId: olga.orgId, token: olga.refreshToken })).toBe(false);
  });

  test("answers 429 after 60 a minute for one session", async () => {
    const at = await newInstallation();
    let token = (await signUp(at)).refreshToken;
    for (let n = 0; n < 60; n += 1) token = expectStatus(200, await refresh(at, token)).body.refresh_token;
    const refused = await refresh(at, token);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    at.clock.advance(minutes(1));
    expect((await refresh(at, token)).status).toBe(200);
  });
});
