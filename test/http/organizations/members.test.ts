import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { newId } from "../../../src/core/ids.ts";
import { memberships, users } from "../../../src/identity/identity.tables.ts";
import { membership, membersWho } from "../../../src/identity/memberships.queries.ts";
import { roles as allRoles, type Role } from "../../../src/identity/roles.ts";
import { createMailer } from "../../../src/mail/mailer.ts";
import { createAttemptLimits } from "../../../src/modules/accounts/attempt-limits.ts";
import { changeRoles } from "../../../src/modules/organizations/change-roles.ts";
import { inviteMember } from "../../../src/modules/organizations/invites/invite-member.ts";
import type { InviterContext } from "../../../src/modules/organizations/invites/mail-invite.ts";
import { removeMember } from "../../../src/modules/organizations/remove-member.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { statuses } from "../../support/school.ts";
import { enroll, step } from "../../support/second-factor.ts";
import { actions, controlAudit, isLetIn, join, type Newcomer, signUp } from "../accounts/newcomers.ts";

const list = (at: Installation, { orgId, token }: Newcomer, query = "") =>
  at.call("GET", `/orgs/${orgId}/members${query}`, { token });
const change = (at: Installation, by: Newcomer, { userId }: { userId: string }, roles: unknown) =>
  at.call("PATCH", `/orgs/${by.orgId}/members/${userId}`, { token: by.token, body: { roles } });
const remove = (at: Installation, by: Newcomer, { userId }: { userId: string }) =>
  at.call("DELETE", `/orgs/${by.orgId}/members/${userId}`, { token: by.token });

async function school() {
  const at = await newInstallation();
  const olga = await signUp(at);
  const adam = await join(at, olga, "adam@example.com", ["admin"]);
  const ines = await join(at, olga, "ines@example.com", ["instructor"]);
  const sam = await join(at, olga, "sam@example.com", ["student"]);
  return { at, olga, adam, ines, sam };
}

const rolesNow = async (at: Installation): Promise<Record<string, Role[]>> =>
  Object.fromEntries(
    (await at.storage.control.read((reader) => reader.select().from(memberships))).map(({ user_id: userId, roles }) => [
      userId,
      roles,
    ]),
  );

const owners = (held: Record<string, Role[]>) => Object.keys(held).filter((id) => held[id]?.includes("owner"));

const ownersNow = async (at: Installation) => owners(await rolesNow(at));

describe("GET /orgs/{orgId}/members", () => {
  test("lists by name, in pages", async () => {
    const { at, olga } = await school();
    const whole = (await list(at, olga, "?with_total=true")).body;
    expect(whole.data.map(({ name }: { name: string }) => name)).toEqual(["Olga Owner", "adam", "ines", "sam"]);
    expect(whole.page).toEqual({ limit: 100, offset: 0, has_more: false, next_cursor: null, total: 4 });
    const part = (await list(at, olga, "?limit=2&offset=1")).body;
    expect(part.data).toEqual(whole.data.slice(1, 3));
    expect(part.page).toEqual({ limit: 2, offset: 1, has_more: true, next_cursor: expect.any(String) });
  });

  test("returns one of them by the account, and 404 for an account that is no member", async () => {
    const { at, olga, adam, sam } = await school();
    const get = (userId: string, by = olga) =>
      at.call("GET", `/orgs/${by.orgId}/members/${userId}`, { token: by.token });
    const listed = (await list(at, olga)).body.data;
    const answer = await get(sam.userId, adam);
    expect([answer.status, answer.body.data]).toEqual([200, listed[3]]);
    const stranger = await signUp(at, "stranger@example.com");
    expect((await get(stranger.userId)).status).toBe(404);
    expect((await get(olga.userId, sam)).status).toBe(403);
  });

  test("requires the permission and a valid page", async () => {
    const { at, olga, ines, sam } = await school();
    const stranger = await signUp(at, "otto@example.com");
    expect((await list(at, ines)).status).toBe(200);
    expect((await list(at, sam)).status).toBe(403);
    expect((await list(at, { ...stranger, orgId: olga.orgId })).status).toBe(404);
    expect((await list(at, { ...olga, token: "nonsense" })).status).toBe(401);
    expect((await list(at, olga, "?limit=501")).status).toBe(400);
  });
});

describe("PATCH /orgs/{orgId}/members/{userId}", () => {
  test("replaces the roles, immediately for access tokens already issued", async () => {
    const { at, olga, sam } = await school();
    expect((await list(at, sam)).status).toBe(403);
    const answer = await change(at, olga, sam, ["instructor", "student"]);
    expect([answer.status, answer.body.data.roles]).toEqual([200, ["instructor", "student"]]);
    expect((await list(at, sam)).status).toBe(200);
    const row = (await controlAudit(at)).at(-1);
    expect(row).toMatchObject({ action: "member.roles_changed", actor_id: olga.userId, subject_id: sam.userId });
    expect(JSON.parse(row?.payload ?? "")).toMatchObject({
      before: { roles: ["student"] },
      after: { roles: ["instructor", "student"] },
    });
  });

  test("the same roles change nothing and write no audit row", async () => {
    const { at, adam, olga, sam } = await school();
    const before = await actions(at);
    expect((await change(at, adam, sam, ["student", "student"])).status).toBe(200);
    expect((await change(at, adam, olga, ["owner"])).status).toBe(200);
    expect(await actions(at)).toEqual(before);
  });

  test("only an owner adds or removes owners", async () => {
    const { at, olga, adam, ines } = await school();
    expect((await change(at, adam, ines, ["owner"])).status).toBe(403);
    expect((await change(at, adam, adam, ["owner", "admin"])).status).toBe(403);
    expect((await change(at, olga, ines, ["owner"])).status).toBe(200);
    expect((await change(at, adam, ines, ["instructor"])).status).toBe(403);
    expect((await change(at, ines, olga, ["instructor"])).status).toBe(200);
    expect((await change(at, ines, ines, ["instructor"])).status).toBe(409);
  });

  test("requires the permission, a member and valid roles", async () => {
    const { at, olga, ines, sam } = await school();
    const stranger = await signUp(at, "otto@example.com");
    expect((await change(at, ines, sam, ["admin"])).status).toBe(403);
    expect((await change(at, sam, sam, ["admin"])).status).toBe(403);
    expect((await change(at, { ...stranger, orgId: olga.orgId }, sam, ["admin"])).status).toBe(404);
    expect((await change(at, { ...olga, token: "nonsense" }, sam, ["admin"])).status).toBe(401);
    expect((await change(at, olga, stranger, ["admin"])).status).toBe(404);
    expect((await change(at, olga, { userId: "sam" }, ["admin"])).status).toBe(404);
    for (const bad of [[], ["pilot"], "admin", null]) expect((await change(at, olga, sam, bad)).status).toBe(400);
  });
});

describe("DELETE /orgs/{orgId}/members/{userId}", () => {
  test("ends the membership immediately; the account stays", async () => {
    const { at, olga, sam } = await school();
    const answer = await remove(at, olga, sam);
    expect([answer.status, answer.body.data.user_id]).toEqual([200, sam.userId]);
    expect(await isLetIn(at, sam)).toBe(false);
    expect((await at.call("DELETE", "/auth/sessions", { token: sam.token })).status).toBe(200);
    expect((await remove(at, olga, sam)).status).toBe(404);
    expect(await actions(at)).toContain("member.removed");
  });

  test("requires a step-up of an actor with a second factor to remove another member, but not to leave", async () => {
    const { at, olga, adam, sam } = await school();
    const factor = await enroll(at, olga);
    const refused = await remove(at, olga, sam);
    expect([refused.status, refused.body.error.code]).toEqual([403, "STEP_UP_REQUIRED"]);
    expect(await isLetIn(at, sam)).toBe(true);
    expect((await step(at, olga, await factor.code())).status).toBe(200);
    expect((await remove(at, olga, sam)).status).toBe(200);

    await enroll(at, adam);
    expect((await remove(at, adam, adam)).status).toBe(200);
  });

  test("every member may leave, except the last owner", async () => {
    const { at, olga, sam } = await school();
    expect((await remove(at, sam, sam)).status).toBe(200);
    expect((await actions(at)).at(-1)).toBe("member.left");
    expect((await remove(at, olga, olga)).status).toBe(409);
    expect(await isLetIn(at, olga)).toBe(true);
  });

  test("an owner whose account is disabled does not count as another owner", async () => {
    const { at, olga, ines } = await school();
    await change(at, olga, ines, ["owner"]);
    await at.storage.control.write((tx) =>
      tx.update(users).set({ disabled_at: tx.now }).where(eq(users.email, ines.email)),
    );
    expect((await remove(at, olga, olga)).status).toBe(409);
    expect((await remove(at, olga, ines)).status).toBe(200);
  });

  test("requires the permission, and ownership to remove an owner", async () => {
    const { at, olga, adam, ines, sam } = await school();
    await change(at, olga, ines, ["owner", "instructor"]);
    expect((await remove(at, adam, ines)).status).toBe(403);
    expect((await remove(at, sam, adam)).status).toBe(403);
    expect((await remove(at, { ...olga, token: "nonsense" }, sam)).status).toBe(401);
    expect((await remove(at, adam, sam)).status).toBe(200);
  });
});

/** Returns the context of a request whose caller is authenticated and whose verb has not started. */
async function arrived(at: Installation, { userId, orgId, email }: Newcomer): Promise<InviterContext> {
  const { control, tenants } = at.storage;
  const user = { kind: "user", userId, email, name: email, sessionId: newId<"session">(at.clock) } as const;
  const actor = await membership(control)(user, orgId);
  if (!actor) throw new Error("not a member");
  const mailer = await createMailer({ smtpUrl: undefined, from: "", log: { error: () => undefined } });
  const mail = { mailer, linkUrl: "", limits: createAttemptLimits(at.clock) };
  return { actor, requestId: "", clock: at.clock, control, tenant: tenants.tenant(orgId), mail };
}

const byText = (a: string, b: string) => (a < b ? -1 : 1);

const outcomes = (settled: PromiseSettledResult<unknown>[]) =>
  settled.map((one) => (one.status === "fulfilled" ? "done" : String(one.reason.code))).toSorted(byText);

describe("two concurrent requests, both authenticated before either writes", () => {
  test("two owners remove each other: one stays", async () => {
    const { at, olga, ines } = await school();
    await change(at, olga, ines, ["owner"]);
    const [first, second] = [await arrived(at, olga), await arrived(at, ines)];
    const settled = [removeMember(first, { userId: ines.userId }), removeMember(second, { userId: olga.userId })];
    expect(outcomes(await Promise.allSettled(settled))).toEqual(["NOT_FOUND", "done"]);
    expect(await ownersNow(at)).toHaveLength(1);
  });

  test("two owners remove each other's role: one stays", async () => {
    const { at, olga, ines } = await school();
    await change(at, olga, ines, ["owner"]);
    const [first, second] = [await arrived(at, olga), await arrived(at, ines)];
    const settled = [
      changeRoles(first, { userId: ines.userId, roles: ["student"] }),
      changeRoles(second, { userId: olga.userId, roles: ["student"] }),
    ];
    expect(outcomes(await Promise.allSettled(settled))).toEqual(["FORBIDDEN", "done"]);
    expect(await ownersNow(at)).toHaveLength(1);
  });

  test("two owners leave: one stays", async () => {
    const { at, olga, ines } = await school();
    await change(at, olga, ines, ["owner"]);
    const answers = await Promise.all([remove(at, olga, olga), remove(at, ines, ines)]);
    expect(statuses(answers)).toEqual([200, 409]);
    expect(await ownersNow(at)).toHaveLength(1);
  });

  test("a member who loses the role during a request cannot finish it", async () => {
    const { at, olga, adam, sam } = await school();
    const late = await arrived(at, adam);
    await change(at, olga, adam, ["instructor"]);
    const settled = [
      inviteMember(late, { email: "new@example.com", roles: ["admin"] }),
      changeRoles(late, { userId: sam.userId, roles: ["admin"] }),
      removeMember(late, { userId: sam.userId }),
    ];
    expect(outcomes(await Promise.allSettled(settled))).toEqual(["FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]);
    expect((await rolesNow(at))[sam.userId]).toEqual(["student"]);
  });

  test("a member who is removed during a request cannot finish it", async () => {
    const { at, olga, adam, sam } = await school();
    const late = await arrived(at, adam);
    await remove(at, olga, adam);
    const settled = [
      inviteMember(late, { email: adam.email, roles: ["admin"] }),
      changeRoles(late, { userId: sam.userId, roles: ["admin"] }),
      removeMember(late, { userId: sam.userId }),
    ];
    expect(outcomes(await Promise.allSettled(settled))).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
    expect((await rolesNow(at))[sam.userId]).toEqual(["student"]);
  });
});

test("after any sequence of changes and removals there is an owner, and only owners changed owners", async () => {
  const who = fc.nat(3);
  const roles = fc.uniqueArray(fc.constantFrom(...allRoles), { minLength: 1, maxLength: 3 });
  const step = fc.record({ by: who, whom: who, roles: fc.option(roles) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const { at, olga, adam, ines, sam } = await school();
      const members = [olga, adam, ines, sam];
      for (const { by, whom, roles: wanted } of steps) {
        const [actor, target] = [members[by] ?? olga, members[whom] ?? olga];
        const before = await rolesNow(at);
        const answer = wanted ? await change(at, actor, target, wanted) : await remove(at, actor, target);
        const after = await rolesNow(at);
        expect([200, 403, 404, 409]).toContain(answer.status);
        if (answer.status !== 200) expect(after).toEqual(before);
        expect(owners(after).length).toBeGreaterThan(0);
        const leaves = wanted === null && by === whom;
        if (!before[actor.userId]?.includes("owner") && !leaves) expect(owners(after)).toEqual(owners(before));
      }
      await at.close();
    }),
    { numRuns: 8 },
  );
});

test("membersWho lists the members with the permission, without disabled accounts", async () => {
  const { at, olga, adam, ines } = await school();
  const who = async () => {
    const members = await at.storage.control.read((reader) => membersWho(reader, olga.orgId, "flights:approve"));
    return members.map(({ user_id: userId }) => userId);
  };
  expect(await who()).toEqual([olga, adam, ines].map(({ userId }) => userId).toSorted(byText));
  await at.storage.control.write((tx) =>
    tx.update(users).set({ disabled_at: tx.now }).where(eq(users.email, adam.email)),
  );
  expect(await who()).toEqual([olga, ines].map(({ userId }) => userId).toSorted(byText));
});
