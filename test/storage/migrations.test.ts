import { afterEach, expect, test } from "bun:test";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import { Commits } from "../../src/storage/commits.ts";
import { Connection } from "../../src/storage/connection.ts";
import { tenantLimits } from "../../src/storage/descriptors.ts";
import { FileTenantStore } from "../../src/storage/file-tenant-store.ts";
import { applicationId, type Migrations, migrate, WrongFile } from "../../src/storage/migrations.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";
import type { Reader } from "../../src/storage/store.ts";
import { TestClock } from "../support/clock.ts";
import { newStorage, newTenant, onFile, type TestStorage } from "./storages.ts";
import { cleanUp, closedLater, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const first = "create table planes (name text);\n--> statement-breakpoint\ninsert into planes values ('D-EABC');";
const second = "alter table planes add column seats integer;\n--> statement-breakpoint\nupdate planes set seats = 4;";
const failing = "insert into planes values ('D-EXYZ', 2);\n--> statement-breakpoint\ninsert into nowhere values (1);";

const open = async (path: string, migrations: Migrations) =>
  closedLater(
    await SqliteFile.open("tenant", path, migrations, {
      clock: new TestClock(),
      onEffectError: () => undefined,
      fresh: true,
    }),
  );

const planes = (reader: Reader) => reader.values(sql`select * from planes order by name`);
const versionOf = async (path: string) => {
  const [[version], [application]] = (await onFile(path, "PRAGMA user_version", "PRAGMA application_id")) as [
    unknown[][],
    unknown[][],
  ];
  return [version?.[0], application?.[0]];
};

test("migrate applies all migrations to a new file, and the missing ones to an older file, once", async () => {
  const path = join(await newDirectory(), "planes.db");
  await (await open(path, [first])).close();
  expect(await versionOf(path)).toEqual([1, applicationId.tenant]);

  const upgraded = await open(path, [first, second]);
  expect(await upgraded.read(planes)).toEqual([["D-EABC", 4]]);
  await upgraded.close();
  expect(await versionOf(path)).toEqual([2, applicationId.tenant]);

  const again = await open(path, [first, second]);
  expect(await again.read(planes)).toEqual([["D-EABC", 4]]);
  await again.write(async (tx) => void (await tx.run(sql`update planes set seats = 2`)));
  await again.close();
  const last = await open(path, [first, second]);
  expect(await last.read(planes)).toEqual([["D-EABC", 2]]);
});

test("a migrated file is complete without its -wal, also without a later write", async () => {
  const directory = await newDirectory();
  const path = join(directory, "planes.db");
  await (await open(path, [first])).close();
  await (await open(path, [first, second])).close();

  const copy = join(directory, "copy.db");
  await copyFile(path, copy);
  expect(await versionOf(copy)).toEqual([2, applicationId.tenant]);
});

test("a failed migration leaves the file as it was, also without those before it", async () => {
  const path = join(await newDirectory(), "planes.db");
  await (await open(path, [first])).close();
  await expect(open(path, [first, second, failing])).rejects.toMatchObject({
    cause: { message: expect.stringContaining("no such table: nowhere") },
  });
  expect(await versionOf(path)).toEqual([1, applicationId.tenant]);

  const file = await open(path, [first]);
  expect(await file.read(planes)).toEqual([["D-EABC"]]);
});

test("migrate leaves foreign keys enabled", async () => {
  const path = join(await newDirectory(), "keys.db");
  const file = await open(path, [
    "create table a (id integer primary key);\n--> statement-breakpoint\ncreate table b (a integer references a (id))",
  ]);
  await expect(file.write((tx) => tx.run(sql`insert into b values (1)`))).rejects.toThrow("FOREIGN KEY");
});

test.each([
  ["newer than the program", "PRAGMA user_version = 3", /version 3 is newer than this program's 2: upgrade Windsock/],
  [
    "another application's",
    "PRAGMA application_id = 7",
    /application_id is 7, not \d+: not a tenant database of Windsock/,
  ],
  ["of the other kind", `PRAGMA application_id = ${applicationId.control}`, /not a tenant database/],
])("a file that is %s is rejected and not changed", async (_, change, message) => {
  const path = join(await newDirectory(), "planes.db");
  await (await open(path, [first, second])).close();
  await onFile(path, change);
  const before = await readFile(path);
  const error: unknown = await open(path, [first, second]).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(WrongFile);
  expect(String(error)).toMatch(message);
  expect((await readFile(path)).equals(before)).toBeTrue();
});

test("a file with tables of another application is rejected, also without an application_id", async () => {
  const path = join(await newDirectory(), "bookmarks.db");
  await onFile(path, "create table bookmarks (url text)");
  const before = await readFile(path);
  await expect(open(path, [first])).rejects.toBeInstanceOf(WrongFile);
  expect((await readFile(path)).equals(before)).toBeTrue();
});

test("an empty file is accepted only if it may be new", async () => {
  const path = join(await newDirectory(), "empty.db");
  const connection = new Connection(path, "write");
  await expect(migrate(connection, "tenant", [first])).rejects.toBeInstanceOf(WrongFile);
  await migrate(connection, "tenant", [first], true);
  connection.close();
  expect(await versionOf(path)).toEqual([1, applicationId.tenant]);
});

/** Opens the same data with more migrations. */
async function upgradedStore(storage: TestStorage, more: Migrations) {
  const { directory, control, keys, clock } = storage;
  const errors: unknown[] = [];
  const tenants = new FileTenantStore({
    directory,
    control,
    keys,
    clock,
    migrations: [...tenantMigrations, ...more],
    limits: tenantLimits(),
    nextWake: async () => null,
    onDue: () => undefined,
    commits: new Commits(),
    onEffectError: () => undefined,
    log: { warn: () => undefined, error: (details) => void errors.push(details) },
  });
  return { tenants: closedLater(tenants), errors };
}

const addition = "create table additions (at text);\n--> statement-breakpoint\ninsert into additions values ('once');";

test("an older tenant is migrated when it is opened, once for all concurrent users", async () => {
  const storage = await newStorage();
  const [one, two] = [await newTenant(storage), await newTenant(storage)];
  await storage.tenants.close();
  const { tenants } = await upgradedStore(storage, [addition]);

  const tenant = tenants.tenant(one);
  const read = () => tenant.read((reader) => reader.values(sql`select at from additions`));
  const write = tenant.write((tx) => tx.run(sql`update additions set at = at || '!'`));
  expect(await Promise.all([read(), read(), write.then(read)])).toEqual([[["once"]], [["once"]], [["once!"]]]);
  await tenants.close();
  expect(await versionOf(join(storage.directory, `${one}.db`))).toEqual([
    tenantMigrations.length + 1,
    applicationId.tenant,
  ]);
  // The other file was not opened.
  expect(await versionOf(join(storage.directory, `${two}.db`))).toEqual([
    tenantMigrations.length,
    applicationId.tenant,
  ]);
});

test("a tenant whose migration fails is unavailable and keeps its version; the others are not affected", async () => {
  const storage = await newStorage();
  const [one, two] = [await newTenant(storage), await newTenant(storage)];
  await storage.tenants.tenant(two).write((tx) => tx.run(sql`create table additions (mine)`));
  await storage.tenants.close();
  const { tenants, errors } = await upgradedStore(storage, [addition]);

  const read = (id: typeof one) => tenants.tenant(id).read((reader) => reader.values(sql`select * from additions`));
  await expect(read(two)).rejects.toMatchObject({ code: "TENANT_UNAVAILABLE" });
  expect(errors).toMatchObject([{ organization_id: two }]);
  expect(await read(one)).toEqual([["once"]]);
  await tenants.close();
  expect(await versionOf(join(storage.directory, `${two}.db`))).toEqual([
    tenantMigrations.length,
    applicationId.tenant,
  ]);
});
