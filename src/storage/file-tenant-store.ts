import { setTimeout } from "node:timers/promises";
import { atMost, countdown, type Remaining, yieldToEventLoop } from "../core/async.ts";
import { toInstant } from "../core/clock.ts";
import { diskFull, Problem } from "../core/errors.ts";
import type { OrgId } from "../core/ids.ts";
import { type AuditHead, emptyHead } from "./audit.ts";
import { syncPath } from "./backup/places.ts";
import { BodyCache } from "./body-cache.ts";
import { checkerInThisProcess } from "./check/checker.ts";
import type { TenantChecks, UnusableTenant } from "./check/tenant-checks.ts";
import { newDataKey } from "./data-key.ts";
import { hasFreeDescriptors, type TenantLimits } from "./descriptors.ts";
import { isFull } from "./disk-space.ts";
import { FileReplaced, fileIdentity } from "./file-identity.ts";
import { tenantSeal } from "./installation.ts";
import { RoomMaker } from "./make-room.ts";
import { markSetBack } from "./mark-set-back.ts";
import { WrongFile } from "./migrations.ts";
import { placeAdopted } from "./move/place-adopted.ts";
import { OpenFiles } from "./open-files.ts";
import { OpenTenant, type OpenTenantOptions } from "./open-tenant.ts";
import { placeFile } from "./place-file.ts";
import { copyAside } from "./put-aside.ts";
import { recoverTenants } from "./recovery.ts";
import { removeUnusedWal } from "./remove-unused-wal.ts";
import { Replacements } from "./replacements.ts";
import { auditLog } from "./shared.tables.ts";
import { controlUnavailable, isDiskFull, isLoggedByDisk } from "./sqlite-error.ts";
import type { StorageLog } from "./storage-log.ts";
import type { Tenant, Tx } from "./store.ts";
import { meta } from "./tenant.tables.ts";
import { isTemporaryError, TenantFailures } from "./tenant-failures.ts";
import { removeDatabase, templateOf, tenantPath } from "./tenant-file.ts";
import { markedAsOlder, markedWakeUps, markNew } from "./tenant-marks.ts";
import type { TenantDescription, TenantStats, TenantStore, WakeUp } from "./tenant-store.ts";
import { UncollectedFiles } from "./uncollected-files.ts";
import { waitOutLocks } from "./wait-out-locks.ts";

export interface FileTenantStoreOptions
  extends Omit<OpenTenantOptions, "path" | "hasWalRows" | "noteAtCheckpoint" | "onClosed" | "isUnusable"> {
  directory: string;
  limits: TenantLimits;
  /** Collects garbage: a closed file's statements keep it open until they are collected. */
  collectGarbage?: (() => void) | undefined;
  /** Checks files that may be damaged before they are opened. */
  checks?: TenantChecks | undefined;
  log: StorageLog;
}

/** How often garbage is collected until a closed file is released. */
const mostTries = 50;

/** Milliseconds between two of them. */
const retryAfter = 100;

const bodyCacheSize = 32 * 1024 * 1024;

const cantBeUsed = "A tenant can't be used. The others are not affected.";

const isUnavailable = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === "TENANT_UNAVAILABLE";

/** One file per organization, `<id>.db`, in the data directory. */
export class FileTenantStore implements TenantStore {
  readonly #options: FileTenantStoreOptions;
  readonly #files: OpenFiles<OpenTenant>;
  readonly #bodies = new BodyCache(bodyCacheSize);
  readonly #uncollected: UncollectedFiles;
  readonly #failures: TenantFailures;
  readonly #room: RoomMaker;
  /** Tenants that may lack their `meta` row. */
  readonly #new = new Set<OrgId>();
  readonly #replacements = new Replacements();
  /** Tenants whose files are being replaced: until the promise resolves, requests wait, and files are not opened. */
  readonly #waiting = new Map<OrgId, Promise<void>>();
  /** Tenants that this process has opened. */
  readonly #opened = new Set<OrgId>();
  readonly #replacing = new Map<OrgId, Promise<void>>();
  /** Resolves when the tenants of the last run are recovered. */
  #recovered: () => Promise<void> = async () => undefined;
  #isClosing = false;

  constructor(options: FileTenantStoreOptions) {
    this.#options = options;
    this.#uncollected = new UncollectedFiles(options.limits.maxClosed, options.collectGarbage ?? (() => undefined));
    this.#files = new OpenFiles(
      options.limits.maxOpen,
      (id) => this.#open(id as OrgId),
      (id, err) => options.log.error({ organization_id: id, err }, "A tenant could not be closed."),
      (why) => this.#uncollected.add(why),
    );
    this.#failures = new TenantFailures(options);
    this.#room = new RoomMaker({
      clock: options.clock,
      log: options.log,
      openTenants: () => this.#files.size,
      closeSome: () => this.#files.evict(Math.ceil(options.limits.maxOpen / 4)),
      release: () => this.#uncollected.release(),
    });
  }

  tenant(id: OrgId): Tenant {
    return {
      id,
      read: (query) => this.#use(id, (tenant) => tenant.read(query)),
      write: (body) => this.#use(id, (tenant) => tenant.write(body)),
      dataKey: () => this.#use(id, (tenant) => tenant.dataKey()),
      readBody: (question, query) =>
        this.#use(id, (tenant) => this.#bodies.get(tenant.version, question, () => tenant.read(query))),
    };
  }

  /** Closes a damaged file, so that the next use opens the operator's replacement. */
  async #use<T>(id: OrgId, work: (tenant: OpenTenant) => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) await waiting;
    // Before `OpenFiles`, which waits for a file that is being opened when it lists the open files.
    if (this.#options.checks && !this.#files.has(id)) {
      await this.#files.closed(id);
      await this.#options.checks.ready(id, this.#new.has(id)).catch((error: unknown) => {
        // The check has logged the faults. Without a cause, it is still running.
        if (isUnavailable(error) && error.cause) this.#failures.record(id, error.cause, cantBeUsed, true);
        throw error;
      });
    }
    return this.#files.use(id, async (tenant) => {
      try {
        const result = await work(tenant);
        this.#failures.clear(id);
        return result;
      } catch (error) {
        if (isUnavailable(error)) {
          this.#failures.record(id, error.cause, cantBeUsed);
          this.#closeUnusable(id, tenant, error.cause);
        } else this.#failures.clear(id);
        throw error;
      }
    });
  }

  #closeUnusable(id: OrgId, { identity = "" }: OpenTenant, cause: unknown): void {
    if (isTemporaryError(cause)) return;
    if (cause instanceof FileReplaced) this.#replacements.onReplaced(id, identity, this.#path(id));
    else {
      this.#replacements.onDamage(id, identity);
      this.#options.checks?.suspect(id);
    }
    this.#files.retire(id);
  }

  #path(id: OrgId): string {
    return tenantPath(this.#options.directory, id);
  }

  async create(id: OrgId, { name, time_zone }: TenantDescription): Promise<void> {
    const { directory, keys, clock, migrations, trace } = this.#options;
    this.#new.add(id);
    // Not the client's fault, and no fault of the program: for example, the directory can't be written to.
    const cantCreate = (error: unknown): never => {
      throw isDiskFull(error) || isFull(directory) ? diskFull(error) : controlUnavailable(error);
    };
    const template = await templateOf(migrations, directory).catch(cantCreate);
    await placeFile(this.#path(id), template, (step) => trace?.(step)).catch(cantCreate);
    this.#options.checks?.trust(id);
    await this.tenant(id).write((tx) =>
      tx
        .insert(meta)
        .values({ org_id: id, name, time_zone, created_at: toInstant(clock.now()), ...newDataKey(keys, id) }),
    );
    this.#new.delete(id);
    trace?.("tenant file: described");
  }

  async markOwned(tx: Tx<"control">, id: OrgId, head?: AuditHead): Promise<void> {
    const { keys, migrations } = this.#options;
    await markNew(tx, id, { schema_version: migrations.length, head: head ?? emptyHead(tenantSeal(keys, id)) });
  }

  async discard(id: OrgId): Promise<void> {
    this.#new.delete(id);
    await this.#files.forget(id);
    const path = this.#path(id);
    await removeDatabase(path).catch((err: unknown) =>
      this.#options.log.error(
        { file: path, err },
        "A file that nobody owns can't be removed. The next start removes it.",
      ),
    );
  }

  async recover(): Promise<void> {
    this.#recovered = await recoverTenants({
      ...this.#options,
      checkpoint: (id) => this.#checkpoint(id),
      putAsideIfEmpty: (id) => this.#putAsideIfEmpty(id),
      isStopping: () => this.#isClosing,
    });
  }

  outdated(): Promise<OrgId[]> {
    const { control, migrations } = this.#options;
    return markedAsOlder(control, migrations.length);
  }

  /** The checkpoint stores the new version. Then the file is closed, so that it does not take the place of one in use. */
  async migrate(id: OrgId): Promise<void> {
    const { checks } = this.#options;
    const wasOpen = this.#files.has(id);
    if (!wasOpen) await checks?.prepare(id); // a request waits for that only so long
    await this.#use(id, (tenant) => tenant.checkpoint());
    if (!wasOpen) this.#files.release(id);
  }

  async check(id: OrgId): Promise<readonly string[]> {
    const { checks } = this.#options;
    const checkHere = () => checkerInThisProcess.check(this.#path(id), { kind: "tenant", orgId: id, isNew: false });
    const faults = checks ? await checks.check(id) : (await checkHere()).faults;
    if (faults.length > 0) this.#files.retire(id);
    return faults;
  }

  whileClosed<T>(id: OrgId, version: number, work: () => Promise<T>): Promise<T> {
    return this.#whileClosed(id, async () => {
      await this.#released(id);
      const done = await work();
      this.#options.checks?.replaced(id, version);
      return done;
    });
  }

  remove(id: OrgId): Promise<void> {
    const { directory, trace } = this.#options;
    return this.#whileClosed(id, async () => {
      // Nothing takes its place, so a connection that is not collected yet does no harm.
      await removeDatabase(this.#path(id));
      await syncPath(directory);
      this.#options.checks?.removed(id);
      this.#failures.clear(id);
      trace?.("tenant file: removed");
    });
  }

  async #whileClosed<T>(id: OrgId, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.has(id)) throw new Error("The school's file is being replaced.");
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(id, promise);
    try {
      // Those who did not wait may have opened it again meanwhile.
      do {
        await this.#files.forget(id);
      } while (this.#files.has(id));
      this.#replacing.set(id, promise);
      return await work();
    } finally {
      this.#waiting.delete(id);
      this.#replacing.delete(id);
      resolve();
    }
  }

  async whilePlaced<T>(id: OrgId, commit: () => Promise<T>): Promise<T> {
    const { directory, migrations, trace } = this.#options;
    const result = await this.whileClosed(id, migrations.length, async () => {
      const committed = await commit();
      await placeAdopted(directory, id, trace);
      return committed;
    });
    this.#new.delete(id);
    return result;
  }

  /** Waits until libSQL has let go of a closed file: when it does, it removes the `-wal` file of that name, whosesoever that is. */
  async #released(id: OrgId): Promise<void> {
    if (!this.#opened.has(id)) return; // a `-wal` file is that of an earlier process
    const path = this.#path(id);
    for (let tries = 0; fileIdentity(`${path}-wal`) !== undefined; tries += 1) {
      if (tries === mostTries)
        throw new Error("The school's file is in use. Try again, or stop the server and restore it then.");
      this.#options.collectGarbage?.();
      await yieldToEventLoop();
      removeUnusedWal(path);
      if (fileIdentity(`${path}-wal`) !== undefined) await setTimeout(retryAfter);
    }
  }

  unusable(): UnusableTenant[] {
    const damaged = this.#options.checks?.unusable() ?? [];
    const listed = new Set(damaged.map(({ orgId }) => orgId));
    return [...damaged, ...this.#failures.unusable().filter(({ orgId }) => !listed.has(orgId))];
  }

  /** Logs an error, so that one tenant does not stop the checkpoints of the others. */
  #checkpoint(id: OrgId): Promise<void> {
    return this.#use(id, (tenant) => tenant.checkpoint()).catch((err: unknown) => {
      if (isUnavailable(err) || isLoggedByDisk(err)) return; // already logged
      this.#options.log.error(
        { organization_id: id, err },
        "A tenant can't be checkpointed. The others are not affected.",
      );
    });
  }

  wakeUps(): Promise<WakeUp[]> {
    const { control, clock } = this.#options;
    return markedWakeUps(control, toInstant(clock.now()));
  }

  async checkpointIdle(): Promise<void> {
    const { checks, clock, control } = this.#options;
    await checks?.storeNotes();
    const setBack = new Set(await markSetBack(control, toInstant(clock.now())));
    for await (const [, tenant] of this.#files.all()) {
      if (this.#isClosing) return;
      if (setBack.has(tenant.id)) tenant.noteChange();
      // The checkpoint of a file that was removed or replaced logs that and closes it.
      if (tenant.isIdle(clock.now()) || !tenant.isInPlace) await this.#checkpoint(tenant.id);
    }
  }

  async close(remaining: Remaining = countdown(Number.POSITIVE_INFINITY)): Promise<number> {
    const { checks } = this.#options;
    this.#isClosing = true;
    this.#uncollected.stop();
    checks?.stop();
    await atMost(remaining(), this.#recovered());
    // Before the files, which may take all of the time: otherwise, the next start checks these again.
    await atMost(remaining(), Promise.resolve(checks?.storeNotes()));
    return this.#files.close(remaining);
  }

  isOpen(id: OrgId): boolean {
    return this.#files.has(id);
  }

  stats(): TenantStats {
    const unavailable = new Set([...this.#failures.unavailable(), ...this.unusable().map(({ orgId }) => orgId)]);
    return { open: this.#files.size, unavailable: unavailable.size };
  }

  canOpen(): boolean {
    return this.#files.hasUnused || hasFreeDescriptors();
  }

  async #open(id: OrgId): Promise<OpenTenant> {
    await this.#replacing.get(id);
    this.#opened.add(id);
    const { checks } = this.#options;
    const hasWalRows = checks?.opening(id) ?? false;
    try {
      if (this.#replacements.isRefused(id, this.#path(id)))
        throw new WrongFile(
          `${this.#path(id)} took the place of a file that was in use. If it is the right one, move it away and back, or restart the server.`,
        );
      const options: OpenTenantOptions = {
        ...this.#options,
        path: this.#path(id),
        isNew: this.#new.has(id),
        hasWalRows,
        ...(checks && {
          noteAtCheckpoint: checks.noteAtCheckpoint.bind(checks),
          onClosed: checks.closed.bind(checks),
          isUnusable: checks.isUnusable.bind(checks),
        }),
      };
      const tenant = await this.#room.open(() => waitOutLocks(() => OpenTenant.open(id, options)));
      checks?.opened(id);
      return tenant;
    } catch (error) {
      checks?.closed(id);
      if (error instanceof Problem && error.reason === "disk_full") throw error; // not this tenant's
      const reason = error instanceof Problem ? error.cause : error;
      this.#uncollected.add("evicted"); // a connection may have been opened and closed again
      this.#failures.record(id, reason, "A tenant can't be opened. The others are not affected.");
      throw new Problem("TENANT_UNAVAILABLE", "These records can't be opened at the moment.", { cause: reason });
    }
  }

  async #putAsideIfEmpty(id: OrgId): Promise<"kept" | "removed" | { path: string }> {
    const { directory, log } = this.#options;
    this.#new.add(id);
    try {
      const found = await this.tenant(id).read(async (reader) => ({
        records: await reader.select({ seq: auditLog.seq }).from(auditLog).limit(1),
        described: await reader.select({ id: meta.org_id }).from(meta),
      }));
      if (found.records.length > 0) return "kept";
      const path = found.described.length > 0 ? await copyAside(directory, id) : undefined;
      await this.discard(id);
      return path === undefined ? "removed" : { path };
    } catch (err) {
      if (!isUnavailable(err)) log.warn({ file: this.#path(id), err }, "A file without an owner can't be put aside.");
      return "kept";
    }
  }
}
