/** Storage without the application, and access to its files from outside. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@libsql/client";
import { eq } from "drizzle-orm";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import { newId, type OrgId } from "../../src/core/ids.ts";
import { followers } from "../../src/modules.ts";
import { tenantMarks } from "../../src/storage/control.tables.ts";
import { migrationsOf } from "../../src/storage/migrations-of.ts";
import { openStorageOn } from "../../src/storage/open-storage.ts";
import type { StoreSettings } from "../../src/storage/server/store-settings.ts";
import type { Storage, StorageOptions } from "../../src/storage/storage.ts";
import { TestClock } from "../support/clock.ts";
import { closedLater, newDirectory } from "./temporary.ts";

export interface Logged {
  level: "warn" | "error";
  details: Record<string, unknown>;
  message: string;
}

export type TestStorage = Storage & { directory: string; clock: TestClock; logged: Logged[] };

/** Opens a data directory, by default a new one. */
export async function newStorage({
  server,
  ...options
}: Partial<Omit<StorageOptions, "clock">> & { clock?: TestClock; server?: StoreSettings } = {}): Promise<TestStorage> {
  const directory = options.directory ?? (await newDirectory());
  const clock = options.clock ?? new TestClock();
  const logged: Logged[] = [];
  const log = {
    warn: (details: Record<string, unknown>, message: string) => void logged.push({ level: "warn", details, message }),
    error: (details: Record<string, unknown>, message: string) =>
      void logged.push({ level: "error", details, message }),
  };
  const storage = await openStorageOn(server, { log, followers, ...options, directory, clock });
  return closedLater({ ...storage, directory, clock, logged });
}

/** A tenant that an organization owns, as a sign-up creates it. */
export async function newTenant({ tenants, control, clock }: TestStorage, name = "A School"): Promise<OrgId> {
  const id = newId<"organization">(clock);
  await tenants.create(id, { name, time_zone: "Europe/Berlin" });
  await control.write((tx) => tenants.markOwned(tx, id));
  return id;
}

export async function marksOf({ control }: Pick<Storage, "control">, id: OrgId) {
  const [row] = await control.read((reader) => reader.select().from(tenantMarks).where(eq(tenantMarks.org_id, id)));
  return row;
}

/** Checkpoints everything, so that later writes are only the test's. */
export async function settle(storage: TestStorage): Promise<void> {
  storage.clock.advance(10_000);
  await storage.checkpointIdle();
}

const run = promisify(execFile);

/**
 * Copies the `.db` alone, without its `-wal`, into another directory, in another process: closing a descriptor here
 * would drop SQLite's locks on the file.
 */
export async function copyAlone(directory: string, name: string): Promise<string> {
  const copy = join(await newDirectory(), name);
  await run("cp", [join(directory, name), copy]);
  return copy;
}

/** What the newer program migrates. It fails on a file that has the table. */
export const addition = "create table additions (at text)";

/** Makes this process a newer program, with one more migration of schools, until the test ends. @returns its version */
export function becomeNewer(): number {
  migrationsOf.tenant = [...tenantMigrations, addition];
  closedLater({
    async close() {
      migrationsOf.tenant = tenantMigrations;
    },
  });
  return migrationsOf.tenant.length;
}

/** Runs statements on a file that no process has open, and checkpoints it. @returns the rows of each */
export async function onFile(path: string, ...statements: string[]): Promise<unknown[][][]> {
  const client = createClient({ url: `file:${path}` });
  try {
    const results: unknown[][][] = [];
    for (const statement of statements) {
      const { rows } = await client.execute(statement);
      results.push(rows.map((row) => Array.from(row)));
    }
    await client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    return results;
  } finally {
    client.close();
  }
}
