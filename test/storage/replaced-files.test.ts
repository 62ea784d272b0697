/** Files that are removed or replaced while the server has them open: no acknowledged write is lost without a word. */
import { afterEach, expect, test } from "bun:test";
import { copyFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { OrgId } from "../../src/core/ids.ts";
import { DataDirectoryLocked } from "../../src/storage/data-lock.ts";
import type { Tenant } from "../../src/storage/store.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { copyAlone, newStorage, newTenant, onFile, settle, type TestStorage } from "./storages.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const call = (tenant: Tenant, name: string) => tenant.write((tx) => tx.update(meta).set({ name }));
const nameOf = async (tenant: Tenant) =>
  (await tenant.read((reader) => reader.select({ name: meta.name }).from(meta)))[0]?.name;
const nameIn = async (path: string) => (await onFile(path, "select name from meta"))[0]?.[0]?.[0];
const unavailable = { code: "TENANT_UNAVAILABLE" };

/** An open tenant named `First`, and an idle copy of it. */
async function openTenant(options: Parameters<typeof newStorage>[0] = {}) {
  const storage = await newStorage(options);
  const id = await newTenant(storage, "First");
  await settle(storage);
  const backup = await copyAlone(storage.directory, `${id}.db`);
  const tenant = storage.tenants.tenant(id);
  await call(tenant, "Acknowledged");
  return { storage, id, tenant, backup, path: join(storage.directory, `${id}.db`) };
}

const causes = ({ logged }: TestStorage, id: OrgId) =>
  logged.filter(({ details }) => details.organization_id === id).map(({ details }) => String(details.err));

test("after a file is moved away, its next write is refused, and the moved file has every acknowledged write", async () => {
  const { storage, id, tenant, path } = await openTenant();
  const moved = join(await newDirectory(), "moved.db");
  await rename(path, moved);
  await expect(call(tenant, "Lost")).rejects.toMatchObject(unavailable);
  await expect(nameOf(tenant)).rejects.toMatchObject(unavailable);
  expect(causes(storage, id)).toEqual([
    expect.stringContaining("was removed or replaced while the server had it open"),
    expect.stringContaining("is missing"),
  ]);
  expect(await nameIn(moved)).toBe("Acknowledged");
  expect((await stat(`${path}-wal`)).size).toBe(0);

  await rename(moved, path);
  expect(await nameOf(tenant)).toBe("Acknowledged");
  await call(tenant, "Later");
});

test("a file that took the place of an open one is refused until a file is moved into place again, or until a restart", async () => {
  const { storage, id, tenant, path, backup } = await openTenant();
  await copyFile(backup, `${path}.new`);
  await rename(`${path}.new`, path);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(call(tenant, "Lost")).rejects.toMatchObject(unavailable);
    await expect(nameOf(tenant)).rejects.toMatchObject(unavailable);
  }
  expect(causes(storage, id)[1]).toContain("took the place of a file that was in use");
  expect(storage.tenants.stats().unavailable).toBe(1);

  await copyFile(backup, `${path}.new`);
  await rename(`${path}.new`, path);
  expect(await nameOf(tenant)).toBe("First");
  await call(tenant, "Later");
  expect(storage.tenants.stats().unavailable).toBe(0);
  const { directory, clock } = storage;
  await storage.close();
  const again = await newStorage({ directory, clock });
  expect(await nameOf(again.tenants.tenant(id))).toBe("Later");
});

test("housekeeping notices a replaced file, also of a tenant that is only read", async () => {
  const { storage, id, tenant, path, backup } = await openTenant();
  await settle(storage);
  await copyFile(backup, `${path}.new`);
  await rename(`${path}.new`, path);
  await storage.checkpointIdle();
  expect(causes(storage, id)).toHaveLength(1);
  await expect(nameOf(tenant)).rejects.toMatchObject(unavailable);
});

test("a write during which the file is removed is not acknowledged", async () => {
  let remove = async () => undefined as unknown;
  const { tenant, path } = await openTenant();
  remove = () => rm(path);
  await expect(
    tenant.write(async (tx) => {
      await tx.update(meta).set({ name: "Lost" });
      await remove();
    }),
  ).rejects.toMatchObject(unavailable);
});

test("after its -wal file is removed, a tenant is closed with every acknowledged write", async () => {
  const { tenant, path } = await openTenant();
  await rm(`${path}-wal`);
  await expect(call(tenant, "Lost")).rejects.toMatchObject(unavailable);
  expect(await nameOf(tenant)).toBe("Acknowledged");
  await call(tenant, "Later");
});

test("a replaced control.db takes no more writes, which the log says once", async () => {
  const { storage, tenant } = await openTenant();
  await settle(storage);
  const path = join(storage.directory, "control.db");
  await copyFile(await copyAlone(storage.directory, "control.db"), `${path}.new`);
  await rename(`${path}.new`, path);
  for (let round = 0; round < 3; round += 1) await storage.checkpointIdle();
  await expect(storage.control.write(async () => undefined)).rejects.toThrow("can't read or store its records");
  await expect(call(tenant, "Unmarked")).rejects.toThrow("can't read or store its records");
  expect(storage.logged).toEqual([
    expect.objectContaining({ level: "error", message: expect.stringContaining("control.db was removed or replaced") }),
  ]);
  await storage.close();
});

test("a removed lock.db is locked again within a second", async () => {
  const storage = await newStorage();
  const { directory, clock } = storage;
  await rm(join(directory, "lock.db"));
  await storage.checkpointIdle();
  expect((await stat(join(directory, "lock.db"))).mode & 0o777).toBe(0o600);
  await expect(newStorage({ directory, clock })).rejects.toBeInstanceOf(DataDirectoryLocked);
  await storage.close();
  await newStorage({ directory, clock });
});

test("a directory whose lock.db was removed is not opened while another process uses it", async () => {
  const { directory, clock } = await newStorage();
  await rm(join(directory, "lock.db"));
  await expect(newStorage({ directory, clock, isInUse: async () => true })).rejects.toBeInstanceOf(DataDirectoryLocked);
});

test("a file without its meta row is refused", async () => {
  const storage = await newStorage();
  const { directory, clock } = storage;
  const id = await newTenant(storage, "A School");
  await storage.close();
  await onFile(join(directory, `${id}.db`), "delete from meta");
  const again = await newStorage({ directory, clock });
  await expect(nameOf(again.tenants.tenant(id))).rejects.toMatchObject(unavailable);
  expect(causes(again, id)).toEqual([expect.stringContaining("has no row in its table meta")]);
});
