import { describe, expect, test } from "bun:test";
import { Problem } from "../../../src/core/errors.ts";
import { memberships, users } from "../../../src/identity/identity.tables.ts";
import type { Passwords } from "../../../src/modules/accounts/passwords/passwords.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, password, statuses, times } from "../../support/school.ts";
import { actions, claim, claimsOf, invite, isLetIn, logIn, signUp } from "../accounts/newcomers.ts";

const INES = "ines@example.com";

const show = (at: Installation, token: string) => at.call("GET", `/auth/org-invites/${token}`);

const membershipRows = ({ storage }: Installation) =>
  storage.control.read((reader) => reader.select().from(memberships));

describe("POST /auth/org-invites/claim", () => {
  test("creates an account that is a member, and signs it in", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const answer = await claim(at, await invite(at, olga, INES, ["instructor"]), { password, name: "Ines Berg" });
    expect(answer.status).toBe(200);
    const { organization, roles, tokens } = answer.body.data;
    expect([organization.id, roles]).toEqual([olga.orgId, ["instructor"]]);
    expect(claimsOf(tokens.access_token)).toMatchObject({ org: olga.orgId });
    expect(await isLetIn(at, { orgId: olga.orgId, token: tokens.access_token })).toBe(true);
    expect((await logIn(at, INES)).status).toBe(200);
    const members = await at.call("GET", `/orgs/${olga.orgId}/members`, { token: olga.token });
    expect(members.body.data).toMatchObject([{ name: "Ines Berg", email: INES }, { email: olga.email }]);
    expect((await actions(at)).slice(-6)).toEqual([
      "user.created",
      "email.verification_sent",
      "invite.claimed",
      "member.added",
      "session.opened",
      "session.opened",
    ]);
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
    const call = { token: olga.token, body: { email: INES, roles: ["instructor"] } };
    const { id, token } = expectStatus(201, await at.call("POST", `/orgs/${olga.orgId}/invites`, call)).body.data;
    revoke.now = () => at.call("DELETE", `/orgs/${olga.orgId}/invites/${id}`, { token: olga.token });
    expect((await claim(at, token)).status).toBe(410);
    expect(await membershipRows(at)).toHaveLength(1);
    expect(await at.storage.control.read((reader) => reader.$count(users))).toBe(1);
  });

  test("eight concurrent claims: exactly one succeeds", async () => {
    const at = await newInstallation();
    const token = await invite(at, await signUp(at), INES, ["instructor"]);
    const answers = await Promise.all(times(8, () => claim(at, token)));
    expect(statuses(answers)).toEqual([200, ...times(7, () => 409)]);
    expect(await membershipRows(at)).toHaveLength(2);
  });

  test("two schools' invites to one new address, claimed concurrently, create one account", async () => {
    const at = await newInstallation();
    const tokens = [
      await invite(at, await signUp(at), INES, ["instructor"]),
      await invite(at, await signUp(at, "otto@example.com"), INES, ["instructor"]),
    ];
    expect(statuses(await Promise.all(tokens.map((token) => claim(at, token))))).toEqual([200, 409]);
    expect(await membershipRows(at)).toHaveLength(3);
  });

  test("does not sign in to an existing account: the inviter has the token too", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const token = await invite(at, olga, otto.email, ["instructor"]);
    const answer = await claim(at, token, { password: "a password of the inviter's" });
    expect(answer.status).toBe(409);
    expect(answer.body.error.reason).toBe("email_taken");
    // Without a password, the response is the same as for an address without an account.
    expect((await claim(at, token, {})).status).toBe(400);
    expect((await logIn(at, otto.email)).status).toBe(200);
    expect((await claim(at, token, {}, otto)).status).toBe(200);
  });

  test("does not tell whether the address has an account while no password can be hashed", async () => {
    const watchPasswords = (passwords: Passwords): Passwords => ({ ...passwords, hash: () => Promise.reject(busy()) });
    const busy = () => new Problem("RATE_LIMITED", "Too many sign-ins.", { retryAfter: 1 });
    let isBusy = false;
    const at = await newInstallation({ watchPasswords: (known) => (isBusy ? watchPasswords(known) : known) });
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const tokens = [
      await invite(at, olga, otto.email, ["instructor"]),
      await invite(at, olga, "nobody@example.com", ["instructor"]),
    ];
    isBusy = true;
    for (const token of tokens) expect((await claim(at, token)).status).toBe(429);
  });

  test("adds the membership to a signed-in account, without new tokens", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const { data } = expectStatus(
      200,
      await claim(at, await invite(at, olga, otto.email, ["mechanic"]), {}, otto),
    ).body;
    expect([data.roles, data.tokens]).toEqual([["mechanic"], undefined]);
    expect(await isLetIn(at, { orgId: olga.orgId, token: otto.token })).toBe(true);
  });

  test("rejects another account, a member, and an invalid session", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const token = await invite(at, olga, INES, ["instructor"]);
    expect((await claim(at, token, {}, otto)).status).toBe(409);
    expect((await claim(at, token, { password }, { ...otto, token: "nonsense" })).status).toBe(401);
    expect((await show(at, token)).status).toBe(200);

    // Invited before the account is a member; a concurrent invite then makes it one.
    const again = await invite(at, olga, otto.email, ["student"]);
    await at.storage.control.write((tx) =>
      tx.insert(memberships).values({
        org_id: olga.orgId,
        user_id: otto.userId,
        roles: ["student"],
        created_at: tx.now,
      }),
    );
    expect((await claim(at, again, {}, otto)).status).toBe(409);
  });

  test.each([
    ["a new account without a password", {}, "body.password"],
    ["a short password", { password: "elevenchars" }, "body.password"],
    ["the address as password", { password: INES }, "body.password"],
    ["an unknown field", { password, roles: ["owner"] }, "body.roles"],
  ])("refuses %s, and the invite stays open", async (_, body, path) => {
    const at = await newInstallation();
    const token = await invite(at, await signUp(at), INES, ["instructor"]);
    const answer = await claim(at, token, body);
    expect(answer.status).toBe(400);
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect((await claim(at, token)).status).toBe(200);
  });
});
