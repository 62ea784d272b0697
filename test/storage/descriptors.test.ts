import { afterEach, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { collectGarbage } from "../../src/runtime/collect-garbage.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { newStorage, newTenant } from "./storages.ts";
import { cleanUp } from "./temporary.ts";

afterEach(cleanUp);

const openDescriptors = async () => (await readdir("/proc/self/fd")).length;

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
  // 4 that are open, up to 32 that wait to be collected, and one on its way: each with a handful of descriptors.
  expect(most - before).toBeLessThan(40 * 10);
});
