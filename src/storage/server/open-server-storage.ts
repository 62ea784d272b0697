/** Storage whose databases are namespaces of a libSQL server. The data directory has what is this node's: the operator's socket. */
import { sql } from "drizzle-orm";
import { atMost, countdown, repeat } from "../../core/async.ts";
import { seconds } from "../../core/clock.ts";
import { keyRing } from "../../core/crypto.ts";
import { Problem } from "../../core/errors.ts";
import { messageOf } from "../../core/system-error.ts";
import { checkerInThisProcess } from "../check/checker.ts";
import { Commits } from "../commits.ts";
import { DataDirectoryLocked, hasStandby, lockDataDirectory } from "../data-lock.ts";
import { DiskMonitor } from "../disk-space.ts";
import { checkInstallation, storeControlHead } from "../installation.ts";
import { migrationsOf } from "../migrations-of.ts";
import { createMoves } from "../move/moves.ts";
import { privateDirectory } from "../private-files.ts";
import { removeTemporary } from "../recovery.ts";
import type { Storage, StorageOptions } from "../storage.ts";
import type { Control } from "../store.ts";
import { CommitsElsewhere } from "./commits-elsewhere.ts";
import { databasesOnServer, dumperOf } from "./databases-on-server.ts";
import { Engine } from "./engine.ts";
import { engineError, fromEngine } from "./engine-error.ts";
import { inspectionOnServer } from "./inspection-on-server.ts";
import { isMigrated, migrateNamespace } from "./migrate-namespace.ts";
import { Node } from "./node.ts";
import { backupsOnServer } from "./not-on-server.ts";
import { ServerBuckets } from "./server-buckets.ts";
import { ServerDatabase } from "./server-database.ts";
import { ServerLeases } from "./server-leases.ts";
import { ServerTenantStore } from "./server-tenant-store.ts";
import type { StoreSettings } from "./store-settings.ts";

/** The namespace of the control database. */
const controlName = "control";

/** Namespaces that are open at once: each has up to four of the server's connections, of which it has 128 by default. */
const maxOpen = 30;

/** Milliseconds between two signs to the server that the control database is in use. */
const betweenSigns = seconds(5);

/** The share of the time of a close that tenants may take. The rest is for the control database. */
const shareOfTenants = 0.9;

/** @throws DataDirectoryLocked, or an error with a message for the operator */
export async function openServerStorage(options: StorageOptions, settings: StoreSettings): Promise<Storage> {
  const { directory, secret, clock, log, trace, followers, checker = checkerInThisProcess } = options;
  if (secret === undefined)
    throw new Error("WINDSOCK_STORE=server needs WINDSOCK_SECRET_KEY, the same on each node: the data is not here.");
  await privateDirectory(directory).catch((cause: unknown) => {
    const reason = messageOf(cause);
    throw new Error(`The data directory (WINDSOCK_DATA_DIR) can't be used: ${reason}`, { cause });
  });
  const lock = await lockDataDirectory(directory);
  let session: ReturnType<Engine["session"]> | undefined;
  let joined: Node | undefined;
  try {
    if (await options.isInUse?.()) throw new DataDirectoryLocked(directory);
    const keys = keyRing(secret);
    const engine = new Engine(settings);
    await prepare(engine);
    session = engine.session(controlName);
    const schemas = { control: migrationsOf.control.length, tenant: migrationsOf.tenant.length };
    const joining = { clock, log, schemas, pause: settings.pause, stopwatch: settings.stopwatch };
    // Before migrations: another node may be of an older version. A new namespace has no table for that yet.
    joined = (await isMigrated(session)) ? await Node.register(session, joining) : undefined;
    await migrateNamespace(session, migrationsOf.control);
    joined ??= await Node.register(session, joining);
    const node = joined;
    const leases = new ServerLeases({ session, node, clock, log });
    const commits = new Commits();
    const onEffectError = (err: unknown) => log.error({ err }, "An effect of a committed write failed.");
    const database = new ServerDatabase("control", session, {
      clock,
      onEffectError,
      onAudited: (orgId) => commits.tell({ orgId: orgId ?? undefined }),
      followers,
      trace,
      schemaVersion: schemas.control,
    });
    const control = ofNode(node, database);
    const buckets = new ServerBuckets(session, keys);
    await checkInstallation(control, keys);
    await removeTemporary(directory);
    const tenants = new ServerTenantStore({
      directory,
      engine,
      control,
      keys,
      clock,
      migrations: migrationsOf.tenant,
      maxOpen: options.maxOpen ?? maxOpen,
      nextWake: options.nextWake ?? (async () => null),
      onDue: options.onDue ?? (() => undefined),
      commits,
      sendsMail: options.sendsMail,
      followers,
      log,
      onEffectError,
      node,
      leases,
      ...(trace && { trace }),
    });
    node.onRejoined = () => tenants.markUnsettled();
    await tenants.recover();
    const elsewhere = new CommitsElsewhere({ control, tenants, commits, node: node.id });
    // Beside housekeeping, which may take longer than a node may be silent. What fails here fails there as well, and is told there.
    const beating = repeat(() => node.beat().catch(() => undefined), { log });
    const looking = repeat(() => elsewhere.look().catch(() => undefined), { log });
    const staying = repeat(() => engine.keepActive(controlName).catch(() => undefined), { every: betweenSigns, log });
    const dump = dumperOf({ engine, tenants });
    const disk = new DiskMonitor({ directory, clock, log, warnBelow: options.warnBelow ?? 0 });
    const settleControl = async () => {
      await storeControlHead(control, keys);
      await database.settle();
    };
    const closeControl = async () => {
      if (database.hasUnsettled) await settleControl();
      await node.leave();
      await database.close();
    };
    let fault: Problem | undefined;
    return {
      control,
      tenants,
      keys,
      commits,
      leases,
      buckets,
      isShared: true,
      inspection: inspectionOnServer({ directory, control, tenants, engine, dump, checker }),
      backups: backupsOnServer({ directory, control, tenants, clock, keys, checker, dump }),
      moves: createMoves({
        ...{ directory, control, tenants, clock, keys, checker, trace },
        databases: databasesOnServer({ directory, dump, checker }),
        passphraseCost: options.passphraseCost,
      }),
      fault: () => fault,
      hasStandby: () => hasStandby(directory),
      disk,
      fileSizes: async () => ({ schools: 0, sum: 0, largest: 0, bySchool: new Map() }),
      async checkpointIdle() {
        disk.check();
        fault = await faultOf(node, control, () => tenants.takeOver());
        if (fault !== undefined) return;
        await buckets.removeEmpty(clock.now());
        await tenants.checkpointIdle();
        if (database.isIdle(clock.now())) await settleControl();
      },
      async close(deadlineMs = Number.POSITIVE_INFINITY) {
        const remaining = countdown(deadlineMs);
        options.checker?.close();
        await atMost(remaining(), Promise.all([beating.stop(), looking.stop(), staying.stop()]));
        const left = await tenants.close(countdown(deadlineMs * shareOfTenants));
        const closing = closeControl().catch((err: unknown) =>
          log.error(
            { err },
            "The head of the control database's audit log could not be stored. A later stop does that.",
          ),
        );
        await atMost(remaining(), closing);
        lock.release();
        return left;
      },
    };
  } catch (error) {
    options.checker?.close();
    await joined?.leave().catch(() => undefined);
    session?.close();
    lock.release();
    throw engineError(error) ? cantStart(settings, error) : error;
  }
}

/** Makes sure that there is a control database, on a server that keeps what it acknowledges. */
async function prepare(engine: Engine): Promise<void> {
  if (!(await engine.has(controlName))) await engine.create(controlName);
  await engine.check(controlName);
}

const cantStart = ({ url, adminUrl }: StoreSettings, error: unknown) =>
  new Error(
    `The libSQL server can't be used (WINDSOCK_STORE_URL=${url}, WINDSOCK_STORE_ADMIN_URL=${adminUrl}): ${engineError(error)?.message}`,
    { cause: error },
  );

/**
 * The control database as this node may use it. Another one may write as well: so what depends on `changes` is read again after a
 * second at the latest.
 */
const ofNode = (node: Node, database: ServerDatabase<"control">): Control => ({
  async read(query) {
    node.requireCurrent();
    return database.read(query);
  },
  async write(body) {
    node.requireCurrent();
    return database.write(body);
  },
  get changes() {
    return database.changes + Math.floor(performance.now() / 1000);
  },
});

/** Returns why requests fail: the server does not answer, or a newer program has migrated the databases. */
async function faultOf(node: Node, control: Control, takeOver: () => Promise<void>): Promise<Problem | undefined> {
  try {
    await node.beat();
    if (node.hasSuccession) await takeOver();
    await control.read((reader) => reader.values(sql`select 1`));
    return undefined;
  } catch (error) {
    const fault = fromEngine(error, "control");
    return fault instanceof Problem ? fault : undefined;
  }
}
