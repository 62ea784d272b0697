/**
 * Another process that uses a data directory:
 *
 *   bun child.ts DIRECTORY hold            opens it, prints `open`, and keeps it open
 *   bun child.ts DIRECTORY write ORG NAME  also writes NAME into the tenant, without a checkpoint, and prints `written`
 *   bun child.ts DIRECTORY lock ORG        only locks the tenant's file, against reads too, and prints `locked`
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { isId } from "../../src/core/ids.ts";
import { Connection } from "../../src/storage/connection.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { meta } from "../../src/storage/tenant.tables.ts";

const [directory = "", task = "", orgId = "", name = ""] = process.argv.slice(2);

const say = (text: string) => writeSync(1, `${text}\n`);
const log = { warn: () => undefined, error: (_: object, message: string) => say(message) };

if (task === "lock") {
  const connection = new Connection(join(directory, `${orgId}.db`), "write");
  await connection.execute("PRAGMA locking_mode = exclusive");
  await connection.execute("BEGIN EXCLUSIVE");
  say("locked");
  await new Promise(() => setInterval(() => undefined, 60_000)); // until it is killed
}

const storage = await openStorage({ directory, clock: systemClock, log }).catch((error: Error) => {
  say(error.message);
  process.exit(1);
});

if (task === "write" && isId<"organization">(orgId)) {
  await storage.tenants.tenant(orgId).write((tx) => tx.update(meta).set({ name }));
  say("written");
}
say("open");
// Runs until it is killed.
setInterval(() => undefined, 60_000);
