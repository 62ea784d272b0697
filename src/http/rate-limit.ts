/**
 * Rate limits: a leaky bucket that allows `limit` requests at once and refills evenly over the window, with two numbers per
 * key for any limit. The memory store of rate-limiter-flexible reads the wall clock, so tests could not move it. Limits are
 * of this process, except those of a `SharedLimiter`.
 */
import { LRUCache } from "lru-cache";
import { type Clock, hasPassed, type Instant, seconds } from "../core/clock.ts";
import { Problem } from "../core/errors.ts";
import type { BucketSize, RateBuckets } from "../core/rate-buckets.ts";

export interface LimiterOptions extends BucketSize {
  clock: Clock;
  /** The number of keys in memory. Beyond it, the least recently used key is removed. */
  maxKeys?: number;
}

export interface Allowance {
  allowed: boolean;
  /** Requests allowed now. */
  remaining: number;
  /** Whole seconds until the full limit is available again. */
  resetSeconds: number;
  /** Whole seconds until the next request is allowed; 0 for now. */
  retryAfter: number;
}

export interface Limiter {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Counts a request, if it is allowed. */
  take(key: string): Allowance;
  /** Returns the allowance without counting. */
  peek(key: string): Allowance;
  /** Resets a key, for example after a successful login. */
  forget(key: string): void;
}

/** The level of a key's bucket, in requests, at a time. */
interface Bucket {
  level: number;
  at: number;
}

/** Tolerance for rounding errors, far below one request. */
const EPSILON = 1e-9;

export function createLimiter({ clock, limit, windowSeconds, maxKeys = 100_000 }: LimiterOptions): Limiter {
  /** Seconds in which one request leaks out. */
  const interval = windowSeconds / limit;
  const allowanceOf = allowancesOf({ limit, windowSeconds });
  // `max` would allocate memory for all keys at once: 2 ms and 2 MB for each limiter.
  const buckets = new LRUCache<string, Bucket>({ maxSize: maxKeys, sizeCalculation: () => 1 });

  const weigh = (key: string, cost: 0 | 1): Allowance => {
    const now = clock.now().getTime();
    const bucket = buckets.get(key) ?? { level: 0, at: now };
    // The clock may be set back. The bucket does not fill up by that, and leaks from now on.
    bucket.at = Math.min(bucket.at, now);
    const elapsed = (now - bucket.at) / 1000;
    const before = Math.max(0, bucket.level - elapsed / interval);
    const allowed = before + 1 <= limit + EPSILON;
    const level = allowed ? before + cost : before;
    if (allowed && cost) buckets.set(key, { level, at: now });
    return allowanceOf({ level, allowed });
  };

  return {
    limit,
    windowSeconds,
    take: (key) => weigh(key, 1),
    peek: (key) => weigh(key, 0),
    forget: (key) => void buckets.delete(key),
  };
}

/** Returns the function of a limit that returns the allowance at a level of a bucket. */
function allowancesOf({ limit, windowSeconds }: BucketSize) {
  const secondsFor = (requests: number) => Math.ceil((requests * windowSeconds) / limit - EPSILON);
  return ({ level, allowed }: { level: number; allowed: boolean }): Allowance => ({
    allowed,
    remaining: allowed ? Math.floor(limit - level + EPSILON) : 0,
    resetSeconds: secondsFor(level),
    retryAfter: level + 1 <= limit + EPSILON ? 0 : Math.max(1, secondsFor(level + 1 - limit)),
  });
}

/** A limit of guesses, which holds for all processes that have the databases. */
export interface SharedLimiter extends BucketSize {
  /** The limiter's name, for clients. */
  readonly policy: string;
  take(key: string): Promise<Allowance>;
  forget(key: string): Promise<void>;
}

/** @param buckets where other processes count as well; undefined: there are none, and this process counts in memory */
export function createSharedLimiter(
  policy: string,
  { clock, buckets, ...size }: BucketSize & { clock: Clock; buckets: RateBuckets | undefined },
): SharedLimiter {
  if (buckets === undefined) {
    const own = createLimiter({ clock, ...size });
    return { ...size, policy, take: async (key) => own.take(key), forget: async (key) => own.forget(key) };
  }
  const allowanceOf = allowancesOf(size);
  const named = (key: string) => `${policy} ${key}`;
  return {
    ...size,
    policy,
    take: async (key) => allowanceOf(await buckets.take(named(key), size, clock.now())),
    forget: (key) => buckets.forget(named(key)),
  };
}

/** As `takeOrRefuse`. @throws RATE_LIMITED the limit is reached */
export async function countOrRefuse(fields: Fields, limiter: SharedLimiter, key: string): Promise<void> {
  tellOrRefuse(fields, limiter.policy, limiter, await limiter.take(key));
}

const rateLimited = ({ retryAfter }: Allowance) =>
  new Problem("RATE_LIMITED", "Too many requests. Wait for the time in `Retry-After`.", { retryAfter });

/** The header fields of a response: Elysia's `set`. */
export interface Fields {
  headers: Record<string, string | number | string[] | undefined>;
}

/**
 * Counts a request, and adds the remaining allowance to the response's header fields. Several policies add a value each.
 *
 * @param policy the limiter's name, for clients
 * @throws RATE_LIMITED the limit is reached
 */
export function takeOrRefuse(fields: Fields, policy: string, limiter: Limiter, key: string): void {
  tellOrRefuse(fields, policy, limiter, limiter.take(key));
}

interface StoredUse extends Pick<LimiterOptions, "clock" | "windowSeconds"> {
  /** The time of the last use. */
  last: Instant | undefined;
}

/**
 * Limits to one use in the window, for a caller that stores the time of each use: this limit outlives the process.
 *
 * @throws RATE_LIMITED the last use was within the window
 */
export function refuseWithin(fields: Fields, policy: string, { clock, windowSeconds, last }: StoredUse): void {
  const now = clock.now();
  const since = last === undefined ? 0 : Date.parse(last);
  const elapsed = (now.getTime() - since) / 1000;
  const allowed = hasPassed(seconds(windowSeconds), { since, now });
  const wait = allowed ? windowSeconds : Math.ceil(windowSeconds - elapsed);
  tellOrRefuse(
    fields,
    policy,
    { limit: 1, windowSeconds },
    { allowed, remaining: 0, resetSeconds: wait, retryAfter: wait },
  );
}

type Limit = Pick<Limiter, "limit" | "windowSeconds">;

function tellOrRefuse({ headers }: Fields, policy: string, limit: Limit, allowance: Allowance): void {
  for (const [name, value] of Object.entries(rateLimitFields(policy, limit, allowance)))
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  if (!allowance.allowed) throw rateLimited(allowance);
}

/** Returns the fields of draft-ietf-httpapi-ratelimit-headers for one policy. */
const rateLimitFields = (
  policy: string,
  { limit, windowSeconds }: Limit,
  { remaining, resetSeconds, retryAfter }: Allowance,
) => ({
  "ratelimit-policy": `"${policy}";q=${limit};w=${windowSeconds}`,
  // Without a request left, `t` is the time to wait for the next one, as in `Retry-After`.
  ratelimit: `"${policy}";r=${remaining};t=${remaining > 0 ? resetSeconds : retryAfter}`,
});
