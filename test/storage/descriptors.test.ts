import { afterEach, expect, test } from "bun:test";
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { collectGarbage } from "../../src/runtime/collect-garbage.ts";
import { comfortableLimit, tenantLimits } from "../../src/storage/descriptors.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { newStorage, newTenant } from "./storages.ts";
import { cleanUp } from "./temporary.ts";

afterEach(cleanUp);

const openDescriptors = async () => (await readdir("/proc/self/fd")).length;

test("garbage is collected a few times a second at most, however many schools are closed", async () => {
  let collected = 0;
  const storage = await newStorage({ maxOpen: 1, collectGarbage: () => void collected++ });
  const ids = [await newTenant(storage), await newTenant(storage)];
  const began = performance.now();
  for (let round = 0; round < 100; round += 1)
    for (const id of ids) await storage.tenants.tenant(id).read((reader) => reader.select().from(meta));
  expect(collected).toBeGreaterThan(0);
  const elapsed = performance.now() - began;
  // And once for every 51 files: a quarter of the usual limit of 1024 descriptors.
  expect(collected).toBeLessThanOrEqual(1 + Math.floor(elapsed / 250) + Math.floor(200 / 51));
});

test.skipIf(process.platform !== "linux")(
  "schools that were closed hold no files open for long",
  async () => {
    const storage = await newStorage({ maxOpen: 4, collectGarbage });
    const before = await openDescriptors();
    const ids = [];
    for (let count = 0; count < 100; count += 1) ids.push(await newTenant(storage));
    let most = 0;
    for (const id of ids) {
      await storage.tenants.tenant(id).read((reader) => reader.select().from(meta));
      most = Math.max(most, await openDescriptors());
    }
    // 4 open files, up to 32 that wait for garbage collection, and one being opened, each with several descriptors.
    expect(most - before).toBeLessThan(40 * 10);
  },
  120_000,
);

test("a school that can't be opened for lack of descriptors is unavailable until there are some, and the log says why", async () => {
  const script = join(import.meta.dir, "few-descriptors.ts");
  const { stdout } = await promisify(execFile)("/bin/sh", [
    "-c",
    'ulimit -n 96 && exec "$@"',
    "sh",
    process.execPath,
    script,
  ]);
  const { without, after, amid, later, messages } = JSON.parse(stdout);
  expect(without).toEqual({ read: "TENANT_UNAVAILABLE", canOpen: false, unavailable: 1 });
  expect(after).toEqual({ read: "read", canOpen: true, unavailable: 0 });
  expect(amid).toEqual({ read: "TENANT_UNAVAILABLE", canOpen: false, unavailable: 1 });
  expect(later).toEqual({ read: "read", canOpen: true, unavailable: 0 });
  expect(messages).toEqual([
    expect.stringContaining("Too many open files: schools are closed to make room."),
    expect.stringMatching(/A tenant can't be opened.*Too many open files/),
  ]);
}, 120_000);

test.each([
  [64, { maxOpen: 4, maxClosed: 3 }],
  [256, { maxOpen: 19, maxClosed: 12 }],
  [1024, { maxOpen: 76, maxClosed: 51 }],
  [undefined, { maxOpen: 76, maxClosed: 51 }],
  [comfortableLimit, { maxOpen: 200, maxClosed: 133 }],
  [Number.POSITIVE_INFINITY, { maxOpen: 200, maxClosed: Number.POSITIVE_INFINITY }],
])("with a limit of %p descriptors, %p schools are kept open and closed", (limit, limits) => {
  expect(tenantLimits(limit)).toEqual(limits);
});
