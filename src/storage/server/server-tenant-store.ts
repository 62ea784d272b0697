import { eq, lte, or } from "drizzle-orm";
import { countdown, type Remaining } from "../../core/async.ts";
import { hours, shift, toInstant } from "../../core/clock.ts";
import { conflict, Problem } from "../../core/errors.ts";
import type { OrgId } from "../../core/ids.ts";
import { type AuditHead, emptyHead, readAuditChain } from "../audit.ts";
import { BodyCache } from "../body-cache.ts";
import type { UnusableTenant } from "../check/tenant-checks.ts";
import { namespaces, tenantMarks } from "../control.tables.ts";
import { newDataKey } from "../data-key.ts";
import { tenantSeal } from "../installation.ts";
import type { Leases } from "../leases.ts";
import { markSetBack } from "../mark-set-back.ts";
import { WrongFile } from "../migrations.ts";
import { adoptedPath } from "../move/place-adopted.ts";
import { OpenFiles } from "../open-files.ts";
import type { StorageLog } from "../storage-log.ts";
import type { Tenant, Tx } from "../store.ts";
import { meta } from "../tenant.tables.ts";
import { removeDatabase } from "../tenant-file.ts";
import { markedAsOlder, markedWakeUps, markNew } from "../tenant-marks.ts";
import type { TenantDescription, TenantStats, TenantStore, WakeUp } from "../tenant-store.ts";
import { isLeft, markActive, takeOver } from "./activity.ts";
import { loadNamespace } from "./copy-namespace.ts";
import type { Engine } from "./engine.ts";
import { fromEngine } from "./engine-error.ts";
import type { Node } from "./node.ts";
import { notOnServer } from "./not-on-server.ts";
import { ServerTenant, type ServerTenantOptions } from "./server-tenant.ts";
import { unownedNamespaces } from "./unowned-namespaces.ts";

export interface ServerTenantStoreOptions extends Omit<ServerTenantOptions, "bodies" | "isNew"> {
  engine: Engine;
  /** Where schools wait that are adopted. */
  directory: string;
  log: StorageLog;
  /** The namespaces that may be open at once. */
  maxOpen: number;
  node: Node;
  leases: Leases;
}

const bodyCacheSize = 32 * 1024 * 1024;

/** A namespace without an owner is an interrupted sign-up's after this time; before, perhaps one in progress, on another node. */
const longestSignUp = hours(1);

/** One namespace per organization, on a libSQL server. */
export class ServerTenantStore implements TenantStore {
  readonly #options: ServerTenantStoreOptions;
  readonly #open: OpenFiles<ServerTenant>;
  readonly #bodies = new BodyCache(bodyCacheSize);
  /** Tenants that may lack their `meta` row. */
  readonly #new = new Set<OrgId>();
  /** Tenants whose namespace can't be used, with the reason. */
  readonly #unusable = new Map<OrgId, UnusableTenant>();
  #isClosing = false;

  constructor(options: ServerTenantStoreOptions) {
    this.#options = options;
    this.#open = new OpenFiles(
      options.maxOpen,
      (id) => this.#openTenant(id as OrgId),
      (id, err) => options.log.error({ organization_id: id, err }, "A tenant could not be settled."),
    );
  }

  tenant(id: OrgId): Tenant {
    return {
      id,
      read: (query) => this.#use(id, (tenant) => tenant.read(query)),
      write: (body) => this.#use(id, (tenant) => tenant.write(body)),
      dataKey: () => this.#use(id, (tenant) => tenant.dataKey()),
      readBody: (question, query) => this.#use(id, (tenant) => tenant.readBody(question, query)),
    };
  }

  async #use<T>(id: OrgId, work: (tenant: ServerTenant) => Promise<T>): Promise<T> {
    this.#options.node.requireCurrent();
    return this.#open.use(id, work);
  }

  async #openTenant(id: OrgId): Promise<ServerTenant> {
    try {
      const options = { ...this.#options, bodies: this.#bodies, isNew: this.#new.has(id) };
      const tenant = await ServerTenant.open(id, this.#options.engine.session(id), options);
      this.#unusable.delete(id);
      return tenant;
    } catch (error) {
      if (!(error instanceof WrongFile)) throw fromEngine(error, "tenant");
      if (!this.#unusable.has(id)) {
        const since = toInstant(this.#options.clock.now());
        this.#unusable.set(id, { orgId: id, since, faults: [error.message] });
        this.#options.log.error(
          { organization_id: id, err: error },
          "A tenant can't be opened. The others are not affected.",
        );
      }
      throw new Problem("TENANT_UNAVAILABLE", "These records can't be opened at the moment.", { cause: error });
    }
  }

  async create(id: OrgId, { name, time_zone }: TenantDescription): Promise<void> {
    const { keys, clock, trace } = this.#options;
    this.#new.add(id);
    await this.#createNamespace(id);
    await this.tenant(id).write((tx) =>
      tx
        .insert(meta)
        .values({ org_id: id, name, time_zone, created_at: toInstant(clock.now()), ...newDataKey(keys, id) }),
    );
    this.#new.delete(id);
    trace?.("tenant namespace: described");
  }

  /** The row comes first, so that a later start finds the namespace. */
  async #createNamespace(id: OrgId): Promise<void> {
    const { engine, control, trace } = this.#options;
    await control.write((tx) => tx.insert(namespaces).values({ org_id: id, created_at: tx.now }));
    trace?.("tenant namespace: noted");
    await engine.create(id).catch((error: unknown) => {
      throw fromEngine(error, "control");
    });
    trace?.("tenant namespace: created");
  }

  async markOwned(tx: Tx<"control">, id: OrgId, head?: AuditHead): Promise<void> {
    const { keys, migrations } = this.#options;
    await markNew(tx, id, { schema_version: migrations.length, head: head ?? emptyHead(tenantSeal(keys, id)) });
  }

  async discard(id: OrgId): Promise<void> {
    this.#new.delete(id);
    await this.remove(id).catch((err: unknown) =>
      this.#options.log.error(
        { organization_id: id, err },
        "A namespace that nobody owns can't be removed. A later start removes it.",
      ),
    );
  }

  /** The row goes last: while it is there, a later start tries again. */
  async remove(id: OrgId): Promise<void> {
    const { engine, control, trace } = this.#options;
    await this.#open.forget(id);
    await engine.remove(id).catch((error: unknown) => {
      throw fromEngine(error, "control");
    });
    await control.write((tx) => tx.delete(namespaces).where(eq(namespaces.org_id, id)));
    this.#unusable.delete(id);
    trace?.("tenant namespace: removed");
  }

  async recover(): Promise<void> {
    const { control, clock, node } = this.#options;
    const now = clock.now();
    for (const id of await unownedNamespaces(control, shift(now, -longestSignUp))) await this.#discardUnlessLoading(id);
    await takeOver(control, node.id);
    const due = await control.read((reader) =>
      reader
        .select({ id: tenantMarks.org_id })
        .from(tenantMarks)
        .where(or(isLeft(node.id), lte(tenantMarks.next_wake_at, toInstant(now)))),
    );
    for (const row of due) await this.#settle(row.id);
    await markSetBack(control, toInstant(now));
  }

  /** Settles what dead nodes have not. */
  async takeOver(): Promise<void> {
    const { control, node, log } = this.#options;
    const left = await takeOver(control, node.id);
    if (left.length > 0)
      log.warn({ tenants: left.length }, "Another Windsock has ended. This one takes over what it left.");
    for (const id of left) await this.#settle(id);
  }

  /** Says again what this node has not settled: others may have settled it when they took this one for dead. */
  async markUnsettled(): Promise<void> {
    const { control, node } = this.#options;
    const ids: OrgId[] = [];
    for await (const [, tenant] of this.#open.all()) if (tenant.hasUnsettled) ids.push(tenant.id);
    await markActive(control, node.id, ids);
  }

  /** An adoption of a large school on another node may take longer. */
  async #discardUnlessLoading(id: OrgId): Promise<void> {
    const lease = await this.#options.leases.take(`adoption ${id}`);
    if (lease === undefined) return;
    await this.discard(id);
    await lease.release();
  }

  wakeUps(): Promise<WakeUp[]> {
    const { control, clock } = this.#options;
    return markedWakeUps(control, toInstant(clock.now()));
  }

  async checkpointIdle(): Promise<void> {
    const { clock, control } = this.#options;
    const setBack = new Set(await markSetBack(control, toInstant(clock.now())));
    for await (const [, tenant] of this.#open.all()) {
      if (this.#isClosing) return;
      if (setBack.has(tenant.id)) tenant.noteChange();
      if (tenant.isIdle(clock.now())) await this.#settle(tenant.id);
    }
  }

  /** Logs an error, so that one tenant does not stop the others. */
  #settle(id: OrgId): Promise<void> {
    return this.#use(id, (tenant) => tenant.settle()).catch((err: unknown) => {
      if (err instanceof Problem && err.code === "TENANT_UNAVAILABLE") return; // already logged
      this.#options.log.error({ organization_id: id, err }, "A tenant can't be settled. The others are not affected.");
    });
  }

  outdated(): Promise<OrgId[]> {
    const { control, migrations } = this.#options;
    return markedAsOlder(control, migrations.length);
  }

  async migrate(id: OrgId): Promise<void> {
    const wasOpen = this.#open.has(id);
    await this.#use(id, (tenant) => tenant.settle());
    if (!wasOpen) this.#open.release(id);
  }

  /** Whether the namespace can be used. What is in it is read by `inspection-on-server.ts`. */
  async check(id: OrgId): Promise<readonly string[]> {
    try {
      await this.tenant(id).read((reader) => reader.select({ id: meta.org_id }).from(meta));
      return [];
    } catch (error) {
      const { faults = [] } = this.#unusable.get(id) ?? {};
      if (faults.length > 0) return faults;
      throw error;
    }
  }

  whileClosed(): never {
    throw notOnServer("A backup of the server's own is restored there.");
  }

  /** Fills a new namespace from the file that waits, compares both, and commits the organization then. */
  async whilePlaced<T>(id: OrgId, commit: () => Promise<T>): Promise<T> {
    const lease = await this.#options.leases.take(`adoption ${id}`);
    if (lease === undefined) throw conflict("request_in_progress", "Another Windsock is adopting this school.");
    try {
      return await this.#place(id, commit);
    } finally {
      await lease.release();
    }
  }

  async #place<T>(id: OrgId, commit: () => Promise<T>): Promise<T> {
    const staged = adoptedPath(this.#options.directory, id);
    // That of an adoption that was interrupted.
    await this.remove(id);
    try {
      await this.#load(id, staged);
      const committed = await commit();
      this.#options.trace?.("adoption: owned");
      return committed;
    } catch (error) {
      // A commit can succeed and still report an error.
      if ((await this.#isOwned(id).catch(() => true)) === false) await this.discard(id);
      throw error;
    } finally {
      await removeDatabase(staged);
    }
  }

  async #load(id: OrgId, staged: string): Promise<void> {
    const { engine, trace } = this.#options;
    await this.#createNamespace(id);
    const session = engine.session(id);
    try {
      const last = await loadNamespace(session, staged);
      trace?.("tenant namespace: loaded");
      const { fault, rows, sealed } = await this.tenant(id).read((reader) => readAuditChain(reader, last.seq));
      if (fault !== undefined || rows !== last.seq || sealed?.hash !== last.hash)
        throw new Error(`The audit log on the server is not that of the file: ${fault ?? `it has ${rows} rows`}.`);
      trace?.("tenant namespace: compared");
    } catch (error) {
      throw fromEngine(error, "control");
    } finally {
      session.close();
    }
  }

  async #isOwned(id: OrgId): Promise<boolean> {
    const owned = this.#options.control.read((reader) => reader.$count(tenantMarks, eq(tenantMarks.org_id, id)));
    return (await owned) > 0;
  }

  unusable(): UnusableTenant[] {
    return [...this.#unusable.values()];
  }

  isOpen(id: OrgId): boolean {
    return this.#open.has(id);
  }

  stats(): TenantStats {
    return { open: this.#open.size, unavailable: this.#unusable.size };
  }

  canOpen(): boolean {
    return true;
  }

  async close(remaining: Remaining = countdown(Number.POSITIVE_INFINITY)): Promise<number> {
    this.#isClosing = true;
    return this.#open.close(remaining);
  }
}
