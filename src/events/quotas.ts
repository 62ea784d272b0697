import type { OrgId } from "../core/ids.ts";

/** Limits for the whole process. */
export interface Caps {
  /** Attempts in flight, without slow ones. */
  inFlight: number;
  /** Attempts in flight at one endpoint. */
  perEndpoint: number;
  /** Slow attempts in flight, and attempts at endpoints that were slow. */
  slow: number;
  /** Claimed deliveries that wait for a slot. */
  waiting: number;
}

export const defaultCaps: Caps = { inFlight: 128, perEndpoint: 8, slow: 256, waiting: 1024 };

/**
 * The fraction of each cap that one organization may hold, even if the others need nothing now: their next delivery can
 * become due at any moment.
 */
const quotas = { inFlight: 1 / 2, slow: 1 / 4, waiting: 1 / 4 } as const;

/** The caps that organizations share. */
type Shared = keyof typeof quotas;

/** What one organization holds. */
type Usage = Record<Shared, number>;

/**
 * Tracks how much of each cap is in use, by organization. One organization never holds more than its quota. An
 * organization that holds nothing may exceed a full cap by one, until usage reaches twice the cap: it is served at once,
 * however busy the others are.
 */
export class Quotas {
  readonly #caps: Caps;
  readonly #total: Usage = { inFlight: 0, slow: 0, waiting: 0 };
  readonly #usages = new Map<OrgId, Usage>();

  constructor(caps: Caps) {
    this.#caps = caps;
  }

  /** Returns how much all organizations hold. */
  used(kind: Shared): number {
    return this.#total[kind];
  }

  /** Returns whether an organization that holds nothing can't take any either. */
  isExhausted(kind: Shared): boolean {
    return this.#total[kind] >= 2 * this.#caps[kind];
  }

  /** Returns how many more an organization may take now. */
  available(kind: Shared, orgId: OrgId): number {
    const [cap, total] = [this.#caps[kind], this.#total[kind]];
    const held = this.#usages.get(orgId)?.[kind] ?? 0;
    const free = Math.max(cap - total, held === 0 && !this.isExhausted(kind) ? 1 : 0);
    return Math.max(0, Math.min(Math.max(1, Math.floor(cap * quotas[kind])) - held, free));
  }

  hasAvailable(kind: Shared, orgId: OrgId): boolean {
    return this.available(kind, orgId) > 0;
  }

  /** Adds `count` to what an organization holds. A negative count returns that many. */
  take(kind: Shared, orgId: OrgId, count: number): void {
    if (count === 0) return;
    const usage = this.#usages.get(orgId) ?? { inFlight: 0, slow: 0, waiting: 0 };
    usage[kind] += count;
    this.#total[kind] += count;
    if (usage.inFlight + usage.slow + usage.waiting === 0) this.#usages.delete(orgId);
    else this.#usages.set(orgId, usage);
  }
}
