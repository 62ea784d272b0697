/** Files that were restored or changed by other programs since their last checkpoint. */
import { afterEach, expect, test } from "bun:test";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { toInstant } from "../../src/core/clock.ts";
import type { OrgId } from "../../src/core/ids.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { copyAlone, marksOf, newStorage, newTenant, onFile, settle } from "./storages.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

/** Two idle tenants of a closed storage, with a copy of the first one's file. */
async function idleTenants() {
  const storage = await newStorage();
  const id = await newTenant(storage);
  await newTenant(storage);
  await settle(storage);
  const { directory, clock } = storage;
  const backup = await copyAlone(directory, `${id}.db`);
  await storage.close();
  return { id, directory, clock, backup, path: join(directory, `${id}.db`) };
}

test("a file that was restored since its checkpoint is due at the start; the others are not", async () => {
  const { id, directory, clock, backup, path } = await idleTenants();
  await rename(backup, path);
  const due: OrgId[] = [];
  const wake = toInstant(new Date(clock.now().getTime() + 1));
  const storage = await newStorage({
    directory,
    clock,
    nextWake: async () => wake,
    onDue: (orgId) => void due.push(orgId),
  });
  expect(await storage.tenants.wakeUps()).toEqual([{ orgId: id, at: toInstant(clock.now()) }]);
  const read = () => storage.tenants.tenant(id).read((reader) => reader.select().from(meta));
  await read();
  expect(due).toEqual([id]);

  // The next checkpoint stores its wake-up time, without a write of the school.
  await storage.checkpointIdle();
  expect(await marksOf(storage, id)).toMatchObject({ dirty: false, next_wake_at: wake });
  await storage.close();
  const again = await newStorage({ directory, clock, onDue: (orgId) => void due.push(orgId) });
  expect((await again.tenants.wakeUps()).map(({ at }) => at)).toEqual([wake]);
  expect(due).toEqual([id]);
});

test("a restored file without a change of its own needs no write to be due while the server runs", async () => {
  const { id, directory, clock, backup, path } = await idleTenants();
  const due: OrgId[] = [];
  const storage = await newStorage({ directory, clock, onDue: (orgId) => void due.push(orgId) });
  await rename(backup, path);
  await storage.tenants.tenant(id).read((reader) => reader.select().from(meta));
  expect(due).toEqual([id]);
});

test("a copy that VACUUM INTO made is restored in WAL mode", async () => {
  const { id, directory, clock, path } = await idleTenants();
  const copy = join(await newDirectory(), "copy.db");
  await onFile(path, `VACUUM INTO '${copy}'`);
  for (const suffix of ["-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
  await rename(copy, path);
  const storage = await newStorage({ directory, clock });
  await storage.tenants.tenant(id).write((tx) => tx.update(meta).set({ name: "Restored" }));
  await storage.close();
  const [name, mode] = await onFile(path, "select name from meta", "PRAGMA journal_mode");
  expect([name, mode]).toEqual([[["Restored"]], [["wal"]]]);
});
