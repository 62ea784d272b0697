/**
 * Limits how often something may be done: `limit` at once, and then as many again per window, evenly (GCRA, the leaky
 * bucket as a meter: one number a key). rate-limiter-flexible would do the same, but its memory store reads the wall
 * clock, which tests here move and do not wait for. Limits are per node.
 */
import { LRUCache } from "lru-cache";
import type { Clock } from "../core/clock.ts";
import { Problem } from "../core/errors.ts";

export interface LimiterOptions {
  clock: Clock;
  /** How many at once, and per window. */
  limit: number;
  windowSeconds: number;
  /** How many keys are remembered; beyond, the one unused for longest is forgotten. Bounds the memory. */
  maxKeys?: number;
}

export interface Allowance {
  allowed: boolean;
  /** How many more are allowed at this moment. */
  remaining: number;
  /** Whole seconds until the full limit is available again. */
  resetSeconds: number;
  /** Whole seconds until the next one is allowed; 0 when it is now. */
  retryAfter: number;
}

export interface Limiter {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Counts one, if it is allowed. */
  take(key: string): Allowance;
  /** What is left, without counting. */
  peek(key: string): Allowance;
  /** Starts a key afresh, e.g. after a login that succeeded. */
  forget(key: string): void;
}

export function createLimiter({ clock, limit, windowSeconds, maxKeys = 100_000 }: LimiterOptions): Limiter {
  const window = windowSeconds * 1000;
  const interval = window / limit;
  /** For each key the moment from which nothing is owed any more ("theoretical arrival time"). */
  const settledAt = new LRUCache<string, number>({ max: maxKeys });

  const weigh = (key: string, cost: 0 | 1): Allowance => {
    const now = clock.now().getTime();
    const owedUntil = Math.max(now, settledAt.get(key) ?? now);
    // A ten-thousandth of an interval forgives what division leaves behind.
    const free = Math.floor((now + window - owedUntil) / interval + 1e-4);
    const allowed = free >= 1;
    const next = allowed ? owedUntil + cost * interval : owedUntil;
    if (allowed && cost) settledAt.set(key, next);
    return {
      allowed,
      remaining: allowed ? free - cost : 0,
      resetSeconds: Math.ceil((next - now) / 1000),
      retryAfter: allowed ? 0 : Math.max(1, Math.ceil((owedUntil + interval - window - now) / 1000)),
    };
  };

  return {
    limit,
    windowSeconds,
    take: (key) => weigh(key, 1),
    peek: (key) => weigh(key, 0),
    forget: (key) => void settledAt.delete(key),
  };
}

/** The 429 for a refusal. */
export const refuse429 = ({ retryAfter }: Allowance) =>
  new Problem("RATE_LIMITED", "Too many requests. Wait as long as `Retry-After` says.", {
    retryAfter: Math.max(1, retryAfter),
  });

/** @throws RATE_LIMITED when the key has used up its limit */
export function takeOrRefuse(limiter: Limiter, key: string): void {
  const allowance = limiter.take(key);
  if (!allowance.allowed) throw refuse429(allowance);
}

/** The fields of draft-ietf-httpapi-ratelimit-headers, for one policy. */
export const rateLimitHeaders = (policy: string, limiter: Limiter, { remaining, resetSeconds }: Allowance) => ({
  "ratelimit-policy": `"${policy}";q=${limiter.limit};w=${limiter.windowSeconds}`,
  ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
});
