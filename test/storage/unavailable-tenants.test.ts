/** A fault of one organization's file affects only this organization, until the operator has repaired the file. */
import { afterEach, expect, test } from "bun:test";
import { copyFile, open, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import { newId, type OrgId } from "../../src/core/ids.ts";
import { WrongFile } from "../../src/storage/migrations.ts";
import { SqliteFailure } from "../../src/storage/sqlite-error.ts";
import { TenantFailures } from "../../src/storage/tenant-failures.ts";
import { signUp } from "../http/accounts/newcomers.ts";
import { TestClock } from "../support/clock.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../support/school.ts";
import { onFile } from "./storages.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const withFiles = async (path: string, change: (path: string) => Promise<unknown>) => {
  for (const suffix of ["", "-wal", "-shm"]) await change(`${path}${suffix}`);
};

/** Overwrites the first page of a table, like a bad sector. */
async function spoilTable(path: string, table: string): Promise<void> {
  const [[[page]], [[size]]] = (await onFile(
    path,
    `select rootpage from sqlite_master where name = '${table}'`,
    "PRAGMA page_size",
  )) as [[[number]], [[number]]];
  const file = await open(path, "r+");
  await file.write(Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  await file.close();
}

const garbage = Buffer.from("This is no database. ".repeat(1000));

interface Damage {
  name: string;
  /** The expected log message. */
  reason: RegExp;
  damage(path: string, other: string): Promise<unknown>;
}

const damages: Damage[] = [
  { name: "missing", reason: /is missing/, damage: (path) => rm(path) },
  { name: "empty", reason: /not a tenant database of Windsock/, damage: (path) => truncate(path, 0) },
  { name: "garbage", reason: /SQLITE_NOTADB/, damage: (path) => writeFile(path, garbage) },
  {
    name: "truncated in the middle of it",
    reason: /SQLITE_(CORRUPT|NOTADB|IOERR)/,
    damage: async (path) => truncate(path, 4096 * Math.floor((await stat(path)).size / 4096 / 8)),
  },
  {
    name: "spoiled in a page that opening does not read",
    reason: /SQLITE_CORRUPT/,
    damage: (path) => spoilTable(path, "people"),
  },
  {
    name: "another application's",
    reason: /not a tenant database of Windsock/,
    damage: async (path) => {
      await rm(path);
      await onFile(path, "create table bookmarks (url text)", "PRAGMA application_id = 42");
    },
  },
  {
    name: "the control database under a tenant's name",
    reason: /not a tenant database/,
    damage: (path) => putInPlace(join(path, "../control.db"), path),
  },
  {
    name: "another organization's",
    reason: /belongs to the organization/,
    damage: (path, other) => putInPlace(other, path),
  },
  {
    name: "newer than the program",
    reason: /is newer than this program's \d+: upgrade Windsock/,
    damage: (path) => onFile(path, `PRAGMA user_version = ${tenantMigrations.length + 1}`),
  },
];

/** As an operator would while the server is stopped. Here this process still has pages of the old file in its cache. */
async function putInPlace(other: string, path: string): Promise<void> {
  await withFiles(path, (file) => rm(file, { force: true }));
  await copyFile(other, path);
}

const errorsOf = ({ logged }: Installation) =>
  logged
    .map((line) => JSON.parse(line))
    .filter(({ level, request_id }) => level === "error" && request_id === undefined);

/** Responses of both gates of a school: session and API key. */
async function askedOf(at: Installation, { orgId, owner }: School, key: string) {
  const session = await at.call("GET", `/orgs/${orgId}/people`, { token: owner.token });
  const byKey = await at.call("GET", "/api/v1/public/pilots", { token: key, org: orgId });
  return [session, byKey];
}

const outOfService = [
  [503, "TENANT_UNAVAILABLE"],
  [503, "TENANT_UNAVAILABLE"],
];

test.each(damages)(
  "a tenant's file that is $name: 503 for it alone, until it is mended",
  async ({ reason, damage }) => {
    const directory = await newDirectory();
    const before = await newInstallation({ directory });
    const school = await newSchool(before);
    const key = await school.apiKey("public.pilots:read");
    const healthy = await signUp(before, "healthy@example.com");
    const good = (await askedOf(before, school, key)).map(({ body }) => body.data);
    const { clock } = before;
    await before.close();

    const path = join(directory, `${school.orgId}.db`);
    const backup = join(await newDirectory(), "backup.db");
    await copyFile(path, backup);
    await damage(path, join(directory, `${healthy.orgId}.db`));
    const spoiled = await readFile(path).catch(() => undefined);

    const at = await newInstallation({ directory, clock });
    const answers = await askedOf(at, school, key);
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(outOfService);
    for (const { text } of answers) expect(text).not.toMatch(new RegExp(`${reason.source}|${directory}`));
    // One line, with the organization, the file and the reason.
    const [line] = errorsOf(at);
    expect(line).toMatchObject({ organization_id: school.orgId, file: path });
    expect(JSON.stringify(line.err)).toMatch(reason);
    expect(at.logged.filter((text) => JSON.parse(text).level === "error")).toHaveLength(1);

    // Reads and writes of other organizations, and of the control database, are not affected.
    const person = { name: "Hanna Healthy", types: ["pilot"] };
    expectStatus(201, await at.call("POST", `/orgs/${healthy.orgId}/people`, { token: healthy.token, body: person }));
    expectStatus(200, await at.call("GET", `/orgs/${healthy.orgId}/people`, { token: healthy.token }));
    expectStatus(200, await at.call("GET", `/orgs/${school.orgId}`, { token: school.owner.token }));
    clock.advance(10_000);
    await at.storage.checkpointIdle();
    // A file that can't be opened is not changed: the operator may want to recover its data.
    const left = await readFile(path).catch(() => undefined);
    expect(left?.equals(spoiled ?? Buffer.alloc(0)) ?? spoiled === undefined).toBeTrue();

    await withFiles(path, (file) => rm(file, { force: true }));
    await copyFile(backup, `${path}.restoring`);
    await rename(`${path}.restoring`, path);
    const mended = await askedOf(at, school, key);
    expect(mended.map(({ status, body }) => [status, body.data])).toEqual(good.map((data) => [200, data]));
    expectStatus(
      201,
      await at.call("POST", `/orgs/${school.orgId}/people`, { token: school.owner.token, body: person }),
    );
    expect(errorsOf(at)).toHaveLength(1);
  },
);

test("a file that breaks while it is open is closed, so that the repaired file is opened without a restart", async () => {
  const directory = await newDirectory();
  const first = await newInstallation({ directory });
  const { clock } = first;
  const school = await newSchool(first);
  const key = await school.apiKey("public.pilots:read");
  await first.close();
  const path = join(directory, `${school.orgId}.db`);
  const backup = join(await newDirectory(), "backup.db");
  await copyFile(path, backup);
  await spoilTable(path, "aircraft");

  const at = await newInstallation({ directory, clock });
  // Half of it works, and is written to.
  const person = { name: "Late Arrival", types: ["pilot"] };
  expectStatus(201, await at.call("POST", `/orgs/${school.orgId}/people`, { token: school.owner.token, body: person }));
  const aircraft = () => at.call("GET", `/orgs/${school.orgId}/aircraft`, { token: school.owner.token });
  expect((await aircraft()).body.error.code).toBe("TENANT_UNAVAILABLE");
  expect(errorsOf(at)).toMatchObject([{ organization_id: school.orgId }]);

  // No request comes for the organization during the repair.
  await at.storage.checkpointIdle();
  await withFiles(path, (file) => rm(file, { force: true }));
  await copyFile(backup, path);
  expectStatus(200, await aircraft());
  expect((await askedOf(at, school, key)).map(({ status }) => status)).toEqual([200, 200]);
});

test("the log has the reason once, then a short line a minute while requests go on, and another reason at once", async () => {
  const { installation: at, orgId, owner } = await newOwnSchool();
  await at.storage.tenants.migrate(orgId as OrgId);
  const people = () => owner.get("/people");
  const path = join(at.directory, `${orgId}.db`);
  await rename(path, `${path}.away`);
  await at.storage.checkpointIdle();
  for (let request = 0; request < 3; request += 1) expect((await people()).status).toBe(503);
  const reasons = () => errorsOf(at).map(({ err }) => err?.[0].message.replace(/^\/\S+ /, ""));
  const missing = ["is missing"];
  expect(reasons().slice(-1)).toEqual(missing);
  const before = reasons().length;

  at.clock.advance(60_000);
  for (let request = 0; request < 3; request += 1) await people();
  expect(reasons().slice(before)).toEqual([undefined]);
  await writeFile(path, garbage);
  await people();
  expect(reasons().slice(before + 1)).toEqual([expect.stringContaining("SQLITE_NOTADB")]);
  expect(at.logged.filter((line) => line.includes('"failed"'))).toEqual([]);
});

const spoiledValues: [name: string, statement: string][] = [
  ["text that is not UTF-8", "update people set name = cast(x'41ff42' as text)"],
  ["JSON that is none", "update people set ratings = '[\"A'"],
];

test.each(spoiledValues)("an open file with %s is not served, and the log names the file", async (_, statement) => {
  const { installation: at, orgId, owner } = await newOwnSchool();
  expectStatus(200, await owner.get("/people"));
  await at.storage.tenants.tenant(orgId as OrgId).write((tx) => tx.run(sql.raw(statement)));
  const answer = await owner.get("/people");
  expect([answer.status, answer.body.error.code]).toEqual([503, "TENANT_UNAVAILABLE"]);
  expect(errorsOf(at)).toMatchObject([{ organization_id: orgId, file: join(at.directory, `${orgId}.db`) }]);
});

test("the count of unavailable schools forgets a locked file after a minute, and a broken file that was replaced", async () => {
  const clock = new TestClock();
  const directory = await newDirectory();
  const failures = new TenantFailures({ directory, clock, log: { warn: () => undefined, error: () => undefined } });
  const [locked, broken] = [newId<"organization">(clock), newId<"organization">(clock)];
  for (const id of [locked, broken]) await writeFile(join(directory, `${id}.db`), "x");
  failures.record(locked, new SqliteFailure("SQLITE_BUSY", "database is locked"), "");
  failures.record(broken, new WrongFile("newer"), "");
  expect(failures.unavailable()).toEqual([locked, broken]);
  expect(failures.unusable()).toMatchObject([{ orgId: broken, faults: ["newer"] }]);
  clock.advance(60_000);
  expect(failures.unavailable()).toEqual([broken]);
  await writeFile(join(directory, `${broken}.db`), "another");
  expect(failures.unavailable()).toEqual([]);
  expect(failures.unusable()).toEqual([]);
});

test("mv of a good file mends a school whose table was dropped, also while other requests keep it open", async () => {
  const directory = await newDirectory();
  const first = await newInstallation({ directory });
  const { clock } = first;
  const school = await newSchool(first);
  await first.close();
  const path = join(directory, `${school.orgId}.db`);
  const backup = join(await newDirectory(), "backup.db");
  await copyFile(path, backup);
  await onFile(path, "PRAGMA foreign_keys = off", "drop table people");

  const at = await newInstallation({ directory, clock });
  const people = () => at.call("GET", `/orgs/${school.orgId}/people`, { token: school.owner.token });
  const auditLog = () => at.call("GET", `/orgs/${school.orgId}/audit-log`, { token: school.owner.token });
  expect((await people()).body.error.code).toBe("TENANT_UNAVAILABLE");
  expect(JSON.stringify(errorsOf(at))).toContain("no such table: people");
  expectStatus(200, await auditLog());

  await rename(backup, path);
  await at.storage.checkpointIdle();
  expectStatus(200, await people());
  expectStatus(200, await auditLog());
});

test("a tenant that can't be opened does not delay a stop and a start", async () => {
  const directory = await newDirectory();
  const before = await newInstallation({ directory });
  const broken = await signUp(before, "broken@example.com");
  const healthy = await signUp(before, "healthy@example.com");
  const marks = "update tenant_marks set dirty = 1";
  await before.close();
  await onFile(join(directory, "control.db"), marks);
  await writeFile(join(directory, `${broken.orgId}.db`), garbage);

  const at = await newInstallation({ directory, clock: before.clock });
  expect(errorsOf(at).map((line) => line.organization_id)).toEqual([broken.orgId]);
  expectStatus(200, await at.call("GET", `/orgs/${healthy.orgId}/people`, { token: healthy.token }));
  await at.close();
  const [dirty] = await onFile(join(directory, "control.db"), "select org_id from tenant_marks where dirty");
  // Only the broken tenant stays dirty.
  expect(dirty).toEqual([[broken.orgId]]);
});
