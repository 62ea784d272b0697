import { join } from "node:path";
import { atMost, countdown } from "../core/async.ts";
import type { Clock, Instant } from "../core/clock.ts";
import { type KeyRing, keyRing } from "../core/crypto.ts";
import { diskFull, Problem } from "../core/errors.ts";
import type { EndpointId, OrgId } from "../core/ids.ts";
import type { RateBuckets } from "../core/rate-buckets.ts";
import { messageOf } from "../core/system-error.ts";
import { type Backups, createBackups } from "./backup/backups.ts";
import { placeRestored } from "./backup/restore-note.ts";
import { type Checker, checkerInThisProcess } from "./check/checker.ts";
import { fileNote } from "./check/file-note.ts";
import { InUseFile } from "./check/in-use.ts";
import { createInspection, type Inspection } from "./check/inspection.ts";
import { requireSoundControl } from "./check/sound-control.ts";
import { TenantChecks } from "./check/tenant-checks.ts";
import { Commits } from "./commits.ts";
import { DataDirectoryLocked, hasStandby, lockDataDirectory } from "./data-lock.ts";
import { tenantLimits } from "./descriptors.ts";
import { createDirectoryGuard } from "./directory-guard.ts";
import { DiskMonitor, isFull } from "./disk-space.ts";
import { type FileSizes, fileSizes } from "./file-sizes.ts";
import { FileTenantStore } from "./file-tenant-store.ts";
import { checkInstallation, storeControlHead } from "./installation.ts";
import { type Leases, onlyProcess } from "./leases.ts";
import { requireControl } from "./lost-control.ts";
import { migrationsOf } from "./migrations-of.ts";
import { createMoves, type Moves } from "./move/moves.ts";
import { databasesInFiles } from "./move/school-databases.ts";
import { privateDirectory, privateFile } from "./private-files.ts";
import { loadSecret } from "./secret-key.ts";
import { isDiskFull, isLoggedByDisk } from "./sqlite-error.ts";
import { SqliteFile } from "./sqlite-file.ts";
import type { StorageLog } from "./storage-log.ts";
import type { Control, Followers, Reader } from "./store.ts";
import type { TenantStore } from "./tenant-store.ts";
import type { Trace } from "./writing.ts";

export interface StorageOptions {
  directory: string;
  /** The installation's secret; by default the content of `secret.key`. */
  secret?: Buffer | undefined;
  clock: Clock;
  log: StorageLog;
  /** The number of descriptors that the process may have, if it is known. It decides how many tenants may be open. */
  descriptorLimit?: number | undefined;
  /** The number of tenant files that may be open at once, instead. */
  maxOpen?: number;
  /** Collects garbage, see `FileTenantStoreOptions`. */
  collectGarbage?: () => void;
  /** Returns when a tenant next has due work. Called at each checkpoint. */
  nextWake?: (reader: Reader<"tenant">) => Promise<Instant | null>;
  /** Called after a commit that made work in a tenant due at once. */
  onDue?: (orgId: OrgId, changed?: EndpointId) => void;
  /** Checks files that may be damaged. Without it, all files are opened unchecked. Closed with the storage. */
  checker?: Checker | undefined;
  /** Returns whether another process uses the directory although it holds no lock: `lock.db` may have been removed. */
  isInUse?: () => Promise<boolean>;
  /** Whether the installation sends mail: see `Tx`. By default not. */
  sendsMail?: boolean;
  /** See `Tx`. By default none: then no verb can be used that announces something. */
  followers?: Followers;
  /** The space of the disk in bytes below which the log warns. By default only when it is full. */
  warnBelow?: number;
  /** Begins a control database beside the files of schools, which the caller then adopts. */
  rebuildsControl?: boolean;
  /** Of the passphrase of an export, see `encryptedWith`. */
  passphraseCost?: number;
  trace?: Trace;
}

/** The share of the time of a close that tenants may take. The rest is for the control database. */
const shareOfTenants = 0.9;

/** A data directory that this process has opened and locked. */
export interface Storage {
  control: Control;
  tenants: TenantStore;
  keys: KeyRing;
  commits: Commits;
  leases: Leases;
  /** Where attempts are counted that other processes count as well; undefined: this process is the only one. */
  buckets: RateBuckets | undefined;
  /** Whether other processes may use the databases at the same time. */
  isShared: boolean;
  inspection: Inspection;
  backups: Backups;
  moves: Moves;
  /** Returns why requests fail in general; undefined if they do not. */
  fault(): Problem | undefined;
  disk: Pick<DiskMonitor, "space" | "state">;
  fileSizes(): Promise<FileSizes>;
  /** Whether another process waits for the data directory. */
  hasStandby(): Promise<boolean>;
  checkpointIdle(): Promise<void>;
  /**
   * Closes the databases within a time, by default without a limit.
   *
   * @returns how many databases were not completed, see `TenantStore`
   */
  close(deadlineMs?: number): Promise<number>;
}

/** @throws DataDirectoryLocked, WrongFile, or another error with a message for the operator */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { directory, clock, log, checker, trace } = options;
  await privateDirectory(directory).catch((cause: unknown) => {
    const reason = messageOf(cause);
    throw new Error(`The data directory (WINDSOCK_DATA_DIR) can't be used: ${reason}`, { cause });
  });
  const lock = await lockDataDirectory(directory).catch((error: unknown) => {
    throw isDiskFull(error) || isFull(directory) ? fullAtStart(directory, error) : error;
  });
  let opened: SqliteFile<"control"> | undefined;
  try {
    if (await options.isInUse?.()) throw new DataDirectoryLocked(directory);
    const keys = keyRing(await loadSecret(directory, options.secret));
    const onEffectError = (err: unknown) => log.error({ err }, "An effect of a committed write failed.");
    const commits = new Commits();
    const controlPath = join(directory, "control.db");
    const inUse = new InUseFile(directory, (err) =>
      log.error({ err }, "in-use.json can't be written. After a crash, damaged files would not be found."),
    );
    await placeRestored(directory);
    if (!options.rebuildsControl) await requireControl(directory);
    const before = inUse.read();
    if (checker) await requireSoundControl(controlPath, checker, before?.control);
    await privateFile(controlPath);
    const control = await openControl(controlPath, {
      clock,
      onEffectError,
      onAudited: (orgId) => commits.tell({ orgId: orgId ?? undefined }),
      fresh: true,
      followers: options.followers,
      ...(trace && { trace }),
    });
    opened = control;
    await checkInstallation(control, keys);
    const disk = new DiskMonitor({ directory, clock, log, warnBelow: options.warnBelow ?? 0 });
    const newestVersion = migrationsOf.tenant.length;
    const checks =
      checker &&
      new TenantChecks({ directory, control, clock, checker, newestVersion, inUse, log }, before?.tenants ?? []);
    const tenants = new FileTenantStore({
      directory,
      control,
      keys,
      clock,
      migrations: migrationsOf.tenant,
      limits: { ...tenantLimits(options.descriptorLimit), ...(options.maxOpen && { maxOpen: options.maxOpen }) },
      collectGarbage: options.collectGarbage,
      nextWake: options.nextWake ?? (async () => null),
      onDue: options.onDue ?? (() => undefined),
      commits,
      sendsMail: options.sendsMail,
      followers: options.followers,
      log,
      onEffectError,
      checks,
      ...(trace && { trace }),
    });
    disk.check();
    await tenants.recover();
    const checkpointControl = async () => {
      await storeControlHead(control, keys);
      await control.checkpoint();
    };
    const closeControl = async () => {
      if (control.isInPlace) await checkpointControl();
      await control.close();
    };
    const guard = createDirectoryGuard({ lock, control, path: join(directory, "control.db"), log });
    return {
      control,
      tenants,
      keys,
      commits,
      leases: onlyProcess,
      buckets: undefined,
      isShared: false,
      inspection: createInspection({ directory, control, tenants, checker: checker ?? checkerInThisProcess }),
      backups: createBackups({
        ...{ directory, control, tenants, clock, keys },
        checker: checker ?? checkerInThisProcess,
      }),
      moves: createMoves({
        ...{ directory, control, tenants, clock, keys, trace },
        databases: databasesInFiles(directory, checker ?? checkerInThisProcess),
        checker: checker ?? checkerInThisProcess,
        passphraseCost: options.passphraseCost,
      }),
      fault() {
        if (control.isDamaged)
          return new Problem("UNAVAILABLE", "The control database is damaged. Restore it from a backup.");
        if (!control.isInPlace) return new Problem("UNAVAILABLE", "The data directory can't be read.");
        return disk.state() === "full" ? diskFull() : undefined;
      },
      disk,
      fileSizes: () => fileSizes(directory),
      hasStandby: () => hasStandby(directory),
      async checkpointIdle() {
        disk.check();
        await guard.check();
        await tenants.checkpointIdle();
        if (!control.isInPlace) return;
        if (!control.isIdle(clock.now())) return;
        await checkpointControl().catch((error: unknown) => {
          if (!isLoggedByDisk(error)) throw error;
        });
      },
      async close(deadlineMs = Number.POSITIVE_INFINITY) {
        const remaining = countdown(deadlineMs);
        checker?.close();
        const left = await tenants.close(countdown(deadlineMs * shareOfTenants));
        const closing = closeControl().then(
          () => true,
          (err: unknown) => {
            log.error({ err }, "control.db could not be completed. The next start does that.");
            return false;
          },
        );
        const isControlClosed = (await atMost(remaining(), closing)) && (await closing);
        checks?.end(isControlClosed ? fileNote(controlPath) : undefined);
        // Otherwise the lock ends with the process, which may still be writing to the files that are open.
        if (left === 0 && isControlClosed) lock.release();
        return isControlClosed ? left : left + 1;
      },
    };
  } catch (error) {
    checker?.close();
    await opened?.close();
    lock.release();
    throw isDiskFull(error) || isFull(directory) ? fullAtStart(directory, error) : error;
  }
}

const fullAtStart = (directory: string, cause: unknown) =>
  new Error(`The disk of the data directory ${directory} is full. Free some space, then start again.`, { cause });

/** Opens the control database. @throws an error that names the file and the fault, for the operator */
async function openControl(
  path: string,
  options: Parameters<typeof SqliteFile.open>[3],
): Promise<SqliteFile<"control">> {
  try {
    return await SqliteFile.open("control", path, migrationsOf.control, options);
  } catch (error) {
    const reason = error instanceof Problem ? error.cause : error;
    const message = reason instanceof Error ? reason.message : String(reason);
    throw new Error(`${path} can't be opened: ${message.replace(`${path}: `, "")}`, { cause: reason });
  }
}
