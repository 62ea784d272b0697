import { describe, expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { invites, memberships } from "../../../src/modules/organizations/organizations.tables.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, password, statuses, times } from "../../support/school.ts";
import {
  actions,
  claim,
  claimsOf,
  controlAudit,
  invite,
  isLetIn,
  join,
  logIn,
  type Newcomer,
  signUp,
} from "../accounts/newcomers.ts";

const INES = "ines@example.com";

const show = (at: Installation, token: string) => at.call("GET", `/auth/org-invites/${token}`);

const ask = (at: Installation, by: Newcomer, body: unknown) =>
  at.call("POST", `/orgs/${by.orgId}/invites`, { token: by.token, body });

const membershipRows = ({ storage }: Installation) =>
  storage.control.read((reader) => reader.select().from(memberships));

describe("POST /orgs/{orgId}/invites", () => {
  test("shows the token once and keeps its hash", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const answer = await ask(at, olga, { email: " INES@example.com", roles: ["mechanic", "instructor", "mechanic"] });
    expect(answer.status).toBe(201);
    const { token, ...rest } = answer.body.data;
    expect(rest).toMatchObject({
      email: INES,
      roles: ["instructor", "mechanic"],
      expires_at: "2026-06-21T09:00:00.000Z",
    });
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const kept = JSON.stringify([
      await at.storage.control.read((reader) => reader.select().from(invites)),
      await controlAudit(at),
      at.logged,
    ]);
    expect(kept).not.toContain(token);
    expect((await actions(at)).at(-1)).toBe("invite.created");
  });

  test("takes the permission, and ownership to make an owner", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const admin = await join(at, olga, "adam@example.com", ["admin"]);
    const instructor = await join(at, olga, INES, ["instructor"]);
    const stranger = await signUp(at, "otto@example.com");
    const wanted = { email: "new@example.com", roles: ["student"] };
    const asked = [
      await ask(at, admin, wanted),
      await ask(at, instructor, wanted),
      await ask(at, { ...stranger, orgId: olga.orgId }, wanted),
      await ask(at, admin, { ...wanted, roles: ["student", "owner"] }),
      await ask(at, olga, { ...wanted, roles: ["owner"] }),
      await at.call("POST", `/orgs/${olga.orgId}/invites`, { body: wanted }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([201, 403, 404, 403, 201, 401]);
  });

  test("refuses who is a member already", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    expect((await ask(at, olga, { email: olga.email, roles: ["student"] })).status).toBe(409);
  });

  test.each([
    ["no roles", { email: INES, roles: [] }],
    ["an unknown role", { email: INES, roles: ["pilot"] }],
    ["a role that is no list", { email: INES, roles: "admin" }],
    ["no address", { roles: ["admin"] }],
    ["an unknown field", { email: INES, roles: ["admin"], token: "x" }],
  ])("refuses %s", async (_, body) => {
    const at = await newInstallation();
    expect((await ask(at, await signUp(at), body)).status).toBe(400);
  });

  test("a second invite to the same address withdraws the first, and nobody else's", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const first = await invite(at, olga, INES, ["student"]);
    const others = await invite(at, otto, INES, ["student"]);
    const second = await invite(at, olga, INES, ["instructor"]);
    const seen = [await show(at, first), await show(at, others), await show(at, second)];
    expect(seen.map(({ status }) => status)).toEqual([410, 200, 200]);
    expect((await claim(at, first)).status).toBe(410);
  });
});

describe("GET /auth/org-invites/{token}", () => {
  test("tells its holder what it is for, and not whether the address has an account", async () => {
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

  test("answers 404, 409 and 410 for unknown, used and expired, and claiming agrees", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const used = await invite(at, olga, INES, ["instructor"]);
    await claim(at, used);
    const expiring = await invite(at, olga, "new@example.com", ["student"]);
    at.clock.advance(days(7) - 1);
    expect((await show(at, expiring)).status).toBe(200);
    at.clock.advance(1);

    const cases: [string, number][] = [
      ["x", 404],
      ["A".repeat(43), 404],
      [`${expiring}A`, 404],
      ["A".repeat(300), 404],
      [used, 409],
      [expiring, 410],
    ];
    for (const [token, status] of cases) {
      expect((await show(at, token)).status).toBe(status);
      if (token.length <= 200) expect((await claim(at, token)).status).toBe(status);
    }
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

describe("POST /auth/org-invites/claim", () => {
  test("makes a new account, a member at once, and signs it in", async () => {
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
    expect((await actions(at)).slice(-5)).toEqual([
      "user.created",
      "invite.claimed",
      "member.added",
      "session.opened",
      "session.opened",
    ]);
  });

  test("eight at once: exactly one wins", async () => {
    const at = await newInstallation();
    const token = await invite(at, await signUp(at), INES, ["instructor"]);
    const answers = await Promise.all(times(8, () => claim(at, token)));
    expect(statuses(answers)).toEqual([200, ...times(7, () => 409)]);
    expect(await membershipRows(at)).toHaveLength(2);
  });

  test("of two invites from two schools to one new address, claimed at once, one makes the account", async () => {
    const at = await newInstallation();
    const tokens = [
      await invite(at, await signUp(at), INES, ["instructor"]),
      await invite(at, await signUp(at, "otto@example.com"), INES, ["instructor"]),
    ];
    expect(statuses(await Promise.all(tokens.map((token) => claim(at, token))))).toEqual([200, 409]);
    expect(await membershipRows(at)).toHaveLength(3);
  });

  test("never enters an account that exists: the inviter holds the token too", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const token = await invite(at, olga, otto.email, ["instructor"]);
    const answer = await claim(at, token, { password: "a password of the inviter's" });
    expect(answer.status).toBe(409);
    expect((await claim(at, token, {})).status).toBe(409);
    expect((await logIn(at, otto.email)).status).toBe(200);
    expect((await claim(at, token, {}, otto)).status).toBe(200);
  });

  test("links the account that is signed in, without new tokens", async () => {
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

  test("refuses somebody else's account, a member, and a bad session", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const otto = await signUp(at, "otto@example.com");
    const token = await invite(at, olga, INES, ["instructor"]);
    expect((await claim(at, token, {}, otto)).status).toBe(409);
    expect((await claim(at, token, { password }, { ...otto, token: "nonsense" })).status).toBe(401);
    expect((await show(at, token)).status).toBe(200);

    // Invited while no member, then made one by another invite of the same moment.
    const again = await invite(at, olga, otto.email, ["student"]);
    await at.storage.control.write((tx) =>
      tx.insert(memberships).values({
        orgId: olga.orgId,
        userId: otto.userId,
        roles: ["student"],
        createdAt: tx.now,
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

test("an invite ends with the authority of whoever made it", async () => {
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
