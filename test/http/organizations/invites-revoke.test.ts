import { describe, expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { changes, snapshot } from "../../support/databases.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, statuses, times } from "../../support/school.ts";
import { claim, controlAudit, join, type Newcomer, renewed, signUp } from "../accounts/newcomers.ts";

const INES = "ines@example.com";

async function invited(at: Installation, by: Newcomer, roles: string[] = ["instructor"], email = INES) {
  const answer = await at.call("POST", `/orgs/${by.orgId}/invites`, { token: by.token, body: { email, roles } });
  return expectStatus(201, answer).body.data as { id: string; token: string };
}

const revoke = (at: Installation, by: Pick<Newcomer, "token" | "orgId">, id: string) =>
  at.call("DELETE", `/orgs/${by.orgId}/invites/${id}`, { token: by.token });

describe("DELETE /orgs/{orgId}/invites/{inviteId}", () => {
  test("makes the token invalid", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { id, token } = await invited(at, olga);
    const answer = await revoke(at, olga, id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id, status: "revoked", revoked_at: "2026-06-14T09:00:00.000Z" });
    expect((await at.call("GET", `/auth/org-invites/${token}`)).status).toBe(410);
    expect((await claim(at, token)).status).toBe(410);
    expect((await controlAudit(at)).at(-1)).toMatchObject({
      action: "invite.revoked",
      actor_id: olga.userId,
      subject_id: id,
      org_id: olga.orgId,
    });
  });

  test("rejects a claimed, revoked or expired invite, names its status, and changes nothing", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const claimed = await invited(at, olga);
    expectStatus(200, await claim(at, claimed.token));
    const revoked = await invited(at, olga, ["student"], "revoked@example.com");
    expectStatus(200, await revoke(at, olga, revoked.id));
    const expired = await invited(at, olga, ["student"], "expired@example.com");
    at.clock.advance(days(7));
    const later = await renewed(at, olga);

    const before = await snapshot(at.storage);
    for (const [{ id }, state] of [
      [claimed, "claimed"],
      [revoked, "revoked"],
      [expired, "expired"],
    ] as const) {
      const answer = await revoke(at, later, id);
      expect([answer.status, answer.body.error.code]).toEqual([409, "CONFLICT"]);
      expect(answer.body.error.message).toContain(state);
    }
    expect(changes(before, await snapshot(at.storage))).toEqual([]);
  });

  test("of a concurrent claim and revocation, one succeeds", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    for (const index of times(4, (index) => index)) {
      const { id, token } = await invited(at, olga, ["student"], `race${index}@example.com`);
      const answers = await Promise.all([claim(at, token), revoke(at, olga, id)]);
      expect([
        [200, 409],
        [200, 410],
      ]).toContainEqual(statuses(answers));
    }
  });

  test("requires the permission to create such an invite", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const admin = await join(at, olga, "adam@example.com", ["admin"]);
    const instructor = await join(at, olga, "other@example.com", ["instructor"]);
    const otto = await signUp(at, "otto@example.com");
    const owners = await invited(at, olga, ["owner"]);
    const students = await invited(at, olga, ["student"], "student@example.com");
    const asked = [
      await revoke(at, admin, owners.id),
      await revoke(at, instructor, students.id),
      await revoke(at, { ...otto, orgId: olga.orgId }, students.id),
      await revoke(at, otto, students.id),
      await at.call("DELETE", `/orgs/${olga.orgId}/invites/${students.id}`),
      await revoke(at, admin, students.id),
      await revoke(at, olga, owners.id),
      await revoke(at, olga, "01890a5d-0000-7000-8000-000000000000"),
    ];
    expect(asked.map(({ status }) => status)).toEqual([403, 403, 404, 404, 401, 200, 200, 404]);
  });
});
