import { afterEach, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { collectGarbage } from "../../src/runtime/collect-garbage.ts";
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
  expect(collected).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 250));
});

test.skipIf(process.platform !== "linux")("schools that were closed hold no files open for long", async () => {
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
});
