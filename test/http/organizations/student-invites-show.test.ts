import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { days } from "../../../src/core/clock.ts";
import { users } from "../../../src/identity/identity.tables.ts";
import { newInstallation } from "../../support/installation.ts";
import { join, renewed, signUp } from "../accounts/newcomers.ts";
import { ANNA, claim, invitedStudent, link, newStudent, remove, show } from "./students.ts";

describe("GET /auth/student-invites/{token}", () => {
  test("shows the holder of the token the person, the organization and the expiry", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { token, personId } = await invitedStudent(at, olga);
    const answer = await show(at, token);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      organization: { id: olga.orgId, name: "Flugschule Egelsbach" },
      person: { id: personId, name: "Anna Berg" },
      email: ANNA,
      roles: ["student"],
      expires_at: "2026-06-21T09:00:00.000Z",
    });
    expect([answer.headers.get("cache-control"), answer.headers.get("referrer-policy")]).toEqual([
      "no-store",
      "no-referrer",
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(at.logged.join("")).not.toContain(token);
  });

  test.each(["x", "A".repeat(42), "A".repeat(44), `${"A".repeat(42)}!`, "A".repeat(300), "%00", "..%2Fcontrol.db"])(
    "calls %s malformed",
    async (token) => {
      const at = await newInstallation();
      const answer = await show(at, token);
      expect([answer.status, answer.body.error.code]).toEqual([400, "BAD_REQUEST"]);
    },
  );

  test("answers 404 for an unknown token", async () => {
    const at = await newInstallation();
    await invitedStudent(at, await signUp(at));
    const answer = await show(at, "A".repeat(43));
    expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
  });

  test("answers 409 after a claim", async () => {
    const at = await newInstallation();
    const used = await invitedStudent(at, await signUp(at));
    await claim(at, used.token);
    const answer = await show(at, used.token);
    expect([answer.status, answer.body.error.code]).toEqual([409, "CONFLICT"]);
  });

  test("answers 410 after it is revoked or expired, and so does a claim", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const expiring = await invitedStudent(at, olga, { email: "berta@example.com" });
    at.clock.advance(days(7) - 1);
    expect((await show(at, expiring.token)).status).toBe(200);
    at.clock.advance(1);
    expect((await show(at, expiring.token)).status).toBe(410);
    expect((await claim(at, expiring.token)).status).toBe(410);
  });

  test("does not reveal that the address has an account, or that it is linked to another person", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const anna = await join(at, olga, ANNA, ["mechanic"]);
    const { token } = await invitedStudent(at, olga);
    const before = (await show(at, token)).text;
    await newStudent(at, olga, { name: "Another Anna", types: ["mechanic"], user_id: anna.userId });
    const after = await show(at, token);
    expect([after.status, after.text]).toEqual([200, before]);
    expect((await claim(at, token, {}, { token: anna.token })).status).toBe(409);
  });

  test("is invalid when the person is deleted or linked to another account", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const removed = await invitedStudent(at, olga);
    await remove(at, olga, removed.personId);
    const linked = await invitedStudent(at, olga, { email: "berta@example.com" });
    await link(at, olga, linked.personId, olga.userId);
    expect([(await show(at, removed.token)).status, (await show(at, linked.token)).status]).toEqual([410, 409]);
    expect([(await claim(at, removed.token)).status, (await claim(at, linked.token)).status]).toEqual([410, 409]);
  });

  test("is invalid when the inviter loses the permission, or the account is disabled", async () => {
    const at = await newInstallation();
    const early = await signUp(at);
    const admin = await join(at, early, "adam@example.com", ["admin"]);
    const second = await join(at, early, "second@example.com", ["admin"]);
    const demoted = await invitedStudent(at, admin);
    const disabled = await invitedStudent(at, second, { email: "berta@example.com" });
    const olga = await renewed(at, early);
    const path = `/orgs/${olga.orgId}/members/${admin.userId}`;
    await at.call("PATCH", path, { token: olga.token, body: { roles: ["instructor"] } });
    await at.storage.control.write((tx) =>
      tx.update(users).set({ disabled_at: tx.now }).where(eq(users.id, second.userId)),
    );
    for (const { token } of [demoted, disabled]) {
      expect([(await show(at, token)).status, (await claim(at, token)).status]).toEqual([410, 410]);
    }
  });
});
