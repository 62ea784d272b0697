/** A backup is restored into an empty server: its files are staged in the data directory, and then fill the namespaces. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isId, type OrgId } from "../../core/ids.ts";
import type { Checker } from "../check/checker.ts";
import { Connection } from "../connection.ts";
import { lockDataDirectory } from "../data-lock.ts";
import { migrate } from "../migrations.ts";
import { migrationsOf } from "../migrations-of.ts";
import { removeDatabase, tenantPath } from "../tenant-file.ts";
import { loadNamespace, loadRows } from "./copy-namespace.ts";
import { Engine } from "./engine.ts";
import { isMigrated, migrateNamespace, plain, resultIn } from "./migrate-namespace.ts";
import type { Session } from "./session.ts";
import type { StoreSettings } from "./store-settings.ts";

const controlName = "control";

/** @throws Error the server has an installation at these addresses */
export async function requireEmptyServer(settings: StoreSettings): Promise<void> {
  const engine = new Engine(settings);
  if (!(await engine.has(controlName))) return;
  await inNamespace(engine, controlName, async (session) => {
    if (!(await isMigrated(session))) return;
    const [count] = await session.read([plain("select count(*) from installation")]);
    if (resultIn(count).rows[0]?.[0] === 0) return;
    throw new Error(
      `The server has an installation (${settings.url}). Nothing is replaced there: choose another word before or after {namespace} in WINDSOCK_STORE_URL.`,
    );
  });
}

interface Filling {
  /** Has the files of a backup that was restored. They are removed. */
  directory: string;
  settings: StoreSettings;
  checker: Pick<Checker, "migrate">;
  /** Called before each step; tests stop there. */
  step?: (name: string) => void;
}

/**
 * Fills an empty server. Until the last statement no Windsock starts on it: the control database has no version. After a crash, restore
 * again.
 */
export async function fillServer({ directory, settings, checker, step }: Filling): Promise<void> {
  const lock = await lockDataDirectory(directory);
  try {
    const engine = new Engine(settings);
    const ids = (await readdir(directory))
      .filter((name) => name.endsWith(".db"))
      .map((name) => name.slice(0, -3))
      .filter((id) => isId<"organization">(id));
    for (const id of ids) {
      step?.("fill: school");
      const path = tenantPath(directory, id);
      await checker.migrate(path);
      await createAnew(engine, id);
      await inNamespace(engine, id, (session) => loadNamespace(session, path));
    }
    step?.("fill: control");
    const path = join(directory, "control.db");
    await migrateControl(path);
    await createAnew(engine, controlName);
    await inNamespace(engine, controlName, (session) => fillControl(session, { path, ids, step }));
    for (const id of ids) await removeDatabase(tenantPath(directory, id));
    await removeDatabase(path);
  } finally {
    lock.release();
  }
}

/** What an interrupted restore has left is of no use. */
async function createAnew(engine: Engine, name: string): Promise<void> {
  await engine.remove(name);
  await engine.create(name);
}

async function fillControl(
  session: Session,
  { path, ids, step }: { path: string; ids: readonly OrgId[]; step: Filling["step"] },
): Promise<void> {
  await migrateNamespace(session, migrationsOf.control);
  resultIn((await session.read([plain("PRAGMA user_version = 0")]))[0]);
  await loadRows(session, path);
  const noted = ids.map((id) => `('${id}', '1970-01-01T00:00:00.000Z')`).join(", ");
  // Of the server that was backed up. Its schools were copied before it, and know of fewer writes.
  const ofOther = ["nodes", "namespaces", "leases", "tenant_activity", "rate_buckets"];
  const own = [...ofOther.map((table) => `delete from ${table}`), "update tenant_marks set writes = 0"];
  if (ids.length > 0) own.push(`insert into namespaces (org_id, created_at) values ${noted}`);
  for (const outcome of await session.read(own.map(plain))) resultIn(outcome);
  step?.("fill: end");
  resultIn((await session.read([plain(`PRAGMA user_version = ${migrationsOf.control.length}`)]))[0]);
}

async function migrateControl(path: string): Promise<void> {
  const file = new Connection(path, "write");
  try {
    await migrate(file, "control", migrationsOf.control);
  } finally {
    file.close();
  }
}

async function inNamespace<T>(engine: Engine, name: string, work: (session: Session) => Promise<T>): Promise<T> {
  const session = engine.session(name);
  try {
    return await work(session);
  } finally {
    session.close();
  }
}
