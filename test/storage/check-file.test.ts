/** What a check finds besides damage: everything for which the program refuses a file. */
import { afterEach, expect, test } from "bun:test";
import { copyFile, rename, truncate } from "node:fs/promises";
import { join } from "node:path";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import type { OrgId } from "../../src/core/ids.ts";
import { checkFile } from "../../src/storage/check/check-file.ts";
import { becomeNewer, newStorage, newTenant, onFile } from "./storages.ts";
import { cleanUp } from "./temporary.ts";

afterEach(cleanUp);

/** The files of a closed storage with two tenants. */
async function closedFiles() {
  const storage = await newStorage();
  const [first, second] = [await newTenant(storage), await newTenant(storage)];
  await storage.close();
  const pathOf = (name: string) => join(storage.directory, `${name}.db`);
  const faultsOf = async (isNew = false) =>
    (await checkFile(pathOf(first), { kind: "tenant", orgId: first, isNew }, () => undefined)).faults;
  return { storage, first, second, pathOf, path: pathOf(first), faultsOf };
}

const newer = tenantMigrations.length + 1;
type Files = Awaited<ReturnType<typeof closedFiles>>;

const changes: [name: string, change: (files: Files) => Promise<unknown>, fault: RegExp][] = [
  ["empty", ({ path }) => truncate(path, 0), /^application_id is 0, .*not a tenant database/],
  [
    "another school's",
    ({ path, pathOf, second }) => copyFile(pathOf(second), path),
    /^it belongs to the organization 0/,
  ],
  ["control.db", ({ path, pathOf }) => copyFile(pathOf("control"), path), /not a tenant database/],
  ["without a table", ({ path }) => onFile(path, "drop table used_keys"), /^the table used_keys is missing$/],
  [
    "without a column",
    ({ path }) => onFile(path, "alter table meta drop column time_zone"),
    /^the column meta\.time_zone /,
  ],
  ["without its row in meta", ({ path }) => onFile(path, "delete from meta"), /^the table meta has no row$/],
  ["newer", ({ path }) => onFile(path, `PRAGMA user_version = ${newer}`), /newer than .*: upgrade Windsock$/],
  [
    "with JSON that is none",
    ({ path }) =>
      onFile(
        path,
        "insert into audit_log (seq, at, actor_kind, action, subject_kind, subject_id, request_id, payload, salt, digest, hash) values (9, '', '', '', '', '', '', '{', '', '', '')",
      ),
    /^audit_log\.payload of row 9 is not JSON$/,
  ],
];

test.each(changes)("a file that is %s has a fault", async (_, change, fault) => {
  const files = await closedFiles();
  expect(await files.faultsOf()).toEqual([]);
  await change(files);
  expect(await files.faultsOf()).toEqual([expect.stringMatching(fault)]);
});

test("a file of an older version and the file of an interrupted sign-up have none", async () => {
  const { path, faultsOf } = await closedFiles();
  becomeNewer();
  expect(await faultsOf()).toEqual([]);
  await onFile(path, "delete from meta");
  expect(await faultsOf(true)).toEqual([]);
});

test("a file that can't be opened or migrated is listed with its path and the reason until it is replaced", async () => {
  const { storage, first, second, path, pathOf } = await closedFiles();
  await copyFile(path, `${path}.good`);
  await onFile(path, `PRAGMA user_version = ${newer}`);
  // A table that the last migration makes is there already.
  await onFile(pathOf(second), "PRAGMA user_version = 0");
  const { directory, clock } = storage;
  const { tenants } = await newStorage({ directory, clock });
  const use = (id: OrgId) => tenants.migrate(id).catch(({ code }) => code);
  expect([await use(first), await use(second)]).toEqual(["TENANT_UNAVAILABLE", "TENANT_UNAVAILABLE"]);
  const listed = () => tenants.unusable().map(({ orgId, faults }) => [orgId, ...faults]);
  expect(listed()).toEqual([
    [first, expect.stringContaining(`${path}: schema version ${newer} is newer`)],
    [second, expect.stringContaining("already exists")],
  ]);

  await rename(`${path}.good`, path);
  expect(listed()).toEqual([[second, expect.any(String)]]);
});
