/** Errors that prevent opening a data directory, and their messages for the operator. */
import { afterEach, expect, test } from "bun:test";
import { readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { controlMigrations } from "../../migrations/control/index.ts";
import { randomBytes } from "../../src/core/crypto.ts";
import { DataDirectoryLocked, lockDataDirectory } from "../../src/storage/data-lock.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { startChild } from "./children.ts";
import { copyAlone, marksOf, newStorage, newTenant, onFile } from "./storages.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

/** A data directory that was used and closed. */
async function usedDirectory() {
  const storage = await newStorage();
  const id = await newTenant(storage, "A School");
  await storage.close();
  const { directory, clock } = storage;
  return { directory, clock, id, control: join(directory, "control.db") };
}

test.each([
  ["newer", `PRAGMA user_version = ${controlMigrations.length + 1}`, /newer than this program's \d+: upgrade Windsock/],
  ["another application's", "PRAGMA application_id = 7", /not a control database of Windsock/],
  ["a tenant", `PRAGMA application_id = ${0x576e6454}`, /not a control database of Windsock/],
])(
  "a control.db that is %s stops the start with its path and the reason, and is not changed",
  async (_, change, reason) => {
    const { directory, clock, control } = await usedDirectory();
    await onFile(control, change);
    const before = await readFile(control);
    const error: unknown = await newStorage({ directory, clock }).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(reason);
    expect(String(error)).toContain(control);
    expect((await readFile(control)).equals(before)).toBeTrue();
  },
);

test("a control.db of another application without application_id is rejected and not changed", async () => {
  const directory = await newDirectory();
  await onFile(join(directory, "control.db"), "create table bookmarks (url text)");
  await expect(newStorage({ directory, secret: randomBytes(32) })).rejects.toThrow(
    "not a control database of Windsock",
  );
  const [tables] = await onFile(join(directory, "control.db"), "select name from sqlite_master where type = 'table'");
  expect(tables).toEqual([["bookmarks"]]);
});

test("a control.db that is not a database stops the start with its path and the reason; once repaired, it starts", async () => {
  const { directory, clock, control, id } = await usedDirectory();
  await rename(control, `${control}.good`);
  await writeFile(control, "This is no database. ".repeat(1000));
  const error: unknown = await newStorage({ directory, clock }).catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(/control\.db can't be opened: SQLITE_NOTADB/);

  await rename(`${control}.good`, control);
  const storage = await newStorage({ directory, clock });
  expect(await storage.tenants.tenant(id).dataKey()).toHaveLength(32);
});

test.each([
  ["missing", (control: string) => rm(control)],
  ["empty", (control: string) => truncate(control, 0)],
])("a control.db that is %s beside files of schools stops the start with their names", async (how, damage) => {
  const { directory, clock, control, id } = await usedDirectory();
  await damage(control);
  const refused = newStorage({ directory, clock });
  await expect(refused).rejects.toThrow(`${control} is ${how}, but`);
  await expect(refused).rejects.toThrow(`${id}.db`);
});

test("the first start creates the secret with mode 0600, and later starts use it", async () => {
  const first = await newStorage();
  const { directory, clock, keys } = first;
  await first.close();
  const path = join(directory, "secret.key");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path, "utf8")).toMatch(/^[A-Za-z0-9_-]{64}\n$/);
  const again = await newStorage({ directory, clock });
  expect(again.keys.id).toBe(keys.id);
  expect((await newStorage()).keys.id).not.toBe(keys.id);
});

test("data without its secret.key stops the start, and no new secret is created", async () => {
  const { directory, clock } = await usedDirectory();
  const path = join(directory, "secret.key");
  const secret = await readFile(path);
  await rm(path);
  await expect(newStorage({ directory, clock })).rejects.toThrow(
    `${path} is missing, but the directory has data. Restore the file, or set WINDSOCK_SECRET_KEY to its content.`,
  );
  await expect(stat(path)).rejects.toThrow("ENOENT");

  // Both fixes work.
  const byVariable = await newStorage({ directory, clock, secret: Buffer.from(secret.toString().trim()) });
  await byVariable.close();
  await writeFile(path, secret);
  await newStorage({ directory, clock });
});

test("another secret stops the start, and the original one starts it", async () => {
  const { directory, clock, id } = await usedDirectory();
  await expect(newStorage({ directory, clock, secret: randomBytes(32) })).rejects.toThrow(
    "This data was sealed with another secret.",
  );
  const storage = await newStorage({ directory, clock });
  expect(await storage.tenants.tenant(id).dataKey()).toHaveLength(32);
});

test.each(["", "\n", "short"])("a secret.key with the content %j is rejected as damaged", async (text) => {
  const directory = await newDirectory();
  await writeFile(join(directory, "secret.key"), text);
  await expect(newStorage({ directory })).rejects.toThrow("secret.key is damaged");
  expect(await readFile(join(directory, "secret.key"), "utf8")).toBe(text);
});

test("a first start that was killed while it created the secret is repeated", async () => {
  const directory = await newDirectory();
  await writeFile(join(directory, "secret.key.tmp"), "half a sec");
  const storage = await newStorage({ directory });
  await storage.close();
  expect((await readFile(join(directory, "secret.key"), "utf8")).length).toBeGreaterThan(60);
});

test("a data directory has one user at a time, and is free after close", async () => {
  const storage = await newStorage();
  const { directory, clock } = storage;
  await expect(newStorage({ directory, clock })).rejects.toBeInstanceOf(DataDirectoryLocked);
  await storage.close();
  await newStorage({ directory, clock });
});

test("a failed start releases the directory", async () => {
  const { directory } = await usedDirectory();
  await expect(newStorage({ directory, secret: randomBytes(32) })).rejects.toThrow(
    "This data was sealed with another secret",
  );
  (await lockDataDirectory(directory)).release();
});

test("a second process is rejected while one has the directory open, and accepted after that one is killed", async () => {
  const directory = await newDirectory();
  const first = startChild(directory, "hold");
  await first.until("open");

  const message = `Another Windsock is using ${directory}. Stop it, or choose another WINDSOCK_DATA_DIR.`;
  expect(await startChild(directory, "hold").ended).toEqual({ how: 1, output: `${message}\n` });
  await expect(newStorage({ directory })).rejects.toThrow(message);

  await first.close();
  await newStorage({ directory });
});

test("a lock.db that is not a database is not reported as another Windsock", async () => {
  const directory = await newDirectory();
  await writeFile(join(directory, "lock.db"), "This is no database. ".repeat(1000));
  await expect(newStorage({ directory })).rejects.toThrow("lock.db can't be locked");
});

test("acknowledged writes of a killed process are there at the next start, and in the .db file alone", async () => {
  const { directory, id, clock } = await usedDirectory();
  const child = startChild(directory, "write", id, "Acknowledged");
  await child.until("written");
  await child.close();
  const [before] = await onFile(await copyAlone(directory, `${id}.db`), "select name from meta");
  expect(before).toEqual([["A School"]]);

  const storage = await newStorage({ directory, clock });
  expect((await marksOf(storage, id))?.dirty).toBeFalse();
  const [after] = await onFile(await copyAlone(directory, `${id}.db`), "select name from meta");
  expect(after).toEqual([["Acknowledged"]]);
  expect(await storage.tenants.tenant(id).read((reader) => reader.select({ name: meta.name }).from(meta))).toEqual([
    { name: "Acknowledged" },
  ]);
});
