/** A school moves to another installation and back. */
import { afterAll, expect, test } from "bun:test";
import { cp, readdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { verify as verifySignature } from "@octokit/webhooks-methods";
import { eq, sql } from "drizzle-orm";
import { isId } from "../../../src/core/ids.ts";
import { memberships, organizations, users } from "../../../src/identity/identity.tables.ts";
import { verifyPack } from "../../../src/modules/evidence/format/verify-pack.ts";
import { auditVerify, check } from "../../../src/modules/operations/commands.ts";
import { orgExport } from "../../../src/modules/operations/move-commands.ts";
import { moved } from "../../../src/modules.ts";
import { checkerInThisProcess } from "../../../src/storage/check/checker.ts";
import { becomeNewer } from "../../storage/storages.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { newInvoice, useCurrency } from "../../support/money.ts";
import { unexamined } from "../../support/operator.ts";
import { expectStatus, newSchool, password, type School } from "../../support/school.ts";
import { authenticator, challenged, enroll, verify } from "../../support/second-factor.ts";
import { remove } from "../../support/suspending.ts";
import { signUp } from "../accounts/newcomers.ts";
import { approvedFlight, contentOf, inPieces, issue, ofPilot } from "../evidence/packing.ts";
import { answered, delivering } from "../integrations/dispatching.ts";
import { emitTests } from "../integrations/events.ts";
import { webhookUrl } from "../integrations/scenery.ts";
import { expectMoved, fullSchool } from "./full-school.ts";
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

/** Tables without rows here: uploads in progress, prints that nobody asked for, and intents, which were applied. */
const empty = [
  ...["attachment_uploads", "finance_document_chunks", "finance_documents", "intents"],
  ...["revalidation_looks", "revalidation_notices"],
];

/** What each module would give to a third installation: of the same school, the same at both. */
const partsOf = ({ storage }: Installation, school: Moving) =>
  storage.control.read(async (reader) => {
    const taking = { orgId: idOf(school), keys: storage.keys, withCredentials: true };
    const parts: Record<string, unknown> = {};
    for (const { name, take } of moved) parts[name] = await take(reader, taking);
    return parts;
  });

/** Each installation reviews the add-ons that it publishes. */
const unreviewed = { review_status: "draft", submitted_at: null, reviewed_at: null, reviewed_by: null };

const withoutReviews = ({ addons, ...parts }: Record<string, unknown>) => ({
  ...parts,
  addons: Array.isArray(addons) && addons.map((listing) => ({ ...listing, ...unreviewed })),
});

/** An account that is here stays as it is: its second factor was used at the other place. */
const withoutAccounts = ({ accounts: _, ...parts }: Record<string, unknown>) => parts;

function idOf({ orgId }: Moving) {
  if (!isId<"organization">(orgId)) throw new Error(orgId);
  return orgId;
}

/** Emits an event to the endpoint of the moved school. */
async function expectDelivery(school: Moving, { url, secret }: { url: string; secret: string }): Promise<void> {
  const receiver = delivering(school, () => answered(200));
  await emitTests(school, 1);
  await receiver.settle();
  const sent = receiver.sent.filter((one) => one.url === url);
  expect(sent.length).toBeGreaterThanOrEqual(1);
  for (const { body, headers } of sent)
    expect(await verifySignature(secret, String(body), String(headers["X-SVC-Webhook-Signature"]))).toBe(true);
}

test("a school moves to a second installation and back to the first, with all it has both times", async () => {
  const school = await fullSchool();
  const [first, second] = [school.installation, await newPlace()];
  const { owner, orgId } = school;
  const pack = await issue(owner, ofPilot(school.student.personId));
  const key = await school.apiKey("public.flights:read");
  const url = "https://moved.example.com/hook";
  const { secret } = expectStatus(
    201,
    await owner.post("/integrations/webhook-endpoints", { url, event_types: ["webhook.test"] }),
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
  await expectDelivery(school, { url, secret });
  const flights = expectStatus(200, await school.publicGet("/flights", key)).body.data.length;

  const there = await exported(first, orgId);
  const [before, parts] = [await rowsOf(fileOf(school)), await partsOf(first, school)];
  expect(await adopted(second, there)).toMatchObject({ organization_id: orgId, links: [], remarks: [] });
  const arrivedThere = await arrived(school, second);
  const filled = expectMoved(before, await rowsOf(fileOf(arrivedThere)));
  // All other tables have rows, so that comparing them says something.
  expect(Object.keys(before).filter((table) => !filled.includes(table))).toEqual(empty);
  expect(await partsOf(second, school)).toEqual(withoutReviews(parts));
  await expectSound(second);

  // Members sign in, one of them with the second factor from there.
  await logIn(second, school.student.email);
  const signInWithFactor = async (at: Installation) => {
    const challenge = await challenged(at, school.instructor.email);
    expectStatus(200, await verify(at, challenge, await authenticator(at, factor.secret).code()));
  };
  await signInWithFactor(second);
  // The API key reads, the invite is claimed, the offer is there.
  const read = (at: Installation) => at.call("GET", "/api/v1/public/flights", { token: key, org: orgId });
  expect(expectStatus(200, await read(second)).body.data).toHaveLength(flights);
  expectStatus(200, await second.call("POST", "/auth/org-invites/claim", { body: { token, password, name: "Max" } }));
  expect(expectStatus(200, await arrivedThere.owner.get(`/opportunities/${opportunity.id}`)).body.data).toEqual(
    opportunity,
  );
  await expectDelivery(arrivedThere, { url, secret });
  // The pack of before verifies, and so does another one, signed with the same key.
  const packOf = async (at: Moving, { id }: { id: string }) => verifyPack(inPieces(await contentOf(at, at.owner, id)));
  expect((await packOf(arrivedThere, pack)).sha256).toBe(pack.sha256);
  const next = await issue(arrivedThere.owner, ofPilot(school.student.personId));
  expect([next.status, next.key_id]).toEqual(["ready", pack.key_id]);

  // The first installation deletes the school, and takes it back later.
  await remove(school, { confirm: expectStatus(200, await owner.get("")).body.data.name, grace: "0d" });
  expect(await first.scheduler.runNow("organization-removal")).toMatchObject({ outcome: "succeeded" });
  expectStatus(404, await owner.get("/flights"));
  const back = await exported(second, orgId);
  const [beforeBack, partsBack] = [await rowsOf(fileOf(arrivedThere)), await partsOf(second, school)];
  expect(await adopted(first, back)).toMatchObject({ organization_id: orgId, links: [], remarks: [] });
  const returned = await arrived(school, first);
  expectMoved(beforeBack, await rowsOf(fileOf(returned)));
  expect(withoutAccounts(await partsOf(first, school))).toEqual(withoutAccounts(withoutReviews(partsBack)));
  await expectSound(first);

  await logIn(first, school.student.email);
  await logIn(first, "max@example.com");
  await signInWithFactor(first);
  expect(expectStatus(200, await read(first)).body.data).toHaveLength(flights);
  await expectDelivery(returned, { url, secret });
  for (const one of [pack, next]) expect((await packOf(returned, one)).sha256).toBe(one.sha256);
  const log = expectStatus(200, await returned.owner.get("/audit-log?action=organization.adopted")).body.data;
  expect(log).toHaveLength(2);
  await first.close();
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
  const missing = join(await newFolder(), "missing.age");
  await refused(missing, `There is no ${missing}.`);
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
  // Of the control database only.
  const second = await newPlace();
  const { control, tenant } = migrationsOf;
  Object.assign(migrationsOf, { control: [], tenant: [...tenant, ""] });
  try {
    await expect(adopted(second, file)).rejects.toThrow("upgrade Windsock");
  } finally {
    Object.assign(migrationsOf, { control, tenant });
  }
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
  for (const currency of ["EUR", "CHF"]) {
    await useCurrency(school, currency);
    await newInvoice(school);
    first.clock.advance(1000);
  }
  await first.storage.close();
  const second = await newPlace();
  await cp(fileOf(school), join(second.directory, `${school.orgId}.db`));
  const { adopted: schools, left } = await rebuilt(second, { owner: school.owner.email, members: true });
  expect([schools.length, left]).toEqual([1, []]);
  expect(schools[0]).toMatchObject({ organization_id: school.orgId, members: 3 });
  const held = await second.storage.control.read((reader) => reader.select({ email: users.email }).from(users));
  expect(held).toHaveLength(3);
  // What the file does not know is as in its newest invoice.
  const found = await second.storage.control.read((reader) => reader.select().from(organizations));
  expect(found).toMatchObject([{ id: school.orgId, currency: "CHF" }]);
  expect(await rebuilt(second, { owner: school.owner.email })).toEqual({ adopted: [], left: [], lost: [], unread: [] });
  await expectSound(second);
});

test("a control database that is older than a school's file: who is missing in it is named, and joins again", async () => {
  const first = await newPlace();
  const school = await newSchool(first);
  const { owner, orgId } = school;
  const leaver = await school.join(["mechanic"], "Lea Leaver");
  expectStatus(200, await owner.delete(`/members/${leaver.userId}`));
  const older = join(await newFolder(), "control.db");
  const copied = { to: older, expected: { kind: "control" } } as const;
  expect((await checkerInThisProcess.copy(join(first.directory, "control.db"), copied)).faults).toEqual([]);
  const max = await school.join(["mechanic"], "Max Mechanic");
  // Neither who was archived nor who was erased is named.
  for (const column of ["status = 'archived'", "erased_at = '2026-01-01T00:00:00.000Z'"]) {
    const gone = await school.join(["mechanic"], column.slice(0, 6).trim());
    await first.storage.tenants
      .tenant(idOf(school))
      .write((tx) => tx.run(sql`update people set ${sql.raw(column)} where id = ${gone.personId}`));
  }
  // Accounts without a person, of whom the school's file has the names: they have written there.
  for (const name of ["Zoe Admin", "Ada Admin"]) {
    const invite = { email: `${name.slice(0, 3)}@example.com`, roles: ["admin"] };
    const { token: invited } = expectStatus(201, await owner.post("/invites", invite)).body.data;
    const body = { token: invited, password, name };
    const claimed = expectStatus(200, await first.call("POST", "/auth/org-invites/claim", { body })).body.data;
    const aircraft = { registration: `D-E${name.slice(0, 3).toUpperCase()}`, model: "Cessna 172S", class: "SEP" };
    const written = { token: claimed.tokens.access_token, body: aircraft };
    expectStatus(201, await first.call("POST", `/orgs/${orgId}/aircraft`, written));
  }
  await first.close();

  const directory = await newFolder();
  for (const file of [`${orgId}.db`, "secret.key"]) await cp(join(first.directory, file), join(directory, file));
  await cp(older, join(directory, "control.db"));
  const at = await newInstallation({ directory });
  const found = await rebuilt(at, { owner: owner.email });
  const lost = { organization_id: orgId, name: expect.stringMatching(/^School /) };
  expect(found).toEqual({
    ...{ adopted: [], left: [], unread: [] },
    lost: [
      {
        ...lost,
        members: [
          { name: "Max Mechanic", email: max.email },
          { name: "Ada Admin", email: null },
          { name: "Zoe Admin", email: null },
        ],
      },
    ],
  });

  const back = await arrived(school, at);
  const { token } = expectStatus(201, await back.owner.post("/invites", { email: max.email, roles: ["mechanic"] })).body
    .data;
  const again = { token, password, name: "Max Mechanic" };
  const joined = expectStatus(200, await at.call("POST", "/auth/org-invites/claim", { body: again })).body.data;
  const { sub } = JSON.parse(Buffer.from(joined.tokens.access_token.split(".")[1], "base64url").toString());
  const call = { token: await logIn(at, owner.email), body: { user_id: sub } };
  expectStatus(200, await at.call("PATCH", `/orgs/${orgId}/people/${max.personId}`, call));
  expect((await rebuilt(at, { owner: owner.email })).lost).toMatchObject([
    { ...lost, members: [{ name: "Ada Admin" }, { name: "Zoe Admin" }] },
  ]);
});

test("a school whose file can't be opened is said to be unread, and the others are searched", async () => {
  const at = await newPlace();
  const [damaged, other] = [await newSchool(at), await newSchool(at)];
  await at.close();
  await truncate(fileOf(damaged), 5000);
  const restarted = await newInstallation({ directory: at.directory, checker: checkerInThisProcess });
  const { lost, unread } = await rebuilt(restarted, { owner: other.owner.email });
  expect([lost, unread]).toMatchObject([[], [{ organization_id: damaged.orgId, fault: expect.any(String) }]]);
});
