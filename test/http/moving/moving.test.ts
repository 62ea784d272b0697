/** A school moves to another installation and back. */
import { afterAll, expect, test } from "bun:test";
import { cp, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { verify as verifySignature } from "@octokit/webhooks-methods";
import { eq } from "drizzle-orm";
import { memberships, users } from "../../../src/identity/identity.tables.ts";
import { verifyPack } from "../../../src/modules/evidence/format/verify-pack.ts";
import { auditVerify, check } from "../../../src/modules/operations/commands.ts";
import { orgExport } from "../../../src/modules/operations/move-commands.ts";
import { becomeNewer } from "../../storage/storages.ts";
import type { Installation } from "../../support/installation.ts";
import { unexamined } from "../../support/operator.ts";
import { expectStatus, newSchool, password, type School } from "../../support/school.ts";
import { authenticator, challenged, enroll, verify } from "../../support/second-factor.ts";
import { signUp } from "../accounts/newcomers.ts";
import { approvedFlight, contentOf, inPieces, issue, ofPilot } from "../evidence/packing.ts";
import { answered, delivering } from "../integrations/dispatching.ts";
import { emitTests } from "../integrations/events.ts";
import { webhookUrl } from "../integrations/scenery.ts";
import { adopted, depsOf, exported, newFolder, newPlace, passphrase, rebuilt, removeFolders, rowsOf } from "./moves.ts";

afterAll(removeFolders);

type Moving = School<Installation>;

const fileOf = ({ installation, orgId }: Moving) => join(installation.directory, `${orgId}.db`);

const tokenOf = (link: { link: string } | undefined) => /#\w+=([\w-]+)/.exec(link?.link ?? "")?.[1];

async function logIn(at: Installation, email: string) {
  const { body } = expectStatus(200, await at.call("POST", "/auth/login", { body: { email, password } }));
  return body.access_token;
}

/** The owner of a school that has moved, and the school. */
async function arrived(school: Moving, at: Installation): Promise<Moving> {
  const token = await logIn(at, school.owner.email);
  const call = (method: string, path: string, body?: unknown) =>
    at.call(method, `/orgs/${school.orgId}${path}`, { token, body });
  const owner = Object.assign(Object.create(school.owner), {
    token,
    get: (path: string) => call("GET", path),
    post: (path: string, body?: unknown) => call("POST", path, body),
  });
  return { ...school, installation: at, owner };
}

async function expectSound(at: Installation): Promise<void> {
  const deps = { ...at, ...unexamined };
  expect(await auditVerify.handle(deps, {})).toMatchObject({ ok: true });
  expect(await check.handle(deps, {})).toMatchObject({ ok: true });
}

/** Without what an adoption writes: its key, its audit row, and the intent that was applied. */
function comparable(rows: Record<string, unknown[]>, auditRows: number) {
  const { meta: _, applied_intents: _applied, intents: _intents, ...rest } = rows;
  return { ...rest, audit_log: rest.audit_log?.slice(0, auditRows) };
}

test("a school moves there and back with all it has", async () => {
  const [first, second] = [await newPlace(), await newPlace()];
  const school = await newSchool(first);
  const { owner, orgId } = school;
  await approvedFlight(school);
  const pack = await issue(owner, ofPilot(school.student.personId));
  const key = await school.apiKey("public.flights:read");
  const hook = expectStatus(
    201,
    await owner.post("/integrations/webhook-endpoints", { url: webhookUrl, event_types: ["webhook.test"] }),
  ).body.data;
  const factor = await enroll(first, school.instructor);
  const { token } = expectStatus(201, await owner.post("/invites", { email: "max@example.com", roles: ["mechanic"] }))
    .body.data;
  const offer = {
    kind: "job",
    title: "Instructor wanted",
    description: "Full time.",
    country: "DE",
    expires_on: "2026-12-31",
  };
  const opportunity = expectStatus(201, await owner.post("/opportunities", offer)).body.data;
  const before = await rowsOf(fileOf(school));
  const auditRows = before.audit_log?.length ?? 0;

  const there = await adopted(second, await exported(first, orgId));
  expect(there).toMatchObject({ organization_id: orgId, members: 3, links: [], remarks: [] });
  const moved = await arrived(school, second);
  expect(comparable(await rowsOf(fileOf(moved)), auditRows)).toEqual(comparable(before, auditRows));

  // Members sign in, one of them with the second factor from there.
  await logIn(second, school.student.email);
  const challenge = await challenged(second, school.instructor.email);
  expectStatus(200, await verify(second, challenge, await authenticator(second, factor.secret).code()));
  const { body: members } = await moved.owner.get("/members");
  expect(members.data.map(({ roles }: { roles: string[] }) => roles).sort()).toEqual([
    ["instructor"],
    ["owner"],
    ["student"],
  ]);
  // The API key reads, the invite is claimed, the offer is there.
  const read = await second.call("GET", "/api/v1/public/flights", { token: key, org: orgId });
  expect(expectStatus(200, read).body.data).toHaveLength(1);
  expectStatus(200, await second.call("POST", "/auth/org-invites/claim", { body: { token, password, name: "Max" } }));
  expect(expectStatus(200, await moved.owner.get(`/opportunities/${opportunity.id}`)).body.data).toEqual(opportunity);
  // A webhook is signed with the secret from there.
  const receiver = delivering(moved, () => answered(200));
  await emitTests(moved, 1);
  await receiver.settle();
  const [sent] = receiver.sent;
  expect(await verifySignature(hook.secret, String(sent?.body), String(sent?.headers["X-SVC-Webhook-Signature"]))).toBe(
    true,
  );
  // The pack of before verifies, and so does another one, signed with the same key.
  expect((await verifyPack(inPieces(await contentOf(moved, moved.owner, pack.id)))).sha256).toBe(pack.sha256);
  const next = await issue(moved.owner, ofPilot(school.student.personId));
  expect([next.status, next.key_id]).toEqual(["ready", pack.key_id]);
  await expectSound(second);

  // Back, to an installation that never had it but knows its members' accounts by their ids.
  const third = await newPlace();
  const back = await adopted(third, await exported(second, orgId));
  expect(back).toMatchObject({ members: 4, remarks: [] });
  const returned = await arrived(school, third);
  expect(expectStatus(200, await returned.owner.get("/flights")).body.data).toHaveLength(1);
  await expectSound(third);
}, 120_000);

test("an account that is here keeps its password and its factors, and another one with the address is only invited", async () => {
  const [first, second] = [await newPlace(), await newPlace()];
  const school = await newSchool(first);
  const other = await signUp(second, school.instructor.email);
  const before = await second.storage.control.read((reader) =>
    reader.select().from(users).where(eq(users.id, other.userId)),
  );

  const { links, remarks } = await adopted(second, await exported(first, school.orgId));
  expect(links).toMatchObject([{ email: school.instructor.email, purpose: "invite" }]);
  expect(remarks).toEqual([expect.stringContaining("are invited: 1")]);
  expect(
    await second.storage.control.read((reader) => reader.select().from(users).where(eq(users.id, other.userId))),
  ).toEqual(before);
  expectStatus(404, await second.call("GET", `/orgs/${school.orgId}/people`, { token: other.token }));
  const token = tokenOf(links[0]);
  expectStatus(200, await second.call("POST", "/auth/org-invites/claim", { token: other.token, body: { token } }));
  expectStatus(200, await second.call("GET", `/orgs/${school.orgId}/people`, { token: other.token }));
});

test("the address of a moved account is not verified: whoever proves it takes the account over", async () => {
  const [first, second] = [await newPlace(), await newPlace()];
  const school = await newSchool(first);
  await first.storage.control.write((tx) => tx.update(users).set({ email_verified_at: tx.now }));
  await adopted(second, await exported(first, school.orgId));
  const rows = await second.storage.control.read((reader) => reader.select().from(users));
  expect(rows.map(({ email_verified_at }) => email_verified_at)).toEqual([null, null, null]);
  expect(second.mails.map(({ to }) => to).sort()).toEqual(
    [school.owner, school.instructor, school.student].map(({ email }) => email).sort(),
  );
});

test("what signs in to another school, too, stays behind", async () => {
  const [first, second] = [await newPlace(), await newPlace()];
  const [school, another] = [await newSchool(first), await newSchool(first)];
  const { token } = expectStatus(
    201,
    await another.owner.post("/invites", { email: school.owner.email, roles: ["instructor"] }),
  ).body.data;
  expectStatus(200, await school.owner.call("POST", "/auth/org-invites/claim", { body: { token } }));

  const { links, remarks } = await adopted(second, await exported(first, school.orgId));
  const [mine] = await second.storage.control.read((reader) =>
    reader.select().from(users).where(eq(users.email, school.owner.email)),
  );
  expect(mine?.password_hash).toBeNull();
  expect(links).toMatchObject([{ email: school.owner.email, purpose: "password" }]);
  expect(remarks).toEqual([expect.stringContaining("Accounts without a password: 1")]);
  // The account is here now: with the other school, it gets the other membership, and stays as it is.
  const later = await adopted(second, await exported(first, another.orgId));
  expect([later.members, later.links]).toEqual([4, []]);
  const held = await second.storage.control.read((reader) => reader.select().from(memberships));
  const own = held.filter(({ user_id }) => user_id === mine?.id);
  expect(own.map(({ org_id, roles }) => [String(org_id), roles])).toEqual([
    [school.orgId, ["owner"]],
    [another.orgId, ["instructor"]],
  ]);
});

test("a wrong passphrase, a file that ends early, a changed one, a newer one and a school that is here are refused", async () => {
  const [first, second] = [await newPlace(), await newPlace()];
  const school = await newSchool(first);
  const file = await exported(first, school.orgId);
  const files = await readdir(second.directory);
  const refused = (from: string, message: string, more: object = {}) =>
    expect(adopted(second, from, more)).rejects.toThrow(message);

  await refused(file, "the passphrase is wrong", { passphrase: "a wrong passphrase for it" });
  await refused(file, "give its passphrase", { passphrase: undefined });
  const [shorter, changed, none] = ["shorter", "changed", "none"].map((name) => `${file}.${name}`) as [
    string,
    string,
    string,
  ];
  await cp(file, shorter);
  await truncate(shorter, (await stat(file)).size - 1000);
  await refused(shorter, "it can't be decrypted to its end");
  const bytes = await readFile(file);
  bytes[bytes.length - 5000] = (bytes[bytes.length - 5000] ?? 0) ^ 1;
  await writeFile(changed, bytes);
  await refused(changed, "it can't be decrypted to its end");
  await writeFile(none, "Nothing of ours.");
  await refused(none, "neither an export of a school nor a database");
  await refused(join(await newFolder(), "missing.age"), "can't be read");
  await expect(adopted(first, file)).rejects.toThrow("is in this installation already");
  expect((await readdir(second.directory)).sort()).toEqual(files.sort());
  expect(await second.storage.control.read((reader) => reader.$count(users))).toBe(0);
}, 60_000);

test("an export of a newer program is refused by an older one", async () => {
  const first = await newPlace();
  const school = await newSchool(first);
  const version = becomeNewer();
  await first.storage.tenants.migrate(first.storage.tenants.tenant(school.orgId as never).id);
  const file = await exported(first, school.orgId);
  const { migrationsOf } = await import("../../../src/storage/migrations-of.ts");
  migrationsOf.tenant = migrationsOf.tenant.slice(0, version - 1);
  await expect(adopted(await newPlace(), file)).rejects.toThrow("upgrade Windsock");
});

test("an export never replaces a file, and a damaged school leaves none", async () => {
  const first = await newPlace();
  const school = await newSchool(first);
  const file = await exported(first, school.orgId);
  const again = orgExport.handle(depsOf(first), { org: school.orgId, to: file, passphrase });
  await expect(again).rejects.toThrow("exists. Choose another file.");
  expect((await readdir(first.directory)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("a bare database is adopted with the key of its installation, or with new secrets without it", async () => {
  const first = await newPlace();
  const school = await newSchool(first);
  const { owner } = school;
  const hook = { url: webhookUrl, event_types: ["webhook.test"] };
  const { id, secret } = expectStatus(201, await owner.post("/integrations/webhook-endpoints", hook)).body.data;
  await approvedFlight(school);
  await issue(owner, ofPilot(school.student.personId));
  await first.storage.close();
  const [file, key] = [fileOf(school), join(first.directory, "secret.key")];

  const second = await newPlace();
  await expect(adopted(second, file)).rejects.toThrow("Name one with --owner EMAIL.");
  const known = await adopted(second, file, { key, owner: owner.email });
  expect(known).toMatchObject({ members: 1, links: [{ email: owner.email, purpose: "password" }] });
  const newPassword = async (at: Installation, link: { link: string } | undefined) => {
    const body = { token: tokenOf(link), password };
    expectStatus(200, await at.call("POST", "/auth/password/reset", { body }));
  };
  await newPassword(second, known.links[0]);
  const moved = await arrived(school, second);
  // The account has the id that it had, so its person is its own.
  expect(expectStatus(200, await moved.owner.get(`/people/${owner.personId}`)).body.data.user_id).toBe(owner.userId);
  const receiver = delivering(moved, () => answered(200));
  await emitTests(moved, 1);
  await receiver.settle();
  const signature = String(receiver.sent[0]?.headers["X-SVC-Webhook-Signature"]);
  expect(await verifySignature(secret, String(receiver.sent[0]?.body), signature)).toBe(true);

  const third = await newPlace();
  const unknown = await adopted(third, file, { owner: owner.email });
  expect(unknown.remarks).toContainEqual(expect.stringContaining("The key of its installation is not known."));
  await newPassword(third, unknown.links[0]);
  const without = await arrived(school, third);
  expect((await issue(without.owner, ofPilot(school.student.personId))).failure).toBe("key_unreadable");
  expectStatus(200, await without.owner.post("/signing-keys/rotate"));
  expect((await issue(without.owner, ofPilot(school.student.personId))).status).toBe("ready");
  const fresh = expectStatus(200, await without.owner.post(`/integrations/webhook-endpoints/${id}/rotate-secret`)).body
    .data;
  const delivered = delivering(without, () => answered(200));
  await emitTests(without, 1);
  await delivered.settle();
  const signed = String(delivered.sent[0]?.headers["X-SVC-Webhook-Signature"]);
  expect(await verifySignature(fresh.secret, String(delivered.sent[0]?.body), signed)).toBe(true);
  await expectSound(third);
}, 60_000);

test("the schools of a lost control database are adopted in place, with the members whom their persons name", async () => {
  const first = await newPlace();
  const school = await newSchool(first);
  await first.storage.close();
  const second = await newPlace();
  await cp(fileOf(school), join(second.directory, `${school.orgId}.db`));
  const { adopted: schools, left } = await rebuilt(second, { owner: school.owner.email, members: true });
  expect([schools.length, left]).toEqual([1, []]);
  expect(schools[0]).toMatchObject({ organization_id: school.orgId, members: 3 });
  const held = await second.storage.control.read((reader) => reader.select({ email: users.email }).from(users));
  expect(held).toHaveLength(3);
  expect(await rebuilt(second, { owner: school.owner.email })).toEqual({ adopted: [], left: [] });
  await expectSound(second);
});
