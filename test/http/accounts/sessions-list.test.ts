import { describe, expect, test } from "bun:test";
import { days, minutes } from "../../../src/core/clock.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, password, times } from "../../support/school.ts";
import { freshAddress, refresh, signUp } from "./newcomers.ts";

const list = (at: Installation, token: string, query = "") => at.call("GET", `/auth/sessions${query}`, { token });

async function signIn(at: Installation, email: string, userAgent: string, from = freshAddress()) {
  const headers = { "user-agent": userAgent };
  const answer = await at.call("POST", "/auth/login", { body: { email, password }, headers, from });
  const { access_token: token, refresh_token: refreshToken } = expectStatus(200, answer).body;
  return { token, refreshToken };
}

describe("GET /auth/sessions", () => {
  test("shows the caller's sessions, the last used first, and the current one", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    await signUp(at, "otto@example.com");
    at.clock.advance(minutes(5));
    const tablet = await signIn(at, olga.email, "Tablet", "198.18.0.1");

    const { body, headers } = expectStatus(200, await list(at, tablet.token));
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body.page).toEqual({ limit: 100, offset: 0, has_more: false, next_cursor: null });
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

  test("returns one of them by its id, and 404 for one that ended, or is another account's", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    at.clock.advance(minutes(1));
    const tablet = await signIn(at, olga.email, "Tablet");
    const [current, first] = (await list(at, tablet.token)).body.data;
    const get = (id: string, token = tablet.token) => at.call("GET", `/auth/sessions/${id}`, { token });
    expect(expectStatus(200, await get(current.id)).body.data).toEqual(current);
    expect(expectStatus(200, await get(first.id)).body.data).toEqual(first);
    expectStatus(404, await get(first.id, otto.token));
    expectStatus(200, await at.call("DELETE", `/auth/sessions/${first.id}`, { token: tablet.token }));
    expectStatus(404, await get(first.id));
    expectStatus(404, await get("first"));
  });

  test("a refresh updates the address, the device and the expiry", async () => {
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

  test("a repeated token changes nothing", async () => {
    const at = await newInstallation();
    const { refreshToken } = await signUp(at);
    const { access_token: token } = expectStatus(200, await refresh(at, refreshToken)).body;
    const before = (await list(at, token)).text;
    const headers = { "user-agent": "A second tab" };
    expectStatus(200, await at.call("POST", "/auth/refresh", { body: { refresh_token: refreshToken }, headers }));
    expect((await list(at, token)).text).toBe(before);
  });

  test("omits revoked and expired sessions", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const phone = await signIn(at, olga.email, "Phone");
    expectStatus(200, await at.call("POST", "/auth/logout", { token: phone.token }));
    expect((await list(at, olga.token)).body.data).toHaveLength(1);
    at.clock.advance(days(30));
    const later = await signIn(at, olga.email, "Later");
    expect((await list(at, later.token)).body.data).toMatchObject([{ device: "Later" }]);
  });

  test("returns pages", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    for (const index of times(4, (index) => index)) {
      at.clock.advance(1000);
      await signIn(at, olga.email, `Device ${index}`);
    }
    const { data, page } = (await list(at, olga.token, "?limit=2&offset=1&with_total=true")).body;
    expect(data.map(({ device }: { device: string }) => device)).toEqual(["Device 2", "Device 1"]);
    expect(page).toEqual({ limit: 2, offset: 1, has_more: true, next_cursor: expect.any(String), total: 5 });
    expect((await list(at, olga.token, "?limit=0")).status).toBe(400);
  });

  test("requires a session", async () => {
    const at = await newInstallation();
    expect((await at.call("GET", "/auth/sessions")).status).toBe(401);
  });
});
