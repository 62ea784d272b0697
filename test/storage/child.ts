/**
 * Another process that uses a data directory:
 *
 *   bun child.ts DIRECTORY hold            opens it, prints `open`, and keeps it open
 *   bun child.ts DIRECTORY write ORG NAME  also writes NAME into the tenant, without a checkpoint, and prints `written`
 *   bun child.ts DIRECTORY lock ORG        only locks the tenant's file, against reads too, and prints `locked`
 *   bun child.ts DIRECTORY rename ORG NAME STEP
 *                                          renames the organization, and is killed at the STEPth step of it
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { isId } from "../../src/core/ids.ts";
import { organizations } from "../../src/identity/identity.tables.ts";
import { organizationUpdated } from "../../src/modules/organizations/organization-updated.ts";
import { followers, intentsOf } from "../../src/modules.ts";
import { Connection } from "../../src/storage/connection.ts";
import { writeIntent } from "../../src/storage/intents.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { meta } from "../../src/storage/tenant.tables.ts";

const [directory = "", task = "", orgId = "", name = "", step = ""] = process.argv.slice(2);

let steps = Number.POSITIVE_INFINITY;
const trace = () => {
  steps -= 1;
  if (steps === 0) process.kill(process.pid, "SIGKILL");
};

const say = (text: string) => writeSync(1, `${text}\n`);
const log = { warn: () => undefined, error: (_: object, message: string) => say(message) };

if (task === "lock") {
  const connection = new Connection(join(directory, `${orgId}.db`), "write");
  await connection.execute("PRAGMA locking_mode = exclusive");
  await connection.execute("BEGIN EXCLUSIVE");
  say("locked");
  await new Promise(() => setInterval(() => undefined, 60_000)); // until it is killed
}

const storage = await openStorage({ directory, clock: systemClock, log, trace, followers }).catch((error: Error) => {
  say(error.message);
  process.exit(1);
});

if (task !== "hold" && isId<"organization">(orgId)) {
  if (task === "write") {
    await storage.tenants.tenant(orgId).write((tx) => tx.update(meta).set({ name }));
    say("written");
  } else {
    steps = Number(step);
    await storage.control.write(async (tx) => {
      await tx.update(organizations).set({ name });
      await writeIntent(tx, systemClock, organizationUpdated, orgId, { name, time_zone: "UTC", requestId: "" });
    });
    await intentsOf(storage, log).apply(orgId);
    say("settled");
    process.exit(0);
  }
}
say("open");
// Runs until it is killed.
setInterval(() => undefined, 60_000);
