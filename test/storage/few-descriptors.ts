/** Run with a low `ulimit -n`: takes all descriptors, and prints how storage behaves then and afterwards. */
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import type { OrgId } from "../../src/core/ids.ts";
import { collectGarbage } from "../../src/runtime/collect-garbage.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { newStorage, newTenant } from "./storages.ts";
import { cleanUp } from "./temporary.ts";

const taken: number[] = [];
let isTaking = false;

function takeAll(): void {
  try {
    while (isTaking) taken.push(openSync(devNull, "r"));
  } catch {
    // No descriptor is left.
  }
}

function freeAll(): void {
  isTaking = false;
  for (const descriptor of taken.splice(0)) closeSync(descriptor);
}

const { tenants, logged, ...storage } = await newStorage({
  maxOpen: 2,
  collectGarbage() {
    collectGarbage();
    setImmediate(takeAll); // the runtime closes the files first
  },
});

const stateOf = async (id: OrgId) => ({
  read: await tenants
    .tenant(id)
    .read((reader) => reader.select().from(meta))
    .then(
      () => "read",
      (error) => error.code,
    ),
  canOpen: tenants.canOpen(),
  unavailable: tenants.stats().unavailable,
});

const id = await newTenant({ tenants, logged, ...storage });
for (let others = 0; others < 2; others += 1) await newTenant({ tenants, logged, ...storage });
isTaking = true;
takeAll();
const without = await stateOf(id);
freeAll();
const after = await stateOf(id);

/** A read amid a write needs a second connection: without a descriptor for it, it fails, and a later one succeeds. */
const amidWrite = async () => {
  let state: Awaited<ReturnType<typeof stateOf>> | undefined;
  await tenants.tenant(id).write(async () => {
    state = await stateOf(id);
  });
  return state;
};
isTaking = true;
takeAll();
const amid = await amidWrite();
freeAll();
const later = await amidWrite();
const messages = logged.map(({ details, message }) => `${message} ${details.err ?? ""}`);
console.log(JSON.stringify({ without, after, amid, later, messages }));
await cleanUp();
