import { describe, expect, test } from "bun:test";
import { days, minutes } from "../../../src/core/clock.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, password, times } from "../../support/school.ts";
import { controlAudit, freshAddress, isLetIn, logIn, refresh, signUp } from "./newcomers.ts";

const list = (at: Installation, token: string, query = "") => at.call("GET", `/auth/sessions${query}`, { token });
const end = (at: Installation, token: string, id: string, headers: Record<string, string> = {}) =>
  at.call("DELETE", `/auth/sessions/${id}`, { token, headers });

async function signIn(at: Installation, email: string, userAgent: string, from = freshAddress()) {
  const headers = { "user-agent": userAgent };
  const answer = await at.call("POST", "/auth/login", { body: { email, password }, headers, from });
  const { access_token: token, refresh_token: refreshToken } = expectStatus(200, answer).body;
  return { token, refreshToken };
}

describe("GET /auth/sessions", () => {
  test("shows where the caller is signed in, the one used last first, and which one asks", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    await signUp(at, "otto@example.com");
    at.clock.advance(minutes(5));
    const tablet = await signIn(at, olga.email, "Tablet", "198.18.0.1");

    const { body, headers } = expectStatus(200, await list(at, tablet.token));
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body.page).toEqual({ limit: 100, offset: 0, has_more: false });
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        current: true,
        device: "Tablet",
        address: "198.18.0.1",
        amr: ["pwd"],
        created_at: "2026-06-14T09:05:00.000Z",
        last_seen_at: "2026-06-14T09:05:00.000Z",
        expires_at: "2026-07-14T09:05:00.000Z",
      },
      expect.objectContaining({ current: false, created_at: "2026-06-14T09:00:00.000Z" }),
    ]);
    const seenFromThere = await list(at, olga.token);
    expect(seenFromThere.body.data.map(({ current }: { current: boolean }) => current)).toEqual([false, true]);
  });

  test("a refresh is being seen: from where, by what, and until when", async () => {
    const at = await newInstallation();
    const { refreshToken } = await signUp(at);
    at.clock.advance(days(2));
    const headers = { "user-agent": "Updated" };
    const body = { refresh_token: refreshToken };
    const refreshed = await at.call("POST", "/auth/refresh", { body, headers, from: "198.18.0.2" });
    const { data } = (await list(at, expectStatus(200, refreshed).body.access_token)).body;
    expect(data).toMatchObject([
      {
        current: true,
        device: "Updated",
        address: "198.18.0.2",
        created_at: "2026-06-14T09:00:00.000Z",
        last_seen_at: "2026-06-16T09:00:00.000Z",
        expires_at: "2026-07-16T09:00:00.000Z",
      },
    ]);
  });

  test("a token that is shown again moves nothing", async () => {
    const at = await newInstallation();
    const { refreshToken } = await signUp(at);
    const { access_token: token } = expectStatus(200, await refresh(at, refreshToken)).body;
    const before = (await list(at, token)).text;
    const headers = { "user-agent": "A second tab" };
    expectStatus(200, await at.call("POST", "/auth/refresh", { body: { refresh_token: refreshToken }, headers }));
    expect((await list(at, token)).text).toBe(before);
  });

  test("leaves out what has ended, by hand or by itself", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const phone = await signIn(at, olga.email, "Phone");
    expectStatus(200, await at.call("POST", "/auth/logout", { token: phone.token }));
    expect((await list(at, olga.token)).body.data).toHaveLength(1);
    at.clock.advance(days(30));
    const later = await signIn(at, olga.email, "Later");
    expect((await list(at, later.token)).body.data).toMatchObject([{ device: "Later" }]);
  });

  test("comes in pages", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    for (const index of times(4, (index) => index)) {
      at.clock.advance(1000);
      await signIn(at, olga.email, `Device ${index}`);
    }
    const { data, page } = (await list(at, olga.token, "?limit=2&offset=1&with_total=true")).body;
    expect(data.map(({ device }: { device: string }) => device)).toEqual(["Device 2", "Device 1"]);
    expect(page).toEqual({ limit: 2, offset: 1, has_more: true, total: 5 });
    expect((await list(at, olga.token, "?limit=0")).status).toBe(400);
  });

  test("is for whoever is signed in", async () => {
    const at = await newInstallation();
    expect((await at.call("GET", "/auth/sessions")).status).toBe(401);
  });
});

describe("DELETE /auth/sessions/{sessionId}", () => {
  test("ends that one at once, its access token included, and no other", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const phone = await signIn(at, olga.email, "Phone");
    const { data } = (await list(at, olga.token)).body;
    const { id } = data.find(({ device }: { device: string }) => device === "Phone");

    const answer = await end(at, olga.token, id, { cookie: "svc_refresh=whatever" });
    expect([answer.status, answer.body, answer.headers.get("set-cookie")]).toEqual([
      200,
      { status: "signed_out" },
      null,
    ]);
    expect(await isLetIn(at, { ...olga, token: phone.token })).toBe(false);
    expect((await refresh(at, phone.refreshToken)).status).toBe(401);
    expect(await isLetIn(at, olga)).toBe(true);
    expect((await controlAudit(at)).at(-1)).toMatchObject({
      action: "session.ended",
      actorId: olga.userId,
      subjectId: id,
    });
    expect((await end(at, olga.token, id)).status).toBe(404);
  });

  test("ends the caller's own, and takes the cookie", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const [{ id }] = (await list(at, olga.token)).body.data;
    const answer = await end(at, olga.token, id);
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([
      200,
      "svc_refresh=; Max-Age=0; Path=/auth; HttpOnly; SameSite=Strict",
    ]);
    expect(await isLetIn(at, olga)).toBe(false);
  });

  test("knows no session of others, none that is over, and none that never was", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const [{ id: ottos }] = (await list(at, otto.token)).body.data;
    expect((await end(at, olga.token, ottos)).status).toBe(404);
    expect(await isLetIn(at, otto)).toBe(true);

    const [{ id: first }] = (await list(at, olga.token)).body.data;
    at.clock.advance(days(30));
    const { access_token: token } = expectStatus(200, await logIn(at, olga.email)).body;
    for (const id of [first, "01890a5d-0000-7000-8000-000000000000", "nonsense"]) {
      expect((await end(at, token, id)).status).toBe(404);
    }
  });

  test("is for whoever is signed in", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const [{ id }] = (await list(at, olga.token)).body.data;
    expect((await at.call("DELETE", `/auth/sessions/${id}`)).status).toBe(401);
    expect(await isLetIn(at, olga)).toBe(true);
  });
});
