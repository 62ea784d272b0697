import { describe, expect, test } from "bun:test";
import { minutes } from "../../../src/core/clock.ts";
import { invites } from "../../../src/modules/organizations/organizations.tables.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import {
  actions,
  claim,
  controlAudit,
  invite,
  join,
  type Newcomer,
  prove,
  signUp,
  stored,
} from "../accounts/newcomers.ts";

const INES = "ines@example.com";
type By = Pick<Newcomer, "token" | "orgId">;

const show = (at: Installation, token: string) => at.call("GET", `/auth/org-invites/${token}`);

const ask = (at: Installation, by: By, body: unknown) =>
  at.call("POST", `/orgs/${by.orgId}/invites`, { token: by.token, body });

async function invited(at: Installation, by: By, roles: string[] = ["instructor"], email = INES) {
  const { data } = expectStatus(201, await ask(at, by, { email, roles })).body;
  return data as { id: string; token: string; mailed: boolean };
}

/** Returns the tokens of the links in mails. */
const mailedTo = ({ mails }: Installation, address: string) =>
  mails.flatMap(({ to, text }) => (to === address ? [/#invite=([A-Za-z0-9_-]{43})\n/.exec(text)?.[1]] : []));

const resend = (at: Installation, { token, orgId }: By, id: string) =>
  at.call("POST", `/orgs/${orgId}/invites/${id}/resend`, { token });

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

  test("requires the permission, and ownership to invite an owner", async () => {
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

  test("a claim creates an account that gets a verification mail", async () => {
    const at = await newInstallation();
    const ines = await join(at, await signUp(at), INES, ["student"]);
    expect((await stored(at, INES)).email_verified_at).toBeNull();
    await prove(at, ines);
    expect((await stored(at, INES)).email_verified_at).not.toBeNull();
  });

  test("does not revoke an open invite that the inviter may not create", async () => {
    const at = await newInstallation();
    const olga = await signUp(at);
    const admin = await join(at, olga, "adam@example.com", ["admin"]);
    const token = await invite(at, olga, INES, ["owner"]);
    expect((await ask(at, admin, { email: INES, roles: ["student"] })).status).toBe(403);
    expect((await show(at, token)).status).toBe(200);
    expect((await ask(at, olga, { email: INES, roles: ["student"] })).status).toBe(201);
    expect((await show(at, token)).status).toBe(410);
  });

  test("rejects the address of a member", async () => {
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

  test("a second invite to the same address revokes the first, and no other", async () => {
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

test("an invite is mailed after the commit, as a link to the page with the token after the #", async () => {
  const at = await newInstallation({ env: { WINDSOCK_LINK_URL: "https://console.example.com/link" } });
  const olga = await signUp(at);
  const { token, mailed } = await invited(at, olga);
  expect(mailed).toBe(true);
  const mail = at.mails.find(({ to }) => to === INES);
  expect(mail?.subject).toBe("You are invited to a flight school's records");
  expect(mail?.text).toContain(`https://console.example.com/link#invite=${token}\n`);
  expect(mail?.text).toContain("Olga Owner invites you to Flugschule Egelsbach, as instructor.");
  expect(mail?.text).toContain("until 21 June 2026, 09:00 UTC");

  const refused = await at.call("POST", `/orgs/${olga.orgId}/invites`, {
    token: olga.token,
    body: { email: olga.email, roles: ["student"] },
  });
  expect(refused.status).toBe(409);
  expect(mailedTo(at, olga.email).filter(Boolean)).toEqual([]);
});

test("mails 5 invites an hour to an address and 60 for an organization; further invites are created without mail", async () => {
  const at = await newInstallation();
  const olga = await signUp(at);
  const otto = await signUp(at, "otto@example.com");
  const sent = async (by: By, email: string) => (await invited(at, by, ["student"], email)).mailed;
  const toInes = [];
  for (let n = 0; n < 6; n += 1) toInes.push(await sent(n % 2 ? olga : otto, INES));
  expect(toInes).toEqual([true, true, true, true, true, false]);
  expect(mailedTo(at, INES)).toHaveLength(5);

  for (let n = 0; n < 58; n += 1) expect(await sent(olga, `student${n}@example.com`)).toBe(true);
  const { id, token, mailed } = await invited(at, olga, ["student"], "late@example.com");
  expect([mailed, (await show(at, token)).status]).toEqual([false, 200]);
  expect(expectStatus(200, await resend(at, olga, id)).body.data.mailed).toBe(false);
  expect(await sent(otto, "late@example.com")).toBe(true);
  at.clock.advance(minutes(1));
  expect(expectStatus(200, await resend(at, olga, id)).body.data.mailed).toBe(true);
});

test("a rejected invite does not count against the limits of mails", async () => {
  const at = await newInstallation();
  const olga = await signUp(at);
  for (let n = 0; n < 6; n += 1) {
    const call = { token: olga.token, body: { email: olga.email, roles: ["student"] } };
    expect((await at.call("POST", `/orgs/${olga.orgId}/invites`, call)).status).toBe(409);
  }
  const otto = await signUp(at, "otto@example.com");
  expect((await invited(at, otto, ["student"], olga.email)).mailed).toBe(true);
});
