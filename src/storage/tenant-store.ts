import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { Tenant, Tx } from "./store.ts";

/** When something in a tenant is due next, or may be. */
export interface WakeUp {
  orgId: OrgId;
  at: Instant;
}

/** What a tenant knows of its organization. The control database has the same, and changes it first. */
export interface TenantDescription {
  name: string;
  time_zone: string;
}

/** Hides where tenants live: files now, a server's namespaces later. */
export interface TenantStore {
  /** The tenant of an organization, opened when it is first read or written. Looking one up that is not there is harmless. */
  tenant(id: OrgId): Tenant;
  /** Makes an empty tenant. It belongs to nobody until `own`; see `discard`. */
  create(id: OrgId, description: TenantDescription): Promise<void>;
  /** Makes a tenant an organization's, in the transaction that makes the organization: from then on it is never swept. */
  own(tx: Tx<"control">, id: OrgId): Promise<void>;
  /** Removes a tenant that `create` made and that no organization came to own. */
  discard(id: OrgId): Promise<void>;
  /** Tidies up after a crash: half-made tenants, those written since their last checkpoint. To be called once, at start. */
  recover(): Promise<void>;
  /**
   * What the last checkpoints noted as due; and, as due now, each tenant written since, of which nobody knows. After
   * `recover` those are the ones it could not read. In no order, and a tenant may be there twice.
   */
  wakeUps(): Promise<WakeUp[]>;
  /** Checkpoints what has not been written for a while, so that a lone `.db` file is whole. To be called every second or so. */
  checkpointIdle(): Promise<void>;
  close(): Promise<void>;
}
