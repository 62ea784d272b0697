/** Files that another process has locked: for a moment, as a migration, a check or a backup does, or for longer. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { atMost } from "../../src/core/async.ts";
import { vacuumInto } from "../../src/storage/backup/copy-file.ts";
import { checkerInThisProcess } from "../../src/storage/check/checker.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { startChild } from "./children.ts";
import { becomeNewer, newStorage, newTenant } from "./storages.ts";
import { cleanUp } from "./temporary.ts";

afterEach(cleanUp);

/** A data directory with a closed file that another process has locked. */
async function lockedFile({ isOlder = false } = {}) {
  const first = await newStorage();
  const { directory, clock } = first;
  const id = await newTenant(first);
  await first.close();
  if (isOlder) becomeNewer();
  const checker = isOlder ? checkerInThisProcess : undefined;
  const storage = await newStorage({ directory, clock, checker });
  Bun.gc(true); // statements of the closed file that are not collected hold a lock
  const child = startChild(directory, "lock", id);
  await child.until("locked");
  const name = () => storage.tenants.tenant(id).read((reader) => reader.select({ name: meta.name }).from(meta));
  return { directory, id, storage, child, name, path: join(directory, `${id}.db`) };
}

test("opening a file waits while another process has it locked for a moment", async () => {
  const { child, name, storage } = await lockedFile();
  const names = name();
  expect(await atMost(300, names)).toBeFalse();
  await child.close();
  expect(await names).toEqual([{ name: "A School" }]);
  expect(storage.tenants.stats().unavailable).toBe(0);
});

test("a file that stays locked is unavailable, not damaged, and can be used when it is free", async () => {
  const { child, name, storage, id } = await lockedFile();
  const refused: unknown = await name().catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "TENANT_UNAVAILABLE", cause: { code: "SQLITE_BUSY" } });
  expect(storage.tenants.unusable()).toEqual([]);
  await child.close();
  expect(await name()).toEqual([{ name: "A School" }]);
  expect(await storage.tenants.check(id)).toEqual([]);
});

test("a migration waits while another process has the file locked for a moment", async () => {
  const { child, name, storage } = await lockedFile({ isOlder: true });
  expect(await storage.tenants.outdated()).toHaveLength(1);
  const names = name();
  expect(await atMost(300, names)).toBeFalse();
  await child.close();
  expect(await names).toEqual([{ name: "A School" }]);
});

test("a check of a file that stays locked does not call it damaged", async () => {
  const { child, id, path } = await lockedFile();
  const check = () => checkerInThisProcess.check(path, { kind: "tenant", orgId: id, isNew: false });
  await expect(check()).rejects.toMatchObject({ code: "SQLITE_BUSY" });
  await child.close();
  expect((await check()).faults).toEqual([]);
});

// The connection is collected later, and its end would lock a file with a -wal file for a moment.
test("a school's file that was prepared has no -wal file of its connection, which is closed", async () => {
  const storage = await newStorage();
  const id = await newTenant(storage);
  const path = join(storage.directory, "adopting.tmp");
  await vacuumInto(join(storage.directory, `${id}.db`), path);
  await checkerInThisProcess.prepareSchool(path, null);
  expect(await Bun.file(`${path}-wal`).exists()).toBeFalse();
});
