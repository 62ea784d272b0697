/** `windsock org delete`: what is removed when, what can be taken back, and what stays. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { yieldToEventLoop } from "../../../src/core/async.ts";
import { days, seconds, shift } from "../../../src/core/clock.ts";
import { isId } from "../../../src/core/ids.ts";
import { suspensions } from "../../../src/identity/identity.tables.ts";
import { check } from "../../../src/modules/operations/commands.ts";
import { orgList, orgRename } from "../../../src/modules/operations/org-commands.ts";
import { organizationRemoval } from "../../../src/modules/organizations/operator/organization-removal.ts";
import { removeOrganization } from "../../../src/modules/organizations/operator/remove-organization.ts";
import { readManifest } from "../../../src/storage/backup/manifest.ts";
import { type Checker, checkerInThisProcess } from "../../../src/storage/check/checker.ts";
import { afterThisTest } from "../../support/after-test.ts";
import { publish } from "../../support/directory.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { applyFor, newAccount, newListing, publishedOpportunity } from "../../support/market.ts";
import { expectStatus, newSchool, password, type School } from "../../support/school.ts";
import { order, remove, rename, resume, suspend } from "../../support/suspending.ts";
import { controlAudit, signUpBody } from "../accounts/newcomers.ts";

const job = "organization-removal";

interface Scene {
  installation: Installation;
  school: School<Installation>;
  name: string;
  file: string;
  place: string;
}

async function newScene(env: Record<string, string> = {}, checker?: Checker): Promise<Scene> {
  const place = await mkdtemp(join(tmpdir(), "windsock-backups-"));
  const installation = await newInstallation({
    env: { WINDSOCK_BACKUP_DIR: place, ...env },
    ...(checker && { checker }),
  });
  const school = await newSchool(installation);
  const { name } = expectStatus(200, await school.owner.get("")).body.data;
  return { installation, school, name, place, file: join(installation.directory, `${school.orgId}.db`) };
}

/** What the control database has in each table that names something. */
async function naming({ installation }: Pick<Scene, "installation">, text: string): Promise<string[]> {
  return installation.storage.control.read(async (reader) => {
    const tables = await reader.values<[string]>(
      sql`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`,
    );
    const found: string[] = [];
    for (const [table] of tables) {
      const rows = await reader.values(sql`select * from ${sql.identifier(table)}`);
      if (JSON.stringify(rows).includes(text)) found.push(table);
    }
    return found.sort();
  });
}

/** Everything that the control database can have of a school. */
async function fill({ installation, school }: Scene): Promise<void> {
  const { owner, student, orgId } = school;
  await publish(owner, "schools", orgId);
  const opportunity = await publishedOpportunity(owner);
  expectStatus(201, await applyFor(installation, opportunity, await newAccount(installation)));
  await newListing(owner);
  expectStatus(201, await owner.post("/invites", { email: "ada@example.com", roles: ["student"] }));
  const leaving = await school.join(["mechanic"], "Max Mechanic");
  expectStatus(200, await leaving.delete(`/members/${leaving.userId}`));
  const headers = { "idempotency-key": "once" };
  const body = { email: "bob@example.com", roles: ["student"] };
  expectStatus(201, await owner.call("POST", `/orgs/${orgId}/invites`, { body, headers }));
  const offer = { kind: "job", title: "Fly", description: "Here.", country: "DE", expires_on: "2097-03-01" };
  expectStatus(201, await owner.call("POST", `/orgs/${orgId}/opportunities`, { body: offer, headers }));
  const login = { email: student.email, password, org_id: orgId };
  expectStatus(200, await installation.call("POST", "/auth/login", { body: login }));
}

test("a school that is deleted is suspended at once, and removed after the grace with all that control had of it", async () => {
  const scene = await newScene();
  const { installation, school, name, file, place } = scene;
  const other = await newSchool(installation);
  await fill(scene);
  expect(await naming(scene, school.orgId)).toEqual([
    ...["addon_listings", "applications", "audit_log", "directory_entries", "former_memberships", "invites"],
    ...["memberships", "opportunities", "organizations", "search_words", "sessions", "tenant_marks", "used_keys"],
  ]);
  const done = await remove(school, { confirm: name, reason: "Closed." });
  const removal_at = shift(installation.clock.now(), days(30));
  expect(done).toMatchObject({ changed: true, removal_at, mailed: 1 });
  expect((await school.owner.get("/flights")).body.error).toMatchObject({
    reason: "organization_suspended",
    removal_at,
  });
  expect(installation.mails.at(-1)?.text).toContain("on 14 July 2026");

  installation.clock.advance(days(30) - 1);
  expect(await installation.scheduler.runNow(job)).toMatchObject({ outcome: "idle" });
  expect(existsSync(file)).toBe(true);
  installation.clock.advance(1);
  expect(await installation.scheduler.runNow(job)).toMatchObject({ summary: "Removed 1 organization." });

  expect(await naming(scene, school.orgId)).toEqual(["audit_log"]);
  expect((await readdir(installation.directory)).filter((one) => one.startsWith(school.orgId))).toEqual([]);
  const last = (await controlAudit(installation)).findLast(({ action }) => action === "organization.removed");
  expect(last).toMatchObject({ actor_kind: "job", actor_id: job, org_id: school.orgId, subject_id: school.orgId });
  const { before, after } = JSON.parse(last?.payload ?? "");
  expect(before).toMatchObject({ name, reason: "Closed.", owners: [{ email: school.owner.email }] });
  expect(after.backup).toStartWith(place);
  const { files } = await readManifest(after.backup);
  expect(files).toMatchObject([{ database: school.orgId }]);
  const expected = { kind: "tenant", orgId: idOf(school), isNew: false } as const;
  const copy = join(after.backup, `${school.orgId}.db`);
  expect((await checkerInThisProcess.check(copy, expected)).faults).toEqual([]);

  expect(await order(installation, check, {})).toMatchObject({ ok: true });
  expectStatus(200, await (await other.owner.signedInAgain()).get("/flights"));
  expect(await installation.scheduler.runNow(job)).toMatchObject({ outcome: "idle" });
  await expect(resume(school)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

function idOf({ orgId }: Pick<School, "orgId">) {
  if (!isId<"organization">(orgId)) throw new Error(orgId);
  return orgId;
}

test("of several, the one whose time came first is removed first", async () => {
  const { installation, school, name } = await newScene();
  const other = await newSchool(installation);
  const { name: otherName } = expectStatus(200, await other.owner.get("")).body.data;
  await remove(school, { confirm: name, grace: "3d" });
  await remove(other, { confirm: otherName, grace: "2d" });
  installation.clock.advance(days(3));
  expect(await installation.scheduler.runNow(job)).toMatchObject({ summary: "Removed 2 organizations." });
  const removed = (await controlAudit(installation)).filter(({ action }) => action === "organization.removed");
  expect(removed.map(({ subject_id }) => subject_id)).toEqual([other.orgId, school.orgId]);
});

test("accounts of a removed school stay, and can be used", async () => {
  const { installation, school, name } = await newScene();
  await remove(school, { confirm: name, grace: "0d" });
  await installation.scheduler.runNow(job);
  const { owner } = school;
  expect((await owner.call("GET", "/auth/me")).body.data.organizations).toEqual([]);
  expectStatus(404, await owner.get(""));
  const login = { email: owner.email, password };
  expectStatus(200, await installation.call("POST", "/auth/login", { body: login }));
  expectStatus(409, await installation.call("POST", "/auth/signup-org", { body: signUpBody(owner.email) }));
});

test("after the removal of the only school a front end is told that there is none", async () => {
  const { installation, school, name } = await newScene();
  const hasSchool = async () => (await installation.call("GET", "/capabilities")).body.data.has_organizations;
  expect(await hasSchool()).toBe(true);
  await remove(school, { confirm: name, grace: "0d" });
  await installation.scheduler.runNow(job);
  expect(await hasSchool()).toBe(false);
});

test("nothing is changed unless the name is confirmed, and a resumed school is not removed", async () => {
  const { installation, school, name, file } = await newScene();
  await expect(remove(school, { confirm: `${name}x` })).rejects.toMatchObject({
    issues: [{ path: "args.confirm", message: `The organization is called ${name}. Nothing was changed.` }],
  });
  expectStatus(200, await school.owner.get(""));
  for (const grace of ["soon", "30"])
    await expect(remove(school, { confirm: name, grace })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });

  await suspend(school, "Not paid.");
  expect(await remove(school, { confirm: name, grace: "3d" })).toMatchObject({ changed: true });
  expect(await remove(school, { confirm: name, grace: "3d" })).toMatchObject({ changed: false });
  expect(await remove(school, { confirm: name, grace: "9d" })).toMatchObject({ changed: true });
  const { organizations } = await order(installation, orgList, {});
  expect(organizations).toMatchObject([{ state: "removal_planned", reason: "Not paid." }]);
  expect(await resume(school)).toMatchObject({ changed: true });
  installation.clock.advance(days(10));
  expect(await installation.scheduler.runNow(job)).toMatchObject({ outcome: "idle" });
  expect(existsSync(file)).toBe(true);
  expectStatus(200, await (await school.owner.signedInAgain()).get("/flights"));
});

test("without a directory of backups the last one is beside the data", async () => {
  const { installation, school, name } = await newScene({ WINDSOCK_BACKUP_DIR: "" });
  await remove(school, { confirm: name, grace: "0d" });
  expect(await installation.scheduler.runNow(job)).toMatchObject({ outcome: "succeeded" });
  const [backup = ""] = await readdir(join(installation.directory, "backups"));
  const { files } = await readManifest(join(installation.directory, "backups", backup));
  expect(files).toMatchObject([{ database: school.orgId }]);
});

const faultyCopy = { faults: ["damaged"], bytes: 0, sha256: "", databaseSha256: "", version: 0, auditRows: 0 };

test("a school of whose file no good copy can be made is only removed when the operator says so", async () => {
  const checker = { ...checkerInThisProcess, copy: async () => faultyCopy };
  const { installation, school, name, file } = await newScene({}, checker);
  await remove(school, { confirm: name, grace: "0d" });
  expect(await installation.scheduler.runNow(job)).toMatchObject({
    outcome: "failed",
    summary: "Removed 0 organizations. 1 could not be removed: see the log.",
  });
  expect(existsSync(file)).toBe(true);
  expect(await remove(school, { confirm: name, grace: "0d", "without-backup": true })).toMatchObject({ changed: true });
  expect(await installation.scheduler.runNow(job)).toMatchObject({ summary: "Removed 1 organization." });
  expect(existsSync(file)).toBe(false);
});

test("a removal that has begun can't be taken back or changed, and the next run finishes it", async () => {
  const { installation, school, name, file } = await newScene();
  await remove(school, { confirm: name });
  await installation.storage.control.write((tx) =>
    tx
      .update(suspensions)
      .set({ removal_began_at: tx.now })
      .where(eq(suspensions.org_id, idOf(school))),
  );
  const begun = { code: "CONFLICT", message: expect.stringContaining("can't be taken back") };
  for (const refused of [
    () => resume(school),
    () => suspend(school),
    () => remove(school, { confirm: name }),
    () => rename(school, "Other"),
  ])
    await expect(refused()).rejects.toMatchObject(begun);
  expect(await installation.scheduler.runNow(job)).toMatchObject({ summary: "Removed 1 organization." });
  expect(existsSync(file)).toBe(false);
});

test("a school that is resumed while its last backup is made stays", async () => {
  const { installation, school, name, file } = await newScene();
  await remove(school, { confirm: name, grace: "0d" });
  const running = installation.scheduler.runNow(job);
  expect(await resume(school)).toMatchObject({ changed: true });
  expect(await running).toMatchObject({ summary: "Removed 0 organizations." });
  expect(existsSync(file)).toBe(true);
  expectStatus(200, await school.owner.get("/flights"));
});

test("the last backup waits for the one of the night, and leaves what that has copied", async () => {
  let onCopy = async () => {};
  const checker: Checker = {
    ...checkerInThisProcess,
    async copy(...task) {
      await onCopy();
      return checkerInThisProcess.copy(...task);
    },
  };
  const { installation, school, name } = await newScene({}, checker);
  await remove(school, { confirm: name, grace: "0d" });
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof installation.scheduler.runNow>[]>();
  onCopy = async () => {
    onCopy = async () => {};
    installation.clock.advance(1); // the name of a backup is its time
    resolve([installation.scheduler.runNow(job)]);
    for (let turn = 0; turn < 100; turn += 1) await yieldToEventLoop();
  };
  const nightly = installation.scheduler.runNow("backup");
  const [removal] = await promise;
  expect(await nightly).toMatchObject({ outcome: "succeeded" });
  expect(await removal).toMatchObject({ summary: "Removed 1 organization." });
});

test("the last backup is a copy of its own, and is taken elsewhere as the others are", async () => {
  const folder = await mkdtemp(join(tmpdir(), "windsock-off-site-"));
  afterThisTest(() => rm(folder, { recursive: true }));
  const [program, taken] = [join(folder, "off-site"), join(folder, "taken")];
  await writeFile(program, `#!/bin/sh\necho "$1" >> ${taken}\n`, { mode: 0o755 });
  const { installation, school, name, place } = await newScene({ WINDSOCK_BACKUP_COMMAND: program });
  expect(await installation.scheduler.runNow("backup")).toMatchObject({ outcome: "succeeded" });
  installation.clock.advance(1); // the name of a backup is its time
  await remove(school, { confirm: name, grace: "0d" });
  installation.clock.advance(seconds(10));
  await installation.storage.checkpointIdle(); // from now on the file does not change
  expect(await installation.scheduler.runNow("backup")).toMatchObject({ outcome: "succeeded" });
  installation.clock.advance(1);
  expect(await installation.scheduler.runNow(job)).toMatchObject({ summary: "Removed 1 organization." });
  const backups = (await readdir(place)).sort().map((one) => join(place, one));
  expect((await readFile(taken, "utf8")).trim().split("\n")).toEqual(backups);
  // Earlier ones may be removed, or share what they have with others.
  expect((await stat(join(backups.at(-1) ?? "", `${school.orgId}.db`))).nlink).toBe(1);
});

test("the last backup is encrypted as the others are", async () => {
  const recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
  const { installation, school, name, place } = await newScene({ WINDSOCK_BACKUP_RECIPIENT: recipient });
  await remove(school, { confirm: name, grace: "0d" });
  expect(await installation.scheduler.runNow(job)).toMatchObject({ summary: "Removed 1 organization." });
  const [backup = ""] = await readdir(place);
  expect((await readdir(join(place, backup))).filter((one) => one.startsWith(school.orgId))).toEqual([
    `${school.orgId}.db.age`,
  ]);
});

test("an older copy is no last backup, and a school that can't be copied keeps no other from its removal", async () => {
  let damaged = "";
  const checker: Checker = {
    ...checkerInThisProcess,
    copy: async (path, task) =>
      damaged !== "" && path.includes(damaged) ? faultyCopy : checkerInThisProcess.copy(path, task),
  };
  const { installation, school, name, file } = await newScene({}, checker);
  const other = await newSchool(installation);
  const { name: otherName } = expectStatus(200, await other.owner.get("")).body.data;
  expect(await installation.scheduler.runNow("backup")).toMatchObject({ outcome: "succeeded" });
  damaged = school.orgId;
  await remove(school, { confirm: name, grace: "0d" });
  await remove(other, { confirm: otherName, grace: "0d" });
  installation.clock.advance(1);
  expect(await installation.scheduler.runNow(job)).toMatchObject({
    outcome: "failed",
    summary: "Removed 1 organization. 1 could not be removed: see the log.",
  });
  expect([existsSync(file), existsSync(join(installation.directory, `${other.orgId}.db`))]).toEqual([true, false]);
});

test("a removal that is put off while the last backup is made waits", async () => {
  const { installation, school, name, file } = await newScene();
  await remove(school, { confirm: name, grace: "0d" });
  const running = installation.scheduler.runNow(job);
  expect(await remove(school, { confirm: name, grace: "9d" })).toMatchObject({ changed: true });
  expect(await running).toMatchObject({ summary: "Removed 0 organizations." });
  expect(existsSync(file)).toBe(true);
});

test("a change that its file has not taken yet goes with the school", async () => {
  const scene = await newScene();
  const { installation, school, name } = scene;
  await remove(school, { confirm: name, grace: "0d" });
  const withoutIntents = { ...installation, intents: { ...installation.intents, apply: async () => undefined } };
  await order(withoutIntents, orgRename, { id: school.orgId, name: "Other" });
  expect(await naming(scene, school.orgId)).toContain("intents");
  expect(await installation.scheduler.runNow(job)).toMatchObject({ summary: "Removed 1 organization." });
  expect(await naming(scene, school.orgId)).toEqual(["audit_log"]);
});

test("without a backup only as long as the operator says so", async () => {
  const { installation, school, name, file } = await newScene();
  const { clock, storage } = installation;
  await remove(school, { confirm: name, grace: "0d", "without-backup": true });
  const removed = await removeOrganization(
    {
      ...{ actor: { kind: "job", name: job }, requestId: "", clock, tenants: storage.tenants },
      backUp: () => Promise.reject(new Error("It is not asked for one.")),
      control: {
        ...{ write: storage.control.write.bind(storage.control), changes: storage.control.changes },
        async read(query) {
          const found = await storage.control.read(query);
          await remove(school, { confirm: name, grace: "0d" });
          return found;
        },
      },
    },
    idOf(school),
  );
  expect([removed, existsSync(file)]).toEqual([false, true]);
});

test("what has begun to be removed goes on when the server starts", () => {
  expect(organizationRemoval.atStart).toBe(true);
});
