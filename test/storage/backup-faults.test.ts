/** Backups and restores amid what goes wrong: full disks, killed processes, two restores at once. */
import { afterEach, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import Database from "libsql";
import { digestOf } from "../../src/storage/backup/copy-file.ts";
import { writeManifest } from "../../src/storage/backup/manifest.ts";
import { restoreSchool } from "../../src/storage/backup/restore.ts";
import { readRestoreNote } from "../../src/storage/backup/restore-note.ts";
import { type Checker, checkerInThisProcess, Unreadable } from "../../src/storage/check/checker.ts";
import { SqliteFailure } from "../../src/storage/sqlite-error.ts";
import { damageText } from "../runtime/files.ts";
import { nameOf, rename, restoreTo, take, watched } from "./backed-up.ts";
import { newStorage, newTenant, settle, type TestStorage } from "./storages.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const messageOf = (error: Error) => error.message;
const request = (from: string) => ({ from, force: true, reason: "A test.", by: "olga" });
const whileClosed = ({ tenants }: TestStorage) => tenants.whileClosed.bind(tenants);
const collectGarbage = () => Bun.gc(true);
const now = new Date("2026-06-15T09:00:00.000Z");
const checker = checkerInThisProcess;

/** Fails after it has written a part of the file, as a process that is killed. */
function failing(only: (path: string) => boolean, error: () => Error): Checker {
  const partly = async (path: string, to: string) => {
    if (!only(path)) return;
    await writeFile(to, "a part");
    throw error();
  };
  return {
    ...checkerInThisProcess,
    async copy(path, task) {
      if (task.encrypt) await partly(path, task.encrypt.to);
      await partly(path, task.to);
      return checkerInThisProcess.copy(path, task);
    },
    async stage(path, task) {
      await partly(path, task.to);
      return checkerInThisProcess.stage(path, task);
    },
  };
}

const full = () => new SqliteFailure("SQLITE_FULL", "database or disk is full");
const killed = () => new Unreadable("the process for it ended with SIGKILL");

test.each([
  ["plain", undefined],
  ["encrypted", generateX25519Identity().then(identityToRecipient)],
])("of a copy whose process is killed nothing is left in a %s backup, which has the last good one", async (_, made) => {
  const recipient = await made;
  const to = recipient === undefined ? {} : { recipient };
  let isKilled = false;
  const storage = await newStorage({ checker: failing((path) => isKilled && path.includes(`${id}.db`), killed) });
  const id = await newTenant(storage);
  const other = await newTenant(storage);
  const place = await newDirectory();
  const first = await take(storage, place, to);
  await rename(storage, id, "Changed");
  isKilled = true;
  const { manifest, path } = await take(storage, place, to);
  const file = manifest.files.find(({ database }) => database === id);
  expect(file).toMatchObject({ taken_at: first.manifest.started_at, fault: expect.stringContaining("SIGKILL") });
  expect((await readFile(join(path, file?.name ?? ""))).length).toBe(file?.bytes ?? 0);
  expect(manifest.files.map(({ database }) => `${database}`).sort()).toEqual(["control", id, other].sort());
  const elsewhere = await take(storage, await newDirectory(), to);
  expect(elsewhere.manifest.missing).toMatchObject([{ organization: id }]);
  expect((await readdir(elsewhere.path)).filter((name) => name.startsWith(id))).toEqual([]);
  expect((await readdir(storage.directory)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("what SQLite copies but nobody can read is neither a copy in a backup nor restored from one", async () => {
  const storage = await newStorage();
  const id = await newTenant(storage);
  await rename(storage, id, "Damaged School");
  const place = await newDirectory();
  const sound = await take(storage, place);
  await storage.close();
  const { directory, clock } = storage;
  await damageText(join(directory, `${id}.db`), "Damaged School");
  const { manifest } = await take(await newStorage({ directory, clock }), place);
  const file = manifest.files.find(({ database }) => database === id);
  expect(file).toMatchObject({ taken_at: sound.manifest.started_at, fault: expect.stringContaining("meta.name") });

  // Its digest is that of the manifest.
  const copy = join(sound.path, `${id}.db`);
  await damageText(copy, "Damaged School");
  const { sha256 } = await digestOf(copy);
  const files = sound.manifest.files.map((one) => (one.database === id ? { ...one, sha256 } : one));
  await writeManifest(sound.path, { ...sound.manifest, files });
  const target = await newDirectory();
  await copyFile(join(directory, "secret.key"), join(target, "secret.key"));
  expect(await restoreTo(target, sound.path).catch(messageOf)).toMatch(
    new RegExp(`Nothing was changed\\.\n  ${copy}: meta\\.name`),
  );
  expect((await readdir(target)).filter((name) => name !== "lock.db")).toEqual(["secret.key"]);
});

test("a school that has changed about the time of its copy, or during it, is copied again by the next backup", async () => {
  let during = () => Promise.resolve();
  const storage = await newStorage({
    checker: watched({ after: async (name) => void (name === `${id}.db` && (await during())) }),
  });
  const id = await newTenant(storage);
  await settle(storage);
  const place = await newDirectory();
  const file = join(storage.directory, `${id}.db`);
  const touch = (seconds: number) => utimes(file, seconds, seconds);
  const noteOf = async () => (await take(storage, place)).manifest.files.find(({ database }) => database === id)?.note;
  const longAgo = 1_700_000_000;
  await touch(Date.now() / 1000 + 60);
  expect(await noteOf()).toBeNull();
  await touch(longAgo);
  during = () => touch(longAgo + 1);
  expect(await noteOf()).toBeNull();
  during = () => Promise.resolve();
  expect(await noteOf()).toBeString();
});

test("a backup for which a disk has too little space is not made, although other copies fit", async () => {
  let isFull = false;
  const storage = await newStorage({ checker: failing((path) => isFull && path.includes(`${id}.db`), full) });
  const id = await newTenant(storage);
  await newTenant(storage);
  const place = await newDirectory();
  const { name } = await take(storage, place);
  await rename(storage, id, "Changed");
  isFull = true;
  expect(await take(storage, place).catch(messageOf)).toMatch(
    /^The disk of \S+ has too little space: \d+ MiB are needed, and \d+ MiB are free\. There is no new backup; earlier ones are complete\. Free/,
  );
  expect(await readdir(place)).toEqual([name]);
  isFull = false;
  expect((await take(storage, place)).manifest.files).toHaveLength(3);
});

test("a restore for which there is too little space, or whose note can't be written, leaves what was there", async () => {
  const storage = await newStorage({ collectGarbage });
  const [id, other] = [await newTenant(storage), await newTenant(storage)];
  const { path } = await take(storage, await newDirectory());
  for (const each of [id, other]) await rename(storage, each, "Newer");
  const { directory, clock } = storage;
  const files = async () =>
    (await readdir(directory))
      .filter((name) => !/-(wal|shm|journal)$/.test(name) && name !== "restore.json.tmp")
      .sort();
  const before = await files();
  const ofOne = (checker: Checker) =>
    restoreSchool(request(path), { directory, checker, now, orgId: id, whileClosed: whileClosed(storage) });
  const ofAll = (checker: Checker) => restoreTo(directory, path, { force: true, checker });
  const onFull = failing((file) => file.endsWith(`${id}.db`), full);
  const unchanged = /^The disk of \S+ has too little space: .* Nothing was changed\. Free some space there/;
  // The note can't have its name.
  const note = join(directory, "restore.json.tmp");

  expect(await ofOne(onFull).catch(messageOf)).toMatch(unchanged);
  expect(await files()).toEqual(before);
  await mkdir(note);
  expect(await ofOne(checker).catch(messageOf)).toContain("EISDIR");
  expect([await files(), await nameOf(storage, id)]).toEqual([before, "Newer"]);
  await storage.close();
  expect(await ofAll(checker).catch(messageOf)).toContain("EISDIR");
  expect(await ofAll(onFull).catch(messageOf)).toMatch(unchanged);
  expect(await files()).toEqual(before);
  const again = await newStorage({ directory, clock });
  expect(await nameOf(again, id)).toBe("Newer");
});

test("two schools that are restored at the same time are both in the note, which the end of the first does not remove", async () => {
  const storage = await newStorage({ collectGarbage });
  const [one, other, last] = [await newTenant(storage), await newTenant(storage), await newTenant(storage)];
  const { path } = await take(storage, await newDirectory());
  for (const id of [one, other, last]) await rename(storage, id, "Newer");
  const { backups, clock } = storage;
  let first: Awaited<ReturnType<typeof backups.unfinished>>;
  const restoring = [
    backups.restoreSchool(request(path), one).then(async () => {
      first = await backups.unfinished();
    }),
    backups.restoreSchool(request(path), other),
  ];
  clock.advance(1000);
  await Promise.all(restoring);
  expect([await nameOf(storage, one), await nameOf(storage, other)]).toEqual(["A School", "A School"]);
  expect((await backups.unfinished())?.unfinished).toEqual([one, other]);
  if (first === undefined) throw new Error("The first restore has no note.");
  await backups.finished({ ...first, kept: "before-restore-2026-06-14T09-00-00-000Z" }, []);
  expect((await backups.unfinished())?.unfinished).toEqual([one, other]);
  const note = await backups.unfinished();
  if (note !== undefined) await backups.finished(note, [other]);
  expect((await backups.unfinished())?.unfinished).toEqual([other]);
  if (note !== undefined) await backups.finished(note, []);
  expect(await backups.unfinished()).toBeUndefined();
});

test("a school is restored although a reader that closed last has left its -wal file", async () => {
  let tries = 0;
  const storage = await newStorage({
    collectGarbage() {
      Bun.gc(true);
      tries += 1;
      if (tries === 2) reader.close(); // after the connections of the server
    },
  });
  const id = await newTenant(storage);
  const { path } = await take(storage, await newDirectory());
  await rename(storage, id, "Newer");
  const reader = new Database(`${pathToFileURL(join(storage.directory, `${id}.db`)).href}?mode=ro`);
  reader.exec("BEGIN; SELECT 1 FROM meta");
  await storage.backups.restoreSchool(request(path), id);
  expect(tries).toBeGreaterThanOrEqual(2);
  await rename(storage, id, "Afterwards");
  Bun.gc(true);
  expect(await nameOf(storage, id)).toBe("Afterwards");
});

test("a restore of one school that is killed at any step leaves its old file or, after the next start, the restored one", async () => {
  const storage = await newStorage({ collectGarbage });
  const [id, other] = [await newTenant(storage), await newTenant(storage)];
  const { path } = await take(storage, await newDirectory());
  for (const each of [id, other]) await rename(storage, each, "Newer");
  const { directory, clock } = storage;
  const copies = await newDirectory();
  const steps: string[] = [];
  const options = { directory, checker, now, orgId: id, whileClosed: whileClosed(storage) };
  await restoreSchool(request(path), {
    ...options,
    step(name) {
      // Not the lock, which this process holds: reading it would release it.
      const filter = (file: string) => !file.includes("lock.db");
      cpSync(directory, join(copies, String(steps.length)), { recursive: true, filter });
      steps.push(name);
    },
  });
  const found: (string | undefined)[] = [];
  for (const index of steps.keys()) {
    const killed = join(copies, String(index));
    const opened = await newStorage({ directory: killed, clock });
    found.push(await nameOf(opened, id));
    expect(await nameOf(opened, other)).toBe("Newer");
    expect((await readdir(killed)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    const unfinished = (await readRestoreNote(killed))?.unfinished;
    expect(unfinished).toEqual(found.at(-1) === "A School" ? [id] : undefined);
    await opened.close();
  }
  const first = found.indexOf("A School");
  expect(steps.slice(0, first)).toEqual(["restore: stage one", "restore: begin"]);
  expect([...new Set(found)]).toEqual(["Newer", "A School"]);
  expect(steps.length).toBeGreaterThan(6);
});

test("a backup has its name when its manifest is there; those of other installations in the same place stay, and are not its own", async () => {
  const place = await newDirectory();
  let isBroken = false;
  const checker = watched({
    async after(name) {
      if (!isBroken || name !== "control.db") return;
      for (const partial of await readdir(place))
        if (partial.startsWith(".partial-")) await mkdir(join(place, partial, "manifest.json.tmp"));
    },
  });
  const storage = await newStorage({ checker });
  const id = await newTenant(storage);
  const [first, second] = [await take(storage, place), await take(storage, place)];
  isBroken = true;
  expect(await take(storage, place).catch(messageOf)).toContain("manifest.json.tmp");
  expect((await readdir(place)).sort()).toEqual([first.name, second.name]);
  isBroken = false;

  storage.clock.advance(1000);
  const { clock } = storage;
  const foreign = await newStorage({ clock });
  await mkdir(join(place, ".partial-0123456789abcdef-2026-06-14T09-00-00-000Z"));
  const theirs = await take(foreign, place);
  const third = await take(storage, place);
  expect(await readdir(place)).toContain(".partial-0123456789abcdef-2026-06-14T09-00-00-000Z");
  const last = await take(foreign, place);
  await take(storage, place, { organization: id });
  expect((await storage.backups.newest(place))?.name).toBe(third.name);
  expect(await storage.backups.removeOld(third, place, { count: 1 })).toBe(2);
  expect(await readdir(place)).toEqual(expect.arrayContaining([theirs.name, third.name, last.name]));
});

test("a restore of all needs the lock, and --force for what is there; schools that the backup lacks go to the folder that keeps", async () => {
  let during = async () => {};
  const checker = watched({ after: async (name) => void (name === `${id}.db` && (await during())) });
  const storage = await newStorage({ checker });
  const id = await newTenant(storage);
  // Written to after its copy, and before that of the control database.
  during = async () => void (await rename(storage, id, "Newer"));
  const { path } = await take(storage, await newDirectory());
  const added = await newTenant(storage, "Added");
  const { directory } = storage;
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  for (const name of await readdir(path))
    expect([name, (await stat(join(path, name))).mode & 0o777]).toEqual([name, 0o600]);
  expect(await restoreTo(directory, path, { force: true }).catch(messageOf)).toContain("Another Windsock is using");
  await storage.close();
  expect(await restoreTo(directory, path).catch(messageOf)).toContain("Add --force to replace it");
  const { kept = "" } = await restoreTo(directory, path, { force: true });
  expect(await readdir(directory)).not.toContain(`${added}.db`);
  expect(await readdir(kept)).toEqual(expect.arrayContaining(["control.db", `${id}.db`, `${added}.db`]));
  expect((await readRestoreNote(directory))?.unfinished).toEqual([id]);
});

test("a copy whose digest is not that of the manifest is not restored", async () => {
  const storage = await newStorage();
  const id = await newTenant(storage);
  const { path } = await take(storage, await newDirectory());
  const copy = join(path, `${id}.db`);
  const bytes = await readFile(copy);
  const target = await newDirectory();
  bytes[60] = (bytes[60] ?? 0) ^ 1; // the version that an application gives its data
  await writeFile(copy, bytes);
  expect(await restoreTo(target, path).catch(messageOf)).toContain(`${copy}: its SHA-256 is not that of the manifest`);
});
