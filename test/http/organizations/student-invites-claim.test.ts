import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { OrgId } from "../../../src/core/ids.ts";
import { memberships, users } from "../../../src/identity/identity.tables.ts";
import type { Passwords } from "../../../src/modules/accounts/passwords/passwords.ts";
import { studentClaimed } from "../../../src/modules/organizations/invites/student-claimed.ts";
import { intentsOf } from "../../../src/modules.ts";
import { writeIntent } from "../../../src/storage/intents.ts";
import { auditLog } from "../../../src/storage/shared.tables.ts";
import { changes, snapshot } from "../../support/databases.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, password, statuses, times } from "../../support/school.ts";
import * as organization from "../accounts/newcomers.ts";
import { actions, claimsOf, invite, isLetIn, join, logIn, type Newcomer, signUp } from "../accounts/newcomers.ts";
import { ANNA, accountOf, claim, invitedStudent, link, newStudent, openIntents, remove, show } from "./students.ts";

const accounts = ({ storage }: Installation) => storage.control.read((reader) => reader.$count(users));

const rolesOf = async ({ storage }: Installation, { userId }: Pick<Newcomer, "userId">) =>
  (
    await storage.control.read((reader) => reader.select().from(memberships).where(eq(memberships.user_id, userId)))
  ).map(({ org_id: orgId, roles }) => [orgId, roles]);

const recordsAudit = ({ storage }: Installation, { orgId }: Pick<Newcomer, "orgId">) =>
  storage.tenants.tenant(orgId).read((reader) => reader.select().from(auditLog));

describe("POST /auth/student-invites/claim", () => {
  test("creates an account, signs it in, and links it to the invited person", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { token, personId } = await invitedStudent(at, olga);
    const answer = await claim(at, token);
    expect(answer.status).toBe(200);
    const { organization: school, person, roles, tokens } = answer.body.data;
    expect([school.id, person, roles]).toEqual([olga.orgId, { id: personId, name: "Anna Berg" }, ["student"]]);
    const { sub, org } = claimsOf(tokens.access_token);
    expect(org).toBe(olga.orgId);
    expect(await accountOf(at, olga, personId)).toBe(sub);
    expect(await openIntents(at)).toEqual([]);

    // A student may read only their own person.
    const seen = await at.call("GET", `/orgs/${olga.orgId}/people`, { token: tokens.access_token });
    expect(seen.body.data).toMatchObject([{ id: personId, user_id: sub }]);
    expect((await logIn(at, ANNA)).status).toBe(200);
    expect((await actions(at)).slice(-6)).toEqual([
      "user.created",
      "email.verification_sent",
      "invite.claimed",
      "member.added",
      "session.opened",
      "session.opened",
    ]);
    const [linked] = (await recordsAudit(at, olga)).slice(-1);
    expect(linked).toMatchObject({
      action: "person.linked",
      actor_kind: "job",
      actor_id: "intents",
      subject_id: personId,
    });
    const claimed = (await organization.controlAudit(at)).find(({ action }) => action === "invite.claimed");
    expect(linked?.request_id).toBe(claimed?.request_id ?? "");
    expect(JSON.stringify([await organization.controlAudit(at), at.logged])).not.toContain(token);
  });

  test("names the account after the person, or as the claim says", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    await claim(at, (await invitedStudent(at, olga)).token);
    const other = await invitedStudent(at, olga, { email: "berta@example.com" });
    await claim(at, other.token, { password, name: "Berta B." });
    const names = await at.storage.control.read((reader) => reader.select({ name: users.name }).from(users));
    expect(names.map(({ name }) => name)).toEqual(["Olga Owner", "Anna Berg", "Berta B."]);
  });

  test("links a signed-in account, without new tokens or another account", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const anna = await signUp(at, ANNA);
    const { token, personId } = await invitedStudent(at, olga);
    const before = await accounts(at);
    const { data } = expectStatus(200, await claim(at, token, {}, { token: anna.token })).body;
    expect([data.roles, data.tokens]).toEqual([["student"], undefined]);
    expect(await accountOf(at, olga, personId)).toBe(anna.userId);
    expect(await accounts(at)).toBe(before);
    expect(await isLetIn(at, { orgId: olga.orgId, token: anna.token })).toBe(true);
  });

  test("adds the role to the roles of a member, and removes none", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const anna = await join(at, olga, ANNA, ["mechanic", "accountant"]);
    const { token, personId } = await invitedStudent(at, olga);
    const { data } = expectStatus(200, await claim(at, token, {}, { token: anna.token })).body;
    expect(data.roles).toEqual(["mechanic", "accountant", "student"]);
    expect(await rolesOf(at, anna)).toEqual([[olga.orgId, ["mechanic", "accountant", "student"]]]);
    expect(await accountOf(at, olga, personId)).toBe(anna.userId);
    expect((await actions(at)).at(-1)).toBe("member.roles_changed");
  });

  test("leaves the roles of a student and an existing link unchanged", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const anna = await join(at, olga, ANNA, ["student"]);
    const { token, personId } = await invitedStudent(at, olga);
    await link(at, olga, personId, anna.userId);
    const { data } = expectStatus(200, await claim(at, token, {}, { token: anna.token })).body;
    expect(data.roles).toEqual(["student"]);
    expect(await accountOf(at, olga, personId)).toBe(anna.userId);
    expect((await recordsAudit(at, olga)).map(({ action }) => action)).not.toContain("person.linked");
  });

  test("does not sign in to an existing account: the inviter has the token too", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    await signUp(at, ANNA);
    const { token } = await invitedStudent(at, olga);
    const before = await snapshot(at.storage);
    expect((await claim(at, token, { password: "a password of the inviter's" })).status).toBe(409);
    expect(changes(before, await snapshot(at.storage))).toEqual([]);
    expect((await logIn(at, ANNA)).status).toBe(200);
  });

  test("does not tell whether the address has an account if the person is linked to another one", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const known = await invitedStudent(at, olga, { email: otto.email });
    const unknown = await invitedStudent(at, olga, { email: "nobody@example.com" });
    await link(at, olga, known.personId, olga.userId);
    const told = async (token: string) => {
      const { status, body } = await claim(at, token);
      return [status, body.error.reason];
    };
    const seen = await told(known.token);
    await link(at, olga, known.personId, null);
    await link(at, olga, unknown.personId, olga.userId);
    expect([seen, await told(unknown.token)]).toEqual([
      [409, "person_linked"],
      [409, "person_linked"],
    ]);
  });

  test("rejects another account and an invalid session, and the invite stays open", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const { token, personId } = await invitedStudent(at, olga);
    expect((await claim(at, token, {}, { token: otto.token })).status).toBe(409);
    expect((await claim(at, token, { password }, { token: "nonsense" })).status).toBe(401);
    expect((await claim(at, token, { password }, { headers: { authorization: "Basic x" } })).status).toBe(401);
    expect((await show(at, token)).status).toBe(200);
    expect(await accountOf(at, olga, personId)).toBeNull();
  });

  test("rejects an account that is linked to another person", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const anna = await join(at, olga, ANNA, ["mechanic"]);
    const { token } = await invitedStudent(at, olga);
    await newStudent(at, olga, { name: "Another Anna", types: ["mechanic"], user_id: anna.userId });
    expect((await claim(at, token, {}, { token: anna.token })).status).toBe(409);
  });

  test.each([
    ["a new account without a password", {}, "body.password"],
    ["a short password", { password: "elevenchars" }, "body.password"],
    ["the address as password", { password: ANNA }, "body.password"],
    ["an unknown field", { password, person_id: "x" }, "body.person_id"],
  ])("refuses %s, and stays open", async (_, body, path) => {
    const at = await newInstallation();
    const { token } = await invitedStudent(at, await signUp(at));
    const answer = await claim(at, token, body);
    expect(answer.status).toBe(400);
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect((await claim(at, token)).status).toBe(200);
  });

  test("rejects a malformed and an unknown token", async () => {
    const at = await newInstallation();
    const answers = [await claim(at, "x"), await claim(at, "A".repeat(43)), await claim(at, "A".repeat(201))];
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 400]);
  });

  test("rejects an invite that is revoked while the password is hashed, and creates no account", async () => {
    const revoke: { now?: () => Promise<unknown> } = {};
    const watchPasswords = (passwords: Passwords): Passwords => ({
      ...passwords,
      async hash(given) {
        await revoke.now?.();
        return passwords.hash(given);
      },
    });
    const at = await newInstallation({ watchPasswords });
    const olga = await signUp(at);
    const { id, token, personId } = await invitedStudent(at, olga);
    revoke.now = () => at.call("DELETE", `/orgs/${olga.orgId}/student-invites/${id}`, { token: olga.token });
    expect((await claim(at, token)).status).toBe(410);
    expect(await accounts(at)).toBe(1);
    expect([await accountOf(at, olga, personId), await openIntents(at)]).toEqual([null, []]);
  });

  test("eight concurrent claims: exactly one succeeds", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { token, personId } = await invitedStudent(at, olga);
    const answers = await Promise.all(times(8, () => claim(at, token)));
    expect(statuses(answers)).toEqual([200, ...times(7, () => 409)]);
    expect(await accounts(at)).toBe(2);
    const won = answers.find(({ status }) => status === 200);
    expect(await accountOf(at, olga, personId)).toBe(claimsOf(won?.body.data.tokens.access_token).sub);
    expect((await claim(at, token)).status).toBe(409);
  });

  test("eight concurrent claims of a signed-in account: exactly one succeeds, and the invite is claimed", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { token: session } = await signUp(at, ANNA);
    const { token } = await invitedStudent(at, olga);
    const claims = () => claim(at, token, {}, { token: session });
    expect(statuses(await Promise.all(times(8, claims)))).toEqual([200, ...times(7, () => 409)]);
    expect([(await claims()).status, (await show(at, token)).status]).toEqual([409, 409]);
    expect((await actions(at)).filter((action) => action === "invite.claimed")).toHaveLength(1);
  });

  test("a student invite and a member invite to one new address, claimed concurrently, create one account", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { token } = await invitedStudent(at, olga);
    const member = await invite(at, await signUp(at, "otto@example.com"), ANNA, ["mechanic"]);
    expect(statuses(await Promise.all([claim(at, token), organization.claim(at, member)]))).toEqual([200, 409]);
    expect(await accounts(at)).toBe(3);
  });
});

describe("between the commit of the claim and the tenant database", () => {
  test("the claim is final when the tenant database cannot be opened, and the link follows", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const { token, personId } = await invitedStudent(at, olga);
    const { tenants } = at.storage;
    const reach = tenants.tenant.bind(tenants);
    const write = () => Promise.reject(new Error("the disk is gone"));
    Object.assign(tenants, { tenant: (id: OrgId) => ({ ...reach(id), write }) });
    const answer = await claim(at, token);
    Object.assign(tenants, { tenant: reach });
    expect(answer.status).toBe(200);
    expect(at.logged.join("")).toContain("is not in the organization's database yet");
    expect(await openIntents(at)).toHaveLength(1);
    expect(await accountOf(at, olga, personId)).toBeNull();

    expect(await at.scheduler.runNow("intents")).toMatchObject({ summary: "Applied 1 intent." });
    expect(await openIntents(at)).toEqual([]);
    expect(await accountOf(at, olga, personId)).toBe(claimsOf(answer.body.data.tokens.access_token).sub);
  });

  /** A claim whose intent is still open. `settle` applies it after the test has changed something. */
  async function waiting(at: Installation) {
    const olga = await signUp(at);
    const { token, personId } = await invitedStudent(at, olga);
    const own: string = expectStatus(200, await claim(at, token)).body.data.tokens.access_token;
    const { sub } = claimsOf(own);
    await link(at, olga, personId, null);
    const settle = async () => {
      await at.storage.control.write((tx) =>
        writeIntent(tx, at.clock, studentClaimed, olga.orgId, { personId, userId: sub, requestId: "" }),
      );
      await intentsOf(at.storage, { warn: () => undefined, error: () => undefined }).recover();
    };
    return { olga, personId, sub, own, settle };
  }

  test("a person linked to another account meanwhile stays linked to it, and the audit log says so", async () => {
    const at = await newInstallation();
    const { olga, personId, sub, settle } = await waiting(at);
    await link(at, olga, personId, olga.userId);
    await settle();
    expect(await accountOf(at, olga, personId)).toBe(olga.userId);
    const [last] = (await recordsAudit(at, olga)).slice(-1);
    expect([last?.action, JSON.parse(last?.payload ?? "").after]).toEqual([
      "person.not_linked",
      { user_id: sub, because: "person_linked" },
    ]);
    expect(await openIntents(at)).toEqual([]);
  });

  test("an account linked to another person meanwhile stays linked to it", async () => {
    const at = await newInstallation();
    const { olga, personId, sub, settle } = await waiting(at);
    const other = await newStudent(at, olga, { user_id: sub });
    await settle();
    expect([await accountOf(at, olga, personId), await accountOf(at, olga, other)]).toEqual([null, sub]);
    expect((await recordsAudit(at, olga)).at(-1)).toMatchObject({ action: "person.not_linked", subject_id: personId });
  });

  test("a deleted person stays deleted", async () => {
    const at = await newInstallation();
    const { olga, personId, settle } = await waiting(at);
    await remove(at, olga, personId);
    await settle();
    expect(await accountOf(at, olga, personId)).toBeUndefined();
    const [last] = (await recordsAudit(at, olga)).slice(-1);
    expect(JSON.parse(last?.payload ?? "").after).toMatchObject({ because: "no_such_person" });
    expect(await openIntents(at)).toEqual([]);
  });

  test.each([
    ["was removed", (olga: Newcomer) => olga.token],
    ["has left", (_: Newcomer, own: string) => own],
  ])("an account that %s before the records could be reached is not linked, and the log says so", async (_, by) => {
    const at = await newInstallation();
    const { olga, personId, sub, own, settle } = await waiting(at);
    expectStatus(200, await at.call("DELETE", `/orgs/${olga.orgId}/members/${sub}`, { token: by(olga, own) }));
    await settle();
    expect(await accountOf(at, olga, personId)).toBeNull();
    const last = (await recordsAudit(at, olga)).at(-1);
    expect([last?.action, last?.subject_id, JSON.parse(last?.payload ?? "").after]).toEqual([
      "person.not_linked",
      personId,
      { user_id: sub, because: "no_member" },
    ]);
    expect(await openIntents(at)).toEqual([]);
  });

  test("an intent applied twice makes one link", async () => {
    const at = await newInstallation();
    const { olga, personId, sub, settle } = await waiting(at);
    await settle();
    await settle();
    expect(await accountOf(at, olga, personId)).toBe(sub);
    const linked = (await recordsAudit(at, olga)).filter(({ action }) => action === "person.linked");
    // One of the claim, and one of the two.
    expect(linked).toHaveLength(2);
  });
});
