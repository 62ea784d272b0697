import { afterEach, expect, test } from "bun:test";
import { mkdir, readdir, readFile, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import { newId, type OrgId } from "../../src/core/ids.ts";
import { openDataKey } from "../../src/storage/data-key.ts";
import { applicationId } from "../../src/storage/migrations.ts";
import { migrationsOf } from "../../src/storage/migrations-of.ts";
import type { Tenant } from "../../src/storage/store.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { afterThisTest } from "../support/after-test.ts";
import { newStorage, newTenant, onFile, settle } from "./storages.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const metaOf = async (tenant: Tenant) => {
  const [row] = await tenant.read((reader) => reader.select().from(meta));
  if (row === undefined) throw new Error("The tenant has no meta row.");
  return row;
};

test("a new tenant's file identifies itself", async () => {
  const storage = await newStorage();
  const id = await newTenant(storage, "Flugschule Egelsbach");
  const path = join(storage.directory, `${id}.db`);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await storage.close();

  const [[application], [version], rows] = (await onFile(
    path,
    "PRAGMA application_id",
    "PRAGMA user_version",
    "select org_id, name, time_zone, created_at, sealed_by from meta",
  )) as [unknown[][], unknown[][], unknown[][]];
  expect(application).toEqual([applicationId.tenant]);
  expect(version).toEqual([tenantMigrations.length]);
  expect(rows).toEqual([[id, "Flugschule Egelsbach", "Europe/Berlin", "2026-06-14T09:00:00.000Z", storage.keys.id]]);
  // As `file(1)` reads it, at byte 68.
  expect((await readFile(path)).toString("latin1", 68, 72)).toBe("WndT");
});

test("new tenants are copies of one template, whose file is removed", async () => {
  const storage = await newStorage();
  const ids = [await newTenant(storage), await newTenant(storage), await newTenant(storage)];
  await storage.close();

  const schemas = await Promise.all(
    ids.map((id) => onFile(join(storage.directory, `${id}.db`), "select name, sql from sqlite_master order by name")),
  );
  expect(schemas[1]).toEqual(schemas[0] ?? []);
  expect(schemas[2]).toEqual(schemas[0] ?? []);
  const names = (await readdir(storage.directory)).filter((name) => !/-(wal|shm|journal)$/.test(name));
  expect(names.toSorted()).toEqual(["control.db", "lock.db", "secret.key", ...ids.map((id) => `${id}.db`)].toSorted());
});

test("the installation's keys unseal a tenant's data key, but only for the same tenant", async () => {
  const storage = await newStorage();
  const [one, two] = [await newTenant(storage), await newTenant(storage)];
  const [first, second] = [await metaOf(storage.tenants.tenant(one)), await metaOf(storage.tenants.tenant(two))];

  const key = openDataKey(storage.keys, one, first);
  expect(key).toHaveLength(32);
  expect(await storage.tenants.tenant(one).dataKey()).toEqual(key ?? Buffer.alloc(0));
  expect(() => openDataKey(storage.keys, two, first)).toThrow();
  expect(openDataKey(storage.keys, two, second)).not.toEqual(key);
});

test("each tenant has its own data key", async () => {
  const storage = await newStorage();
  const ids: OrgId[] = [];
  for (let count = 0; count < 12; count += 1) ids.push(await newTenant(storage));
  const keys = await Promise.all(ids.map((id) => storage.tenants.tenant(id).dataKey()));
  expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(ids.length);
});

test("a data key that another installation sealed can't be unsealed, but the rest of the file can be read", async () => {
  const [here, there] = [await newStorage(), await newStorage()];
  const id = await newTenant(here, "From Elsewhere");
  const row = await metaOf(here.tenants.tenant(id));
  expect(openDataKey(there.keys, id, row)).toBeUndefined();

  await here.tenants.tenant(id).write((tx) => tx.update(meta).set({ sealed_by: there.keys.id }));
  await settle(here);
  expect(here.tenants.tenant(id).dataKey()).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await metaOf(here.tenants.tenant(id))).name).toBe("From Elsewhere");
});

test("if the template can't be created, the next sign-up tries again", async () => {
  // Of these, this process has no template yet.
  migrationsOf.tenant = [...tenantMigrations];
  afterThisTest(async () => {
    migrationsOf.tenant = tenantMigrations;
  });
  const directory = await newDirectory();
  const storage = await newStorage({ directory });
  // A directory has the name of the template's file.
  const obstacle = join(directory, `template-${process.pid}.tmp`);
  await mkdir(obstacle);
  const tooEarly = { name: "Too early", time_zone: "UTC" };
  await expect(storage.tenants.create(newId(storage.clock), tooEarly)).rejects.toThrow();
  await rmdir(obstacle);

  const id = await newTenant(storage, "In time");
  expect((await metaOf(storage.tenants.tenant(id))).name).toBe("In time");
});

test("discard removes all files of a tenant", async () => {
  const storage = await newStorage();
  const id = await newTenant(storage);
  await storage.tenants.discard(id);
  expect((await readdir(storage.directory)).filter((name) => name.includes(id))).toEqual([]);
  expect(storage.tenants.tenant(id).read(async () => 1)).rejects.toMatchObject({ code: "TENANT_UNAVAILABLE" });
  // A lookup must not create the file.
  expect((await readdir(storage.directory)).filter((name) => name.includes(id))).toEqual([]);
});
