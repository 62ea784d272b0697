import type { Remaining } from "../core/async.ts";
import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { AuditHead } from "./audit.ts";
import type { UnusableTenant } from "./check/tenant-checks.ts";
import type { Tenant, Tx } from "./store.ts";

/** A time at which a tenant has, or may have, due work. */
export interface WakeUp {
  orgId: OrgId;
  at: Instant;
}

/** The organization's data that its tenant has a copy of. The control database changes it first. */
export interface TenantDescription {
  name: string;
  time_zone: string;
}

export interface TenantStats {
  /** Tenants that are open. */
  open: number;
  /** Tenants whose last use failed because their file can't be used. */
  unavailable: number;
}

/** Stores tenants: as files now, possibly as namespaces of a server later. */
export interface TenantStore {
  /** Returns the tenant of an organization. The file is opened at the first read or write. */
  tenant(id: OrgId): Tenant;
  /** Creates an empty tenant without an owner; see `markOwned` and `discard`. */
  create(id: OrgId, description: TenantDescription): Promise<void>;
  /**
   * Records a tenant's owner, in the transaction that creates the organization. An owned tenant is never swept.
   *
   * @param head of its audit log; by default of an empty one
   */
  markOwned(tx: Tx<"control">, id: OrgId, head?: AuditHead): Promise<void>;
  /** Removes a tenant that `create` made and that has no owner. */
  discard(id: OrgId): Promise<void>;
  /**
   * Recovers from a crash: sweeps incomplete tenants and checkpoints dirty ones. Call it once, at the start. It does not
   * wait for tenants whose files must be checked first: they are checkpointed after their check.
   */
  recover(): Promise<void>;
  /**
   * Returns the wake-up times that the last checkpoints stored. For a tenant with later writes, the time is unknown, so
   * this returns the present time; after `recover`, only the tenants that it could not read or has yet to check, that
   * were restored, or whose last checkpoint is in the future. The result is not sorted, and a tenant may appear twice.
   */
  wakeUps(): Promise<WakeUp[]>;
  /** Checkpoints idle tenants, so that each `.db` file is complete on its own. Call it about every second. */
  checkpointIdle(): Promise<void>;
  /** Returns the tenants that an older program wrote last, so that they may have an older schema. */
  outdated(): Promise<OrgId[]>;
  /** Migrates a tenant, which each use does as well. @throws TENANT_UNAVAILABLE its file is left as it was */
  migrate(id: OrgId): Promise<void>;
  /** Checks a tenant's file now. @returns its faults, one line each; with any, the file is not opened from then on */
  check(id: OrgId): Promise<readonly string[]>;
  /**
   * Closes a tenant's file, and opens it again only after the work, which replaces it by one that was checked. Requests wait.
   *
   * @param version the number of migrations of the new file
   * @throws Error the file can't be closed, or the errors of the work
   */
  whileClosed<T>(id: OrgId, version: number, work: () => Promise<T>): Promise<T>;
  /**
   * Removes a tenant's file, after its present users. Idempotent. The caller has removed its marks, so that nothing expects the
   * file any more.
   */
  remove(id: OrgId): Promise<void>;
  /**
   * Commits the organization of a file that waits under the name of `move/place-adopted.ts`, and gives the file its name. Requests
   * wait.
   */
  whilePlaced<T>(id: OrgId, commit: () => Promise<T>): Promise<T>;
  /** Returns the tenants whose files failed a check. They are not opened. */
  unusable(): UnusableTenant[];
  /** Returns whether the tenant's file is open, so that its next use opens none. */
  isOpen(id: OrgId): boolean;
  stats(): TenantStats;
  /** Returns whether a tenant that is not open could be opened now. */
  canOpen(): boolean;
  /**
   * Closes the open tenants. Of those that are not closed in time, the newest rows stay in the `-wal` file: they stay dirty,
   * and the next start recovers them.
   *
   * @returns how many were not closed in time, or could not be completed
   */
  close(remaining?: Remaining): Promise<number>;
}
