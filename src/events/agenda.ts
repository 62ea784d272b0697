import type { Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import { WakeUps } from "./wake-ups.ts";

/** Which organizations are to be looked into, and when. */
export class Agenda {
  readonly #scheduled = new WakeUps();
  /** As soon as somebody can. */
  readonly #ready = new Set<OrgId>();
  /** Those in which deliveries are known to become due later; the others are to be looked into for all sorts of reasons. */
  readonly #expected = new Set<OrgId>();
  /** As soon as there is room: they were looked into, and there was none for what they have. */
  readonly #starved = new Set<OrgId>();

  /** Organizations in which deliveries are known to become due later. */
  get expected(): number {
    return this.#expected.size;
  }

  /** Every organization that is known to have deliveries, or is about to be looked into; one may come twice. */
  *organizations(): Iterable<OrgId> {
    yield* this.#ready;
    yield* this.#starved;
    yield* this.#expected;
  }

  /** When something is due next that is not yet. */
  get next(): Instant | undefined {
    return this.#scheduled.first();
  }

  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  /** Whether an organization will be looked into by then anyway. */
  has(orgId: OrgId, by: Instant): boolean {
    if (this.#ready.has(orgId) || this.#starved.has(orgId)) return true;
    const at = this.#scheduled.of(orgId);
    return at !== undefined && at <= by;
  }

  /** Something may be due then. */
  add(orgId: OrgId, at: Instant): void {
    this.#scheduled.add(orgId, at);
  }

  /** Deliveries are due then. */
  expect(orgId: OrgId, at: Instant): void {
    this.#expected.add(orgId);
    this.#scheduled.add(orgId, at);
  }

  starve(orgId: OrgId): void {
    this.#starved.add(orgId);
  }

  /** There may be room: the turn is one of the starved. @returns whether there is any */
  feed(): boolean {
    const [orgId] = this.#starved;
    if (orgId === undefined) return false;
    this.#starved.delete(orgId);
    this.#ready.add(orgId);
    return true;
  }

  /** Makes those ready whose time has come. */
  advance(now: Instant): void {
    for (const orgId of this.#scheduled.take(now)) this.#ready.add(orgId);
  }

  /** Takes out one that is ready. */
  take(): OrgId | undefined {
    const [orgId] = this.#ready;
    if (orgId === undefined) return undefined;
    this.#ready.delete(orgId);
    this.#expected.delete(orgId); // whoever looks will see
    return orgId;
  }

  /** Nobody is to be looked into at once any more. */
  clear(): void {
    this.#ready.clear();
    this.#starved.clear();
  }
}
