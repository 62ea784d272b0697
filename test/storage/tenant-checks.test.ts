/** Which files are checked before they are opened. The checks themselves: `test/runtime/damaged-files.test.ts`. */
import { afterEach, expect, test } from "bun:test";
import { copyFile, cp, readFile, rename, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { sql } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import type { OrgId } from "../../src/core/ids.ts";
import { checkerInThisProcess } from "../../src/storage/check/checker.ts";
import { InUseFile } from "../../src/storage/check/in-use.ts";
import type { Checked, Expected } from "../../src/storage/check/messages.ts";
import { TenantChecks } from "../../src/storage/check/tenant-checks.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { addition, becomeNewer, marksOf, newStorage, newTenant, onFile, settle, type TestStorage } from "./storages.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

/** Notes which files were checked and migrated, and says what `faults` has for them. */
function fakeChecker(faults: Record<string, string[]> = {}) {
  const checked: string[] = [];
  const migrated: string[] = [];
  return {
    checked,
    migrated,
    faults,
    async check(path: string, expected: Expected) {
      const name = basename(path, ".db");
      checked.push(name);
      const { version } = await checkerInThisProcess.check(path, expected);
      return { faults: faults[name] ?? [], version };
    },
    migrate(path: string) {
      migrated.push(basename(path, ".db"));
      return checkerInThisProcess.migrate(path);
    },
    auditChain: () => Promise.reject(new Error("not used")),
    scrub: checkerInThisProcess.scrub,
    copy: checkerInThisProcess.copy,
    stage: checkerInThisProcess.stage,
    sealSchool: () => Promise.reject(new Error("not used")),
    openSchool: () => Promise.reject(new Error("not used")),
    prepareSchool: () => Promise.reject(new Error("not used")),
    endCopies: () => undefined,
    close: () => undefined,
  };
}

const nameOf = (storage: TestStorage, id: OrgId) =>
  storage.tenants.tenant(id).read((reader) => reader.select({ name: meta.name }).from(meta));

/** Opens the directory of a closed storage again. */
const reopened = async ({ directory, clock }: TestStorage, checker = fakeChecker()) => ({
  checker,
  storage: await newStorage({ directory, clock, checker }),
});

/** Two tenants, in a storage that was closed in good order. */
async function closedStorage() {
  const storage = await newStorage({ checker: fakeChecker() });
  const [first, second] = [await newTenant(storage), await newTenant(storage)];
  await storage.close();
  return { closed: storage, first, second, path: join(storage.directory, `${first}.db`) };
}

const unavailable = { code: "TENANT_UNAVAILABLE" };

test("a new file, an unchanged file and a file that this program has checkpointed are opened without a check", async () => {
  const checker = fakeChecker();
  const storage = await newStorage({ checker, maxOpen: 1 });
  const [first, second] = [await newTenant(storage), await newTenant(storage)];
  for (const id of [first, second, first, second]) await nameOf(storage, id);
  await storage.tenants.tenant(first).write((tx) => tx.update(meta).set({ name: "Renamed" }));
  await settle(storage);
  for (const id of [second, first]) await nameOf(storage, id);
  await storage.close();

  const again = await reopened(storage);
  for (const id of [first, second]) await nameOf(again.storage, id);
  expect([...checker.checked, ...again.checker.checked]).toEqual([]);
});

test("a file that was not closed in time is checked by the next start, and no other", async () => {
  const { closed, first, second } = await closedStorage();
  const { storage } = await reopened(closed);
  await nameOf(storage, second);
  await storage.tenants.tenant(first).write((tx) => tx.update(meta).set({ name: "Renamed" }));
  const held = Promise.withResolvers<void>();
  const using = storage.tenants.tenant(first).read(() => held.promise);
  expect(await storage.close(50)).toBe(1);
  const copy = await newDirectory();
  await cp(storage.directory, copy, { recursive: true, preserveTimestamps: true });
  const { tenants } = JSON.parse(await readFile(join(copy, "in-use.json"), "utf8"));
  expect(tenants).toEqual([first]);
  held.resolve();
  await using;
});

const changes: [name: string, change: (path: string) => Promise<unknown>][] = [
  [
    "copied into place",
    async (path) => {
      await copyFile(path, `${path}.copy`);
      await rename(`${path}.copy`, path);
    },
  ],
  ["of another time", (path) => utimes(path, 0, 0)],
  ["of another size", async (path) => writeFile(path, Buffer.alloc(4096), { flag: "a" })],
  ["with rows in its -wal file", (path) => writeFile(`${path}-wal`, "x")],
];

test.each(changes)("a file that is %s is checked once, before its first use", async (_, change) => {
  const { closed, first, second, path } = await closedStorage();
  await change(path);
  const { storage, checker } = await reopened(closed);
  await Promise.all([nameOf(storage, first), nameOf(storage, first), nameOf(storage, second)]);
  expect(checker.checked).toEqual([first]);
  await storage.close();

  const later = await reopened(closed);
  await nameOf(later.storage, first);
  expect(later.checker.checked).toEqual([]);
});

test("after an abnormal end, control.db and the tenants that were open are checked, others are not", async () => {
  const { closed, first, second } = await closedStorage();
  const { storage } = await reopened(closed);
  await nameOf(storage, first);
  const inUse = await readFile(join(closed.directory, "in-use.json"));
  await storage.close();
  await writeFile(join(closed.directory, "in-use.json"), inUse);

  // The tenant is not used before a second abnormal end.
  const unused = await reopened(closed);
  const still = await readFile(join(closed.directory, "in-use.json"));
  expect(unused.checker.checked).toEqual(["control"]);
  await unused.storage.close();
  await writeFile(join(closed.directory, "in-use.json"), still);

  const again = await reopened(closed);
  for (const id of [first, second]) await nameOf(again.storage, id);
  expect(again.checker.checked).toEqual(["control", first]);
});

test("a file that fails is not opened until it is replaced, and the log and the list have its faults", async () => {
  const { closed, first, second, path } = await closedStorage();
  await utimes(path, 0, 0);
  const faults = ["events.data of row 7 is not UTF-8"];
  const { storage, checker } = await reopened(closed, fakeChecker({ [first]: faults }));
  for (const _ of [1, 2]) await expect(nameOf(storage, first)).rejects.toMatchObject(unavailable);
  expect(await nameOf(storage, second)).toHaveLength(1);
  expect(checker.checked).toEqual([first]);
  expect(storage.tenants.unusable()).toMatchObject([{ orgId: first, faults }]);
  expect(storage.logged).toMatchObject([{ level: "error", details: { organization_id: first, file: path, faults } }]);
  await storage.close();

  // Also if the next program would find the file unchanged.
  const next = await reopened(closed, checker);
  await expect(nameOf(next.storage, first)).rejects.toMatchObject(unavailable);
  delete checker.faults[first];
  await utimes(path, 1, 1);
  expect(await nameOf(next.storage, first)).toHaveLength(1);
  expect(next.storage.tenants.unusable()).toEqual([]);
});

test("a command that finds a fault closes the file", async () => {
  const { closed, first } = await closedStorage();
  const { storage, checker } = await reopened(closed);
  await nameOf(storage, first);
  checker.faults[first] = ["a fault"];
  expect(await storage.inspection.check(first)).toEqual(["a fault"]);
  await expect(nameOf(storage, first)).rejects.toMatchObject(unavailable);
});

test("a file that gives SQLite malformed JSON while it is open is checked before its next use", async () => {
  const { closed, first } = await closedStorage();
  const { storage, checker } = await reopened(closed);
  const damaged = storage.tenants.tenant(first).read((reader) => reader.values(sql`select json(name) from ${meta}`));
  await expect(damaged).rejects.toMatchObject(unavailable);
  checker.faults[first] = ["a fault"];
  await expect(nameOf(storage, first)).rejects.toMatchObject(unavailable);
  expect(checker.checked).toEqual([first]);
});

test("a file with a fault is closed without a checkpoint, whose reads could end the process", async () => {
  const { closed, first, second } = await closedStorage();
  const { storage, checker } = await reopened(closed);
  for (const id of [first, second])
    await storage.tenants.tenant(id).write((tx) => tx.update(meta).set({ name: "Renamed" }));
  checker.faults[first] = ["a fault"];
  await storage.inspection.check(first);
  await storage.close();
  const [dirty] = await onFile(join(closed.directory, "control.db"), "select org_id from tenant_marks where dirty");
  expect(dirty).toEqual([[first]]);
});

test("a control.db that fails its check stops the start with its faults", async () => {
  const { closed } = await closedStorage();
  await utimes(join(closed.directory, "control.db"), 0, 0);
  const checker = fakeChecker({ control: ["users.name of row 3 is not UTF-8"] });
  await expect(reopened(closed, checker)).rejects.toThrow(
    /control\.db is damaged:\n {2}users\.name of row 3 is not UTF-8\nRestore it from a backup\./,
  );
  await reopened(closed);
});

/** The checks of a storage's tenant, whose check ends when the test ends it. */
async function slowChecks(longestWait: number) {
  const { closed, first } = await closedStorage();
  const storage = await newStorage({ directory: closed.directory, clock: closed.clock });
  const { directory, clock, control } = storage;
  const ending: PromiseWithResolvers<Checked>[] = [];
  const checker = {
    check() {
      const end = Promise.withResolvers<Checked>();
      ending.push(end);
      return end.promise;
    },
    migrate: () => Promise.reject(new Error("not used")),
  };
  const logged: unknown[] = [];
  const log = { error: (details: Record<string, unknown>) => void logged.push(details) };
  const inUse = new InUseFile(directory, () => undefined);
  const newestVersion = tenantMigrations.length;
  const options = { directory, control, clock, checker, newestVersion, inUse, log, longestWait };
  const checks = new TenantChecks(options, [first]);
  return { checks, first, clock, ending, logged };
}

test("a use waits for a running check for some seconds, then gets 503 with Retry-After; the check goes on", async () => {
  const { checks, first, ending } = await slowChecks(1);
  const late = { code: "TENANT_UNAVAILABLE", retryAfter: expect.any(Number) };
  for (const _ of [1, 2]) await expect(checks.ready(first)).rejects.toMatchObject(late);
  expect(ending).toHaveLength(1);
  ending[0]?.resolve({ faults: [] });
  await checks.check(first);
  await checks.ready(first);
  expect(ending).toHaveLength(1);
});

test.each([
  ["after 30 s", 30_000],
  ["after the clock, which was a day ahead, was set back", -86_400_000],
])("a check that could not be made is made again %s", async (_, passed) => {
  const { checks, first, clock, ending } = await slowChecks(60_000);
  const using = checks.ready(first).catch((error: unknown) => error);
  while (ending.length === 0) await new Promise(setImmediate);
  ending[0]?.reject(new Error("no process"));
  expect(await using).toMatchObject(unavailable);
  await expect(checks.ready(first)).rejects.toMatchObject(unavailable);
  expect(checks.unusable()).toMatchObject([{ faults: ["the file could not be checked: no process"] }]);

  clock.advance(passed);
  const again = checks.ready(first);
  while (ending.length === 1) await new Promise(setImmediate);
  ending[1]?.resolve({ faults: [] });
  await again;
  expect(checks.unusable()).toEqual([]);
});

const versionOf = async (path: string) => (await onFile(path, "PRAGMA user_version"))[0]?.[0]?.[0];

test("a file of an older version is migrated by the checker before it is opened, once for all who wait", async () => {
  const { closed, first, path } = await closedStorage();
  const newest = becomeNewer();
  const { storage, checker } = await reopened(closed);
  await Promise.all([nameOf(storage, first), nameOf(storage, first)]);
  expect(checker.migrated).toEqual([first]);
  await settle(storage);
  expect(await marksOf(storage, first)).toMatchObject({ schema_version: newest, dirty: false });
  await storage.close();
  expect(await versionOf(path)).toBe(newest);

  const later = await reopened(closed);
  await nameOf(later.storage, first);
  expect([...later.checker.checked, ...later.checker.migrated]).toEqual([]);
});

test("an older file that the marks know, unchanged since its last checkpoint, is migrated without a check", async () => {
  const { closed, first } = await closedStorage();
  becomeNewer();
  const { storage: next, checker } = await reopened(closed);
  await nameOf(next, first);
  expect([checker.checked, checker.migrated]).toEqual([[], [first]]);
});

test("a file whose migration fails is left as it was, and the next use tries again", async () => {
  const { closed, first, second, path } = await closedStorage();
  await onFile(path, addition);
  becomeNewer();
  const { storage, checker } = await reopened(closed);
  for (const _ of [1, 2]) await expect(nameOf(storage, first)).rejects.toMatchObject(unavailable);
  expect(await nameOf(storage, second)).toHaveLength(1);
  expect(checker.migrated).toEqual([first, first, second]);
  expect(storage.tenants.unusable()).toMatchObject([
    { orgId: first, faults: [expect.stringContaining("already exists")] },
  ]);
  await storage.close();
  expect(await versionOf(path)).toBe(tenantMigrations.length);
});
