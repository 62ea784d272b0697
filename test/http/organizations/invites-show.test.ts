import { describe, expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { claim, invite, join, signUp } from "../accounts/newcomers.ts";

const INES = "ines@example.com";

const show = (at: Installation, token: string) => at.call("GET", `/auth/org-invites/${token}`);

describe("GET /auth/org-invites/{token}", () => {
  test("shows the invite to the holder of the token, but not whether the address has an account", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const answer = await show(at, await invite(at, olga, INES, ["instructor"]));
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      organization: { id: olga.orgId, name: "Flugschule Egelsbach" },
      email: INES,
      roles: ["instructor"],
      expires_at: "2026-06-21T09:00:00.000Z",
    });
    expect([answer.headers.get("cache-control"), answer.headers.get("referrer-policy")]).toEqual([
      "no-store",
      "no-referrer",
    ]);
  });

  test("returns 404 for an unknown or malformed token, and so does a claim", async () => {
    const at = await newInstallation();
    const token = await invite(at, await signUp(at), INES, ["student"]);
    for (const unknown of ["x", "A".repeat(43), `${token}A`, "A".repeat(300)]) {
      expect((await show(at, unknown)).status).toBe(404);
      if (unknown.length <= 200) expect((await claim(at, unknown)).status).toBe(404);
    }
  });

  test("returns 409 after a claim, and so does a second claim", async () => {
    const at = await newInstallation();
    const used = await invite(at, await signUp(at), INES, ["instructor"]);
    await claim(at, used);
    expect([(await show(at, used)).status, (await claim(at, used)).status]).toEqual([409, 409]);
  });

  test("returns 410 after seven days, and so does a claim", async () => {
    const at = await newInstallation();
    const expiring = await invite(at, await signUp(at), INES, ["student"]);
    at.clock.advance(days(7) - 1);
    expect((await show(at, expiring)).status).toBe(200);
    at.clock.advance(1);
    expect([(await show(at, expiring)).status, (await claim(at, expiring)).status]).toEqual([410, 410]);
  });

  test("keeps the token out of the log", async () => {
    const at = await newInstallation();
    const token = await invite(at, await signUp(at), INES, ["student"]);
    await show(at, token);
    await claim(at, token);
    await new Promise((resolve) => setImmediate(resolve));
    expect(at.logged.join("")).not.toContain(token);
  });
});

test("an invite becomes invalid when the inviter loses the permission to create it", async () => {
  const at = await newInstallation();
  const olga = await signUp(at);
  const second = await join(at, olga, "second@example.com", ["owner"]);
  const admin = await join(at, olga, "admin@example.com", ["admin"]);
  const owners = await invite(at, second, "backdoor@example.com", ["owner"]);
  const admins = await invite(at, admin, "side@example.com", ["admin"]);

  await at.call("PATCH", `/orgs/${olga.orgId}/members/${second.userId}`, {
    token: olga.token,
    body: { roles: ["student"] },
  });
  await at.call("DELETE", `/orgs/${olga.orgId}/members/${admin.userId}`, { token: olga.token });

  for (const token of [owners, admins]) {
    expect((await at.call("GET", `/auth/org-invites/${token}`)).status).toBe(410);
    expect((await claim(at, token)).status).toBe(410);
  }
});
