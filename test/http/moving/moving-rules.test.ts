/** What goes along with a school, what stays behind, and what is refused. */
import { afterAll, expect, test } from "bun:test";
import { cp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { isId } from "../../../src/core/ids.ts";
import { formerMemberships, users } from "../../../src/identity/identity.tables.ts";
import { disableAccount } from "../../../src/modules/accounts/operator/disable-account.ts";
import { grantPlatformPermission } from "../../../src/modules/accounts/operator/grant-platform-permission.ts";
import { auditVerify, check } from "../../../src/modules/operations/commands.ts";
import { orgExport } from "../../../src/modules/operations/move-commands.ts";
import { type Checker, checkerInThisProcess } from "../../../src/storage/check/checker.ts";
import { intents } from "../../../src/storage/shared.tables.ts";
import { suspendedSince } from "../../../src/storage/suspended.ts";
import { meta } from "../../../src/storage/tenant.tables.ts";
import { idsOf, publish } from "../../support/directory.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { approvedListing, newListing } from "../../support/market.ts";
import { unexamined } from "../../support/operator.ts";
import { expectStatus, newSchool, password, type School } from "../../support/school.ts";
import { rename, suspend } from "../../support/suspending.ts";
import { signUp } from "../accounts/newcomers.ts";
import { adopted, depsOf, exported, newFolder, newPlace, passphrase, rebuilt, removeFolders } from "./moves.ts";

afterAll(removeFolders);

function idOf({ orgId }: Pick<School, "orgId">) {
  if (!isId<"organization">(orgId)) throw new Error(orgId);
  return orgId;
}

const fileOf = ({ installation, orgId }: School<Installation>) => join(installation.directory, `${orgId}.db`);

const commandLine = ({ clock, storage }: Installation) =>
  ({ actor: { kind: "command_line" }, requestId: "", clock, control: storage.control }) as const;

const accountOf = async ({ storage }: Installation, email: string) => {
  const [row] = await storage.control.read((reader) => reader.select().from(users).where(eq(users.email, email)));
  return row;
};

test("a disabled account stays disabled, an operator's password stays behind, members are found, and what waits goes on", async () => {
  const first = await newPlace();
  const woken: string[] = [];
  const second = await newInstallation({ directory: await newFolder(), onDue: (orgId) => void woken.push(orgId) });
  const school = await newSchool(first);
  const { owner, instructor, student, orgId } = school;
  const admin = await school.join(["admin"], "Ada Admin");
  const leaver = await school.join(["mechanic"], "Lea Leaver");
  expectStatus(200, await owner.delete(`/members/${leaver.userId}`));
  await publish(owner, "schools", orgId);
  await disableAccount(commandLine(first), { email: instructor.email });
  const permission = "platform_admin.installation:read";
  await grantPlatformPermission(commandLine(first), { email: student.email, permission, evenUnverified: true });
  const file = await exported(first, orgId);

  await adopted(second, file);
  expect(await accountOf(second, instructor.email)).toMatchObject({ disabled_at: expect.any(String) });
  expect(second.mails.map(({ to }) => to).sort()).toEqual([owner.email, student.email, admin.email].sort());
  expect(await accountOf(second, student.email)).toMatchObject({ password_hash: null });
  const login = { email: owner.email, password };
  const { access_token: token } = expectStatus(200, await second.call("POST", "/auth/login", { body: login })).body;
  const named = await second.call("GET", `/orgs/${orgId}/search?q=ines`, { token });
  expect(expectStatus(200, named).body.data).toContainEqual(
    expect.objectContaining({ kind: "member", id: instructor.userId }),
  );
  expect(await idsOf(second, "schools")).toEqual([orgId]);
  expect(woken).toContain(orgId);
  // Who left is known as one who left only where the account is.
  expect(await second.storage.control.read((reader) => reader.$count(formerMemberships))).toBe(0);
}, 60_000);

test("an add-on whose address is another one's here stays behind, and the others come as drafts", async () => {
  const [first, second] = [await newPlace(), await newPlace()];
  const school = await newSchool(first);
  const taken = await newListing(school.owner, { name: "Theirs" });
  const free = await approvedListing(school);
  const there = await newSchool(second);
  await newListing(there.owner, { slug: taken.slug, name: "Ours" });
  const { remarks } = await adopted(second, await exported(first, school.orgId));
  expect(remarks).toEqual([
    `The add-on Theirs stayed behind: there is another one here with its address ${taken.slug}.`,
  ]);
  const body = { email: school.owner.email, password };
  const { access_token: token } = expectStatus(200, await second.call("POST", "/auth/login", { body })).body;
  const came = expectStatus(200, await second.call("GET", `/orgs/${school.orgId}/addon-listings`, { token })).body.data;
  expect(came).toMatchObject([{ id: free.id, slug: free.slug, review_status: "draft" }]);
  expect((await there.owner.get("/addon-listings")).body.data).toMatchObject([{ slug: taken.slug, name: "Ours" }]);
}, 60_000);

test("what waits at a school that was suspended goes on when it is no longer suspended here", async () => {
  const first = await newPlace();
  const woken: string[] = [];
  const second = await newInstallation({ directory: await newFolder(), onDue: (orgId) => void woken.push(orgId) });
  const school = await newSchool(first);
  await suspend(school);
  const from = await exported(first, school.orgId);
  // Its file has not taken it yet when it is opened for the first time.
  const later = { ...second, intents: { ...second.intents, apply: async () => undefined } };
  await adopted(later, from);
  const tenant = second.storage.tenants.tenant(idOf(school));
  expect(await tenant.read(suspendedSince)).not.toBeNull();
  woken.length = 0;
  await second.intents.apply(tenant.id);
  expect(await tenant.read(suspendedSince)).toBeNull();
  expect(woken).toContain(school.orgId);
});

test("who is invited anew is invited by the owner who joined first", async () => {
  const [first, second] = [await newPlace(), await newPlace()];
  const elder = await signUp(first, "elder@example.com");
  first.clock.advance(1000);
  const school = await newSchool(first);
  const { owner, instructor, orgId } = school;
  const other = await school.join(["owner"], "Oda Other");
  first.clock.advance(1000);
  const invite = { email: "elder@example.com", roles: ["owner"] };
  const { token } = expectStatus(201, await owner.post("/invites", invite)).body.data;
  expectStatus(200, await first.call("POST", "/auth/org-invites/claim", { token: elder.token, body: { token } }));
  // Another account has the instructor's address there.
  await signUp(second, instructor.email);
  await adopted(second, await exported(first, orgId));
  const login = { email: owner.email, password };
  const { access_token } = expectStatus(200, await second.call("POST", "/auth/login", { body: login })).body;
  const { body } = expectStatus(200, await second.call("GET", `/orgs/${orgId}/invites`, { token: access_token }));
  // Both were there from the first moment.
  const [founder] = [owner.userId, other.userId].sort();
  const open = body.data.filter(({ status }: { status: string }) => status === "open");
  expect(open).toMatchObject([{ email: instructor.email, invited_by: founder }]);
});

test("a member who has left is known to have left where the account is", async () => {
  const [first, second] = [await newPlace(), await newPlace()];
  const [school, other] = [await newSchool(first), await newSchool(first)];
  const leaver = await school.join(["mechanic"], "Lea Leaver");
  const invite = { email: leaver.email, roles: ["mechanic"] };
  const { token } = expectStatus(201, await other.owner.post("/invites", invite)).body.data;
  expectStatus(200, await leaver.call("POST", "/auth/org-invites/claim", { body: { token } }));
  expectStatus(200, await school.owner.delete(`/members/${leaver.userId}`));
  await adopted(second, await exported(first, other.orgId));
  await adopted(second, await exported(first, school.orgId));
  const left = await second.storage.control.read((reader) => reader.select().from(formerMemberships));
  expect(left.map(({ org_id, user_id }) => [String(org_id), String(user_id)])).toEqual([[school.orgId, leaver.userId]]);
}, 60_000);

test("what is changed in control while the school is copied goes along, and nothing of another school", async () => {
  let onCopied = async () => {};
  const checker: Checker = {
    ...checkerInThisProcess,
    async copy(...task) {
      const made = await checkerInThisProcess.copy(...task);
      await onCopied();
      return made;
    },
  };
  const first = await newInstallation({ directory: await newFolder(), checker });
  const [school, other] = [await newSchool(first), await newSchool(first)];
  onCopied = async () => {
    await rename(school, "Renamed");
    await rename(other, "Other");
  };
  const file = await exported(first, school.orgId);
  expect(await first.storage.control.read((reader) => reader.$count(intents))).toBe(0);

  const second = await newPlace();
  await adopted(second, file);
  const named = await second.storage.tenants.tenant(idOf(school)).read((reader) => reader.select().from(meta));
  expect(named).toMatchObject([{ name: "Renamed" }]);
  expect(await second.storage.control.read((reader) => reader.$count(intents))).toBe(0);
}, 60_000);

test("a school whose audit log was changed is neither exported nor adopted", async () => {
  const [first, second] = [await newPlace(), await newPlace()];
  const school = await newSchool(first);
  await first.storage.tenants
    .tenant(idOf(school))
    .write((tx) => tx.run(sql`update audit_log set digest = 'changed' where seq = 2`));
  await expect(exported(first, school.orgId)).rejects.toThrow("audit log is not whole");
  await first.close();
  const owner = { owner: school.owner.email };
  await expect(adopted(second, fileOf(school), owner)).rejects.toThrow("audit log is not whole");
});

test("an export that fails leaves nothing, and of two exports of a school at a time the second is refused", async () => {
  const folder = await newFolder();
  const checker: Checker = {
    ...checkerInThisProcess,
    async sealSchool(_, { to }) {
      await writeFile(to, "a part");
      throw new Error("The disk is full.");
    },
  };
  const first = await newInstallation({ directory: await newFolder(), checker });
  const { orgId } = await newSchool(first);
  const make = () => orgExport.handle(depsOf(first), { org: orgId, to: join(folder, "school.age"), passphrase });
  const outcomes = await Promise.allSettled([make(), make()]);
  expect(outcomes.map((one) => one.status === "rejected" && one.reason.message)).toEqual([
    "The disk is full.",
    "An export of this school is being made. Wait for it.",
  ]);
  expect(await readdir(folder)).toEqual([]);
  expect((await readdir(first.directory)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("of a bare database: another key, a disabled owner and doubtful members", async () => {
  const first = await newPlace();
  const school = await newSchool(first);
  const { owner, instructor } = school;
  const admin = await school.join(["admin"], "Ada Admin"); // in the records as staff, which is no role
  first.clock.advance(1); // ids are in the order of time
  const later = await school.join(["student"], "Lara Later");
  expectStatus(200, await owner.patch(`/people/${later.personId}`, { email: instructor.email }));
  await first.close();
  const file = fileOf(school);

  const second = await newPlace();
  const other = await newPlace();
  const key = join(other.directory, "secret.key");
  await expect(adopted(second, file, { key, owner: owner.email })).rejects.toThrow(
    "is not the key of the installation",
  );
  const newcomer = await signUp(second, "otto@example.com");
  await disableAccount(commandLine(second), { email: newcomer.email });
  await expect(adopted(second, file, { owner: newcomer.email })).rejects.toThrow("is disabled");
  // One address, one account: that of the person who was added first.
  expect(await adopted(second, file, { owner: owner.email, members: true })).toMatchObject({ members: 3 });
  expect([await accountOf(second, later.email), await accountOf(second, admin.email)]).toEqual([undefined, undefined]);
  expect(await accountOf(second, instructor.email)).toMatchObject({ id: instructor.userId });
});

test("rows that a crash has left in the -wal file of a lost school are adopted, and the file is whole", async () => {
  const [first, second] = [await newPlace(), await newPlace()];
  const school = await newSchool(first);
  for (const suffix of ["", "-wal"])
    await cp(`${fileOf(school)}${suffix}`, join(second.directory, `${school.orgId}.db${suffix}`));
  const { adopted: schools } = await rebuilt(second, { owner: school.owner.email, members: true });
  expect(schools).toMatchObject([{ organization_id: school.orgId, members: 3 }]);
  const deps = { ...second, ...unexamined };
  expect(await check.handle(deps, {})).toMatchObject({ ok: true });
  expect(await auditVerify.handle(deps, {})).toMatchObject({ ok: true });
});

test("one file that can't be adopted keeps no other from it", async () => {
  const [first, second] = [await newPlace(), await newPlace()];
  const [school, damaged] = [await newSchool(first), await newSchool(first)];
  await first.close();
  for (const one of [school, damaged]) await cp(fileOf(one), join(second.directory, `${one.orgId}.db`));
  await writeFile(join(second.directory, `${damaged.orgId}.db`), "no database");
  const { adopted: schools, left } = await rebuilt(second, { owner: school.owner.email });
  expect([schools, left]).toMatchObject([
    [{ organization_id: school.orgId }],
    [{ organization_id: damaged.orgId, fault: expect.stringContaining("can't be adopted") }],
  ]);
});
