import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Problem } from "../../src/core/errors.ts";
import { createLimiter, type Fields, takeOrRefuse } from "../../src/http/rate-limit.ts";
import { movableClock } from "./http-toy-app.ts";

function setUp(limit: number, windowSeconds: number, maxKeys?: number) {
  const clock = movableClock();
  return { clock, limiter: createLimiter({ clock, limit, windowSeconds, ...(maxKeys !== undefined && { maxKeys }) }) };
}

describe("a limiter of 10 in 15 minutes", () => {
  test("allows 10 at once and rejects the 11th until one interval has passed", () => {
    const { clock, limiter } = setUp(10, 900);
    const taken = Array.from({ length: 11 }, () => limiter.take("ada"));
    expect(taken.map(({ allowed }) => allowed)).toEqual([...Array(10).fill(true), false]);
    expect(taken.map(({ remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0]);
    expect(taken[10]).toEqual({ allowed: false, remaining: 0, resetSeconds: 900, retryAfter: 90 });
    clock.advance(89_999);
    expect(limiter.take("ada")).toMatchObject({ allowed: false, retryAfter: 1 });
    clock.advance(1);
    expect(limiter.take("ada").allowed).toBe(true);
    expect(limiter.take("ada").allowed).toBe(false);
  });

  test("allows 10 again after the window", () => {
    const { clock, limiter } = setUp(10, 900);
    for (let count = 0; count < 10; count++) limiter.take("ada");
    clock.advance(900_000);
    expect(limiter.take("ada")).toMatchObject({ allowed: true, remaining: 9 });
  });

  test("counts each key separately, and can reset one", () => {
    const { limiter } = setUp(1, 900);
    limiter.take("ada");
    expect(limiter.take("bob").allowed).toBe(true);
    expect(limiter.take("ada").allowed).toBe(false);
    limiter.forget("ada");
    expect(limiter.take("ada").allowed).toBe(true);
  });

  test("does not count a peek or a rejected request", () => {
    const { clock, limiter } = setUp(1, 60);
    expect([limiter.peek("ada").remaining, limiter.peek("ada").remaining]).toEqual([1, 1]);
    limiter.take("ada");
    for (let count = 0; count < 50; count++) limiter.take("ada");
    clock.advance(60_000);
    expect(limiter.take("ada").allowed).toBe(true);
  });

  test("keeps at most the configured number of keys", () => {
    const { limiter } = setUp(1, 60, 2);
    for (const key of ["ada", "bob", "eve"]) limiter.take(key);
    expect([limiter.peek("ada").allowed, limiter.peek("bob").allowed, limiter.peek("eve").allowed]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test("takeOrRefuse throws a 429 with the time to wait, and adds the remaining allowance of each policy", () => {
  const [{ limiter: requests }, { limiter: pings }] = [setUp(10, 60), setUp(1, 60)];
  const set: Fields = { headers: {} };
  takeOrRefuse(set, "requests", requests, "ada");
  expect(set.headers).toEqual({ "ratelimit-policy": '"requests";q=10;w=60', ratelimit: '"requests";r=9;t=6' });
  takeOrRefuse(set, "pings", pings, "ada");
  const again: Fields = { headers: {} };
  try {
    takeOrRefuse(again, "pings", pings, "ada");
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ code: "RATE_LIMITED", retryAfter: 60 });
  }
  expect([set, again].map(({ headers }) => headers.ratelimit)).toEqual([
    '"requests";r=9;t=6, "pings";r=0;t=60',
    '"pings";r=0;t=60',
  ]);
  expect(set.headers["ratelimit-policy"]).toBe('"requests";q=10;w=60, "pings";q=1;w=60');
});

test("a limiter allows at most the limit at once, and again after Retry-After, for any limit and window", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 3600 }), (limit, windowSeconds) => {
      const { clock, limiter } = setUp(limit, windowSeconds);
      let allowed = 0;
      while (limiter.take("key").allowed) allowed++;
      expect(allowed).toBe(limit);
      clock.advance(limiter.peek("key").retryAfter * 1000);
      expect(limiter.take("key").allowed).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test("a clock that is set back fills no bucket", () => {
  const clock = movableClock();
  const limiter = createLimiter({ clock, limit: 10, windowSeconds: 60 });
  expect(limiter.take("k").allowed).toBe(true);
  clock.advance(-3_600_000);
  expect(limiter.take("k")).toMatchObject({ allowed: true, remaining: 8 });
});

test("a full bucket leaks again from the moment on at which the clock is set back", () => {
  const { clock, limiter } = setUp(1, 60);
  clock.advance(86_400_000);
  expect(limiter.take("k").allowed).toBe(true);
  clock.advance(-86_400_000);
  expect(limiter.take("k")).toMatchObject({ allowed: false, retryAfter: 60 });
  clock.advance(60_000);
  expect(limiter.take("k").allowed).toBe(true);
});

test("the reset of RateLimit agrees with Retry-After: at the limit, both are the time until the next request", () => {
  const { clock, limiter } = setUp(3, 60);
  const ask = () => {
    const set: Fields = { headers: {} };
    try {
      takeOrRefuse(set, "keys", limiter, "ada");
      return [set.headers.ratelimit];
    } catch (error) {
      return [set.headers.ratelimit, error instanceof Problem && error.retryAfter];
    }
  };
  expect([ask(), ask(), ask(), ask()]).toEqual([
    ['"keys";r=2;t=20'],
    ['"keys";r=1;t=40'],
    ['"keys";r=0;t=20'],
    ['"keys";r=0;t=20', 20],
  ]);
  clock.advance(15_000);
  expect(ask()).toEqual(['"keys";r=0;t=5', 5]);
  clock.advance(5000);
  expect(ask()).toEqual(['"keys";r=0;t=20']);
});
