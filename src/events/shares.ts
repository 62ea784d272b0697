import type { OrgId } from "../core/ids.ts";

export interface Caps {
  /** Attempts under way in this process, slow ones not counted. */
  inFlight: number;
  /** Attempts under way at one endpoint. */
  perEndpoint: number;
  /** Attempts under way that take long, or go to endpoints that did. */
  slow: number;
  /** Deliveries claimed that wait for a slot. */
  waiting: number;
}

export const defaultCaps: Caps = { inFlight: 128, perEndpoint: 8, slow: 256, waiting: 1024 };

/** The part of each cap that one organization may hold, however little the others ask for: they may come any moment. */
const largestShare = { inFlight: 1 / 2, slow: 1 / 4, waiting: 1 / 4 } as const;

/** What organizations divide among them. */
type Shared = keyof typeof largestShare;

/** What one organization holds. */
export type Share = { readonly orgId: OrgId } & Record<Shared, number>;

/**
 * How much of each cap is taken, and by whom. One organization never holds more than its share. When the others have
 * filled a cap, an organization that holds nothing may go beyond it, until twice as much is taken: whoever was quiet is
 * served at once, whatever keeps the others busy.
 */
export class Shares {
  readonly #caps: Caps;
  readonly #taken: Record<Shared, number> = { inFlight: 0, slow: 0, waiting: 0 };
  readonly #shares = new Map<OrgId, Share>();

  constructor(caps: Caps) {
    this.#caps = caps;
  }

  taken(kind: Shared): number {
    return this.#taken[kind];
  }

  /** Whether not even organizations that hold nothing can get any. */
  isUsedUp(kind: Shared): boolean {
    return this.#taken[kind] >= 2 * this.#caps[kind];
  }

  /** How many more an organization may take now. */
  leftOf(kind: Shared, orgId: OrgId): number {
    const [cap, taken] = [this.#caps[kind], this.#taken[kind]];
    const held = this.#shares.get(orgId)?.[kind] ?? 0;
    const free = Math.max(cap - taken, held === 0 && !this.isUsedUp(kind) ? 1 : 0);
    return Math.max(0, Math.min(Math.max(1, Math.floor(cap * largestShare[kind])) - held, free));
  }

  may(kind: Shared, orgId: OrgId): boolean {
    return this.leftOf(kind, orgId) > 0;
  }

  /** Takes so many, or gives them back when `count` is negative. */
  take(kind: Shared, orgId: OrgId, count: number): void {
    if (count === 0) return;
    const share = this.#shares.get(orgId) ?? { orgId, inFlight: 0, slow: 0, waiting: 0 };
    share[kind] += count;
    this.#taken[kind] += count;
    if (share.inFlight + share.slow + share.waiting === 0) this.#shares.delete(orgId);
    else this.#shares.set(orgId, share);
  }
}
