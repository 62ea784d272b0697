import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import { WakeUpHeap } from "./wake-up-heap.ts";

/** When to check each organization for due deliveries. */
export class WakeUpSchedule {
  readonly #scheduled = new WakeUpHeap();
  /** To be checked now. */
  readonly #ready = new Set<OrgId>();
  /** Organizations whose next deliveries are known. The others are scheduled for any reason that storage has noted. */
  readonly #withDeliveries = new Set<OrgId>();
  /** Were checked and had due deliveries, but there was no room to claim them. To be checked again when there is. */
  readonly #deferred = new Set<OrgId>();

  /** How many organizations are scheduled for deliveries that are known. */
  get withDeliveries(): number {
    return this.#withDeliveries.size;
  }

  /** All organizations that have known deliveries or are to be checked now. One may occur twice. */
  *organizations(): Iterable<OrgId> {
    yield* this.#ready;
    yield* this.#deferred;
    yield* this.#withDeliveries;
  }

  /** The next scheduled instant. */
  get next(): Instant | undefined {
    return this.#scheduled.first();
  }

  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  /** Returns whether an organization is going to be checked by `by`. */
  has(orgId: OrgId, by: Instant): boolean {
    if (this.#ready.has(orgId) || this.#deferred.has(orgId)) return true;
    const at = this.#scheduled.of(orgId);
    return at !== undefined && at <= by;
  }

  /** Schedules a check for an unknown reason. */
  add(orgId: OrgId, at: Instant): void {
    this.#scheduled.add(orgId, at);
  }

  /** Schedules a check for deliveries that are due at `at`. */
  addDeliveries(orgId: OrgId, at: Instant): void {
    this.#withDeliveries.add(orgId);
    this.#scheduled.add(orgId, at);
  }

  /** Defers an organization until there is room to claim its deliveries. */
  defer(orgId: OrgId): void {
    this.#deferred.add(orgId);
  }

  /** Makes the first deferred organization ready. @returns whether there was one */
  resumeDeferred(): boolean {
    const [orgId] = this.#deferred;
    if (orgId === undefined) return false;
    this.#deferred.delete(orgId);
    this.#ready.add(orgId);
    return true;
  }

  /** Makes all organizations ready that are scheduled by `now`. */
  advance(now: Instant): void {
    for (const orgId of this.#scheduled.take(now)) this.#ready.add(orgId);
  }

  /** Removes and returns an organization that is ready. */
  take(): OrgId | undefined {
    const [orgId] = this.#ready;
    if (orgId === undefined) return undefined;
    this.#ready.delete(orgId);
    this.#withDeliveries.delete(orgId); // the check adds it again
    return orgId;
  }

  /** Forgets the organizations that are ready or deferred. */
  clear(): void {
    this.#ready.clear();
    this.#deferred.clear();
  }
}
