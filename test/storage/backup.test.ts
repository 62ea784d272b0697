/** Backups and restores of a data directory: what fits together, what is shared and removed, and what a kill at each step leaves. */
import { afterEach, expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { eq } from "drizzle-orm";
import { days } from "../../src/core/clock.ts";
import type { OrgId } from "../../src/core/ids.ts";
import { organizations } from "../../src/identity/identity.tables.ts";
import { organizationUpdated } from "../../src/modules/organizations/organization-updated.ts";
import { intentsOf } from "../../src/modules.ts";
import { readManifest } from "../../src/storage/backup/manifest.ts";
import { backupsOf, type Keep } from "../../src/storage/backup/places.ts";
import { writeIntent } from "../../src/storage/intents.ts";
import { intents } from "../../src/storage/shared.tables.ts";
import { signUp } from "../http/accounts/newcomers.ts";
import { newInstallation } from "../support/installation.ts";
import { nameOf, never, rename, restoreTo, take, watched } from "./backed-up.ts";
import { newStorage, newTenant, type TestStorage } from "./storages.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const silent = { warn: () => undefined, error: () => undefined };
async function restoredFrom(source: string, from: string): Promise<string> {
  const directory = await newDirectory();
  await copyFile(join(source, "secret.key"), join(directory, "secret.key"));
  await restoreTo(directory, from);
  return directory;
}

test("a change of control that reaches a school after its copy is applied to the copy, once", async () => {
  let afterCopy = async (_: string) => {};
  const at = await newInstallation({ checker: watched({ after: (name) => afterCopy(name) }) });
  const { orgId } = await signUp(at);
  const { storage, clock, directory } = at;
  const own = intentsOf(storage, silent);
  const place = await newDirectory();
  afterCopy = async (name) => {
    if (name !== `${orgId}.db`) return;
    await storage.control.write(async (tx) => {
      await tx.update(organizations).set({ name: "Later" }).where(eq(organizations.id, orgId));
      await writeIntent(tx, clock, organizationUpdated, orgId, { name: "Later", time_zone: "UTC", requestId: "" });
    });
    await own.apply(orgId);
    expect(await own.countOpen()).toBe(0);
  };
  const { path } = await storage.backups.take({ place, keepIntents: () => own.keep(), stopping: never() });
  const open = () => storage.control.read((reader) => reader.select().from(intents));
  expect(await open()).toEqual([]);

  const restored = await newInstallation({ directory: await restoredFrom(directory, path), clock });
  expect(await nameOf(restored.storage, orgId)).toBe("Later");
  expect(await restored.storage.control.read((reader) => reader.select().from(intents))).toEqual([]);
});

test("a school that signs up during the backup is in it", async () => {
  let isFirst = true;
  const later: OrgId[] = [];
  const storage: TestStorage = await newStorage({
    checker: watched({
      async before(name) {
        if (name !== "control.db" || !isFirst) return;
        isFirst = false;
        later.push(await newTenant(storage, "Later"));
      },
    }),
  });
  await newTenant(storage);
  const { manifest } = await take(storage, await newDirectory());
  const names = manifest.files.map(({ name }) => name);
  expect(names).toContain(`${later[0]}.db`);
  expect([names[0], names.length]).toEqual(["control.db", 3]);
});

test("a school that can't be copied stays with its last good copy, and the others are copied", async () => {
  const storage = await newStorage();
  const [damaged, lost, sound] = [await newTenant(storage), await newTenant(storage), await newTenant(storage)];
  const place = await newDirectory();
  await rm(join(storage.directory, `${lost}.db`));
  const first = await take(storage, place);
  expect(first.manifest.missing).toEqual([{ organization: lost, fault: expect.any(String) }]);
  await storage.close();

  const { directory, clock } = storage;
  await writeFile(join(directory, `${damaged}.db`), "no database");
  await rm(join(directory, `${damaged}.db-wal`), { force: true });
  const again = await newStorage({ directory, clock });
  await rename(again, sound, "Changed");
  const { manifest, path } = await take(again, place);
  const fileOf = (id: OrgId) => manifest.files.find(({ database }) => database === id);
  expect(fileOf(damaged)).toMatchObject({ taken_at: first.manifest.started_at, fault: expect.any(String) });
  expect(fileOf(sound)).toMatchObject({ taken_at: manifest.started_at });
  expect((await readdir(path)).sort()).toEqual(["control.db", "manifest.json", `${damaged}.db`, `${sound}.db`].sort());
});

test.each([
  [{ count: 2 }, 2],
  [{ age: 3 }, 4],
  [{ count: 5, age: 2 }, 5],
  [{ count: 1, age: 1 }, 2],
  [{}, 6],
] satisfies [Keep, number][])(
  "with %p, so many of six daily backups stay: %d; what is not one of them always does",
  async (keep, left) => {
    const storage = await newStorage();
    const id = await newTenant(storage);
    const place = await newDirectory();
    const one = await take(storage, place, { organization: id });
    await mkdir(join(place, "2020-01-01T00-00-00-000Z"));
    await writeFile(join(place, "notes.txt"), "");
    const all: string[] = [];
    let last = await take(storage, place);
    for (let day = 1; day < 6; day += 1) {
      all.push(last.name);
      storage.clock.advance(days(1) - 1000);
      last = await take(storage, place);
    }
    all.push(last.name);
    expect(await storage.backups.removeOld(last, place, keep)).toBe(6 - left);
    const stays = ["2020-01-01T00-00-00-000Z", "notes.txt", one.name, ...all.slice(-left)];
    expect((await readdir(place)).sort()).toEqual(stays.sort());
    expect((await readManifest(one.path)).organization).toBe(id);
  },
);

test("a backup that is killed at any step leaves those before it whole, and the next one works", async () => {
  const states: string[] = [];
  const copies = await newDirectory();
  const place = await newDirectory();
  let isKilled = false;
  const keepState = async () => {
    if (!isKilled) return;
    const state = join(copies, String(states.length));
    cpSync(place, state, { recursive: true });
    states.push(state);
  };
  const storage = await newStorage({ checker: watched({ before: keepState, after: keepState }) });
  const ids = [await newTenant(storage), await newTenant(storage)];
  const first = await take(storage, place);
  for (const id of ids) await rename(storage, id, "Changed");
  isKilled = true;
  await take(storage, place);
  isKilled = false;
  expect(states).toHaveLength(6);
  for (const state of states) {
    expect((await readdir(state)).filter((name) => !name.startsWith(".partial-"))).toEqual([first.name]);
    expect((await backupsOf(state, first.manifest)).map(({ name }) => name)).toEqual([first.name]);
    const restored = await newStorage({ directory: await restoredFrom(storage.directory, join(state, first.name)) });
    expect(await nameOf(restored, ids[0] as OrgId)).toBe("A School");
    await restored.close();
    const next = await take(storage, state);
    expect((await readdir(state)).sort()).toEqual([first.name, next.name].sort());
  }
});

test("a restore that is killed at any step leaves the old files or, after the next start, the restored ones", async () => {
  const storage = await newStorage();
  const [id, other] = [await newTenant(storage), await newTenant(storage)];
  const place = await newDirectory();
  const { path } = await take(storage, place);
  await rename(storage, id, "Newer");
  const added = await newTenant(storage, "Added");
  await storage.close();
  const { directory, clock } = storage;

  const copies = await newDirectory();
  const steps: string[] = [];
  await restoreTo(directory, path, {
    force: true,
    step(name) {
      // Not the lock, which this process holds: reading it would release it.
      const filter = (file: string) => !file.includes("lock.db");
      cpSync(directory, join(copies, String(steps.length)), { recursive: true, filter });
      steps.push(name);
    },
  });
  const namesIn = async (opened: TestStorage) => [await nameOf(opened, id), await nameOf(opened, other)];
  const found: (string | undefined)[] = [];
  for (const [index, step] of steps.entries()) {
    const killed = join(copies, String(index));
    const opened = await newStorage({ directory: killed, clock });
    const names = await namesIn(opened);
    found.push(names[0]);
    const isRestored = names[0] === "A School";
    expect([step, names[1], await nameOf(opened, added).catch(() => "gone")]).toEqual([
      step,
      "A School",
      isRestored ? "gone" : "Added",
    ]);
    await opened.close();
    expect((await readdir(killed)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    const again = await restoreTo(killed, path, { force: true });
    expect(again.databases).toBe(3);
    const restored = await newStorage({ directory: killed, clock });
    expect(await namesIn(restored)).toEqual(["A School", "A School"]);
    await restored.close();
  }
  // Staging; from the note on, it goes forward.
  const first = found.indexOf("A School");
  expect(steps.slice(0, first)).toEqual([...Array(4).fill(expect.stringContaining("stage")), "restore: begin"]);
  expect(found.slice(first).every((name) => name === "A School")).toBe(true);
  expect(steps.length).toBeGreaterThan(15);
});

test("a school's file is restored while its requests wait, and it keeps what is written afterwards", async () => {
  const storage = await newStorage({ collectGarbage: () => Bun.gc(true) });
  const id = await newTenant(storage);
  const place = await newDirectory();
  const { path } = await take(storage, place);
  await rename(storage, id, "Newer");
  const request = { from: path, force: true, reason: "A test.", by: "olga" };
  const refused = await storage.backups
    .restoreSchool({ ...request, force: false }, id)
    .catch((error: Error) => error.message);
  expect(refused).toContain("Add --force");
  let isOver = false;
  const seen = new Set<string | undefined>();
  const reading = (async () => {
    while (!isOver) {
      seen.add(await nameOf(storage, id));
      await setImmediate();
    }
  })();
  const kept = await storage.backups.restoreSchool(request, id).finally(() => {
    isOver = true;
  });
  await reading;
  expect([...seen].filter((name) => name !== "Newer" && name !== "A School")).toEqual([]);
  expect(await nameOf(storage, id)).toBe("A School");
  await rename(storage, id, "Afterwards");
  expect((await readdir(kept ?? "")).filter((name) => name.endsWith(".db"))).toEqual([`${id}.db`]);
  expect(await storage.backups.unfinished()).toMatchObject({ unfinished: [id], reason: "A test.", by: "olga" });
  await storage.close();
  const { directory, clock } = storage;
  expect(await nameOf(await newStorage({ directory, clock }), id)).toBe("Afterwards");
});

test("a note of a restore that names a file outside of the directory is refused", async () => {
  const storage = await newStorage();
  await storage.close();
  const { directory, clock } = storage;
  const path = join(directory, "restore.json");
  const note = { from: "", reason: "", by: "", kept: "before-restore-1", removed: [], unfinished: [], isPlaced: false };
  await writeFile(path, JSON.stringify({ ...note, replaced: ["../control.db"] }));
  const refused = await newStorage({ directory, clock }).catch((error: Error) => error.message);
  expect(refused).toContain("replaced");
  expect((await readFile(path)).length).toBeGreaterThan(0);
});

test("an encrypted backup opens with its identity only, and has the secret; an idle school is shared there, too", async () => {
  const storage = await newStorage();
  const id = await newTenant(storage);
  await rename(storage, id, "Secret Name");
  await storage.close();
  const { directory, clock } = storage;
  await utimes(join(directory, `${id}.db`), 1_700_000_000, 1_700_000_000);
  const opened = await newStorage({ directory, clock });
  const place = await newDirectory();
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const [first, second] = [await take(opened, place, { recipient }), await take(opened, place, { recipient })];
  const files = ["control.db.age", "manifest.json", "secret.key.age", `${id}.db.age`];
  expect((await readdir(second.path)).sort()).toEqual(files.sort());
  const inode = async (path: string) => (await stat(join(path, `${id}.db.age`))).ino;
  expect(await inode(second.path)).toBe(await inode(first.path));
  for (const name of files) expect((await readFile(join(second.path, name))).includes("Secret Name")).toBe(false);
  expect((await readdir(directory)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  // Among encrypted backups, no plain one is made.
  const before = await readdir(place);
  await expect(take(opened, place)).rejects.toThrow(`Set WINDSOCK_BACKUP_RECIPIENT=${recipient}`);
  expect(await readdir(place)).toEqual(before);
  expect((await take(opened, await newDirectory())).copied).toBe(2);

  const target = await newDirectory();
  const [right, wrong] = [join(target, "identity.txt"), join(target, "wrong.txt")];
  await writeFile(right, `# created: 2026-06-14\n# public key: ${recipient}\n${identity}\n`);
  await writeFile(wrong, `${await generateX25519Identity()}\n`);
  const restored = join(target, "data");
  const refusals = [
    [undefined, `The backup is encrypted to ${recipient}. Add --identity FILE.`],
    [wrong, "does not open the backup"],
    [join(second.path, "manifest.json"), "has no identity of age"],
    [join(target, "nowhere"), `There is no ${join(target, "nowhere")}.`],
  ] as const;
  for (const [given, why] of refusals) {
    const refused = await restoreTo(restored, second.path, { identity: given }).catch((error: Error) => error.message);
    expect(refused).toContain(why);
    expect(await readdir(restored).catch(() => [])).not.toContain("control.db");
  }
  expect(await restoreTo(restored, second.path, { identity: right })).toMatchObject({ hasSecret: true, databases: 2 });
  expect(await nameOf(await newStorage({ directory: restored, clock }), id)).toBe("Secret Name");
});
