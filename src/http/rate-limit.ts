/**
 * Limits how often something may be done: `limit` at once, and then as many again per window, evenly (a leaky bucket: two
 * numbers a key, however high the limit). rate-limiter-flexible would do the same, but its memory store reads the wall
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

/** How full a key's bucket was, in requests, and when. */
interface Bucket {
  level: number;
  at: number;
}

/** Forgives what division leaves behind; far below one request. */
const DUST = 1e-9;

export function createLimiter({ clock, limit, windowSeconds, maxKeys = 100_000 }: LimiterOptions): Limiter {
  /** Seconds in which one request leaks out. */
  const interval = windowSeconds / limit;
  // `max` would allocate room for all keys at once: 2 ms and 2 MB for each limiter, however few keys come.
  const buckets = new LRUCache<string, Bucket>({ maxSize: maxKeys, sizeCalculation: () => 1 });
  const secondsFor = (requests: number) => Math.ceil(requests * interval - DUST);

  const weigh = (key: string, cost: 0 | 1): Allowance => {
    const now = clock.now().getTime();
    const bucket = buckets.get(key) ?? { level: 0, at: now };
    const before = Math.max(0, bucket.level - (now - bucket.at) / 1000 / interval);
    const allowed = before + 1 <= limit + DUST;
    const level = allowed ? before + cost : before;
    if (allowed && cost) buckets.set(key, { level, at: now });
    return {
      allowed,
      remaining: allowed ? Math.floor(limit - level + DUST) : 0,
      resetSeconds: secondsFor(level),
      retryAfter: allowed ? 0 : Math.max(1, secondsFor(before + 1 - limit)),
    };
  };

  return {
    limit,
    windowSeconds,
    take: (key) => weigh(key, 1),
    peek: (key) => weigh(key, 0),
    forget: (key) => void buckets.delete(key),
  };
}

/** The 429 for a refusal. */
const refuse429 = ({ retryAfter }: Allowance) =>
  new Problem("RATE_LIMITED", "Too many requests. Wait as long as `Retry-After` says.", {
    retryAfter: Math.max(1, retryAfter),
  });

/** Where an answer's fields go: Elysia's `set`. */
export interface Fields {
  headers: Record<string, string | number | string[] | undefined>;
}

/**
 * Counts one, and says in the answer what is left. Of a request that several policies limit, it says so of each.
 *
 * @param policy the limiter's name, for clients
 * @throws RATE_LIMITED when the key has used up its limit
 */
export function takeOrRefuse({ headers }: Fields, policy: string, limiter: Limiter, key: string): void {
  const allowance = limiter.take(key);
  for (const [name, value] of Object.entries(rateLimitFields(policy, limiter, allowance)))
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  if (!allowance.allowed) throw refuse429(allowance);
}

/** The fields of draft-ietf-httpapi-ratelimit-headers, for one policy. */
const rateLimitFields = (policy: string, limiter: Limiter, { remaining, resetSeconds }: Allowance) => ({
  "ratelimit-policy": `"${policy}";q=${limiter.limit};w=${limiter.windowSeconds}`,
  ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
});
