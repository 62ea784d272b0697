import { expect, test } from "bun:test";
import fc from "fast-check";
import { placesOf } from "../../src/core/currencies.ts";
import { Problem } from "../../src/core/errors.ts";
import { netOf, sumOf, vatOn } from "../../src/core/money.ts";

const amount = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
const quantity = fc.integer({ min: -10_000_000, max: 10_000_000 });

/** Whether `result` is the integer nearest to `dividend / divisor`, and of two the one farther from zero. */
function isNearest(result: number, dividend: bigint, divisor: bigint): boolean {
  const error = 2n * (BigInt(result) * divisor - dividend);
  const size = error < 0n ? -error : error;
  const awayFromZero = dividend < 0n ? error < 0n : error > 0n;
  return size < divisor || (size === divisor && awayFromZero);
}

test("netOf is the integer nearest to the exact amount, half away from zero", () => {
  fc.assert(
    fc.property(quantity, amount, fc.constantFrom(1, 60), (units, unit_price_minor, price_per) =>
      isNearest(
        netOf(units, { unit_price_minor, price_per }),
        BigInt(units) * BigInt(unit_price_minor),
        100n * BigInt(price_per),
      ),
    ),
    { numRuns: 1000 },
  );
});

test("a half is rounded away from zero", () => {
  const per = { unit_price_minor: 1, price_per: 1 };
  expect([50, 150, -50, -150, 49, -49].map((units) => netOf(units, per))).toEqual([1, 2, -1, -2, 0, -0 + 0]);
});

test("a negative amount mirrors the positive one, and no amount is -0", () => {
  fc.assert(
    fc.property(quantity, amount, (units, unit_price_minor) => {
      const price = { unit_price_minor, price_per: 60 };
      const net = netOf(units, price);
      expect(netOf(-units, price) + net).toBe(0);
      expect(Object.is(net, -0)).toBe(false);
    }),
  );
});

test("vatOn is the integer nearest to the exact tax", () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (net, rate) =>
      isNearest(vatOn(net, rate), BigInt(net) * BigInt(rate), 10_000n),
    ),
    { numRuns: 1000 },
  );
  expect(vatOn(22_500, 1900)).toBe(4275);
});

test("an amount that no safe integer holds is refused, not rounded", () => {
  expect(sumOf([Number.MAX_SAFE_INTEGER, -1, 1])).toBe(Number.MAX_SAFE_INTEGER);
  for (const exceed of [
    () => sumOf([Number.MAX_SAFE_INTEGER, 1]),
    () => sumOf([-Number.MAX_SAFE_INTEGER, -1]),
    () => netOf(Number.MAX_SAFE_INTEGER, { unit_price_minor: 1000, price_per: 1 }),
    () => vatOn(Number.MAX_SAFE_INTEGER, 20_000),
  ])
    expect(exceed).toThrow(Problem);
});

test("the minor unit of a currency is that of ISO 4217, whatever the runtime's", () => {
  expect(["EUR", "HUF", "ALL", "RSD", "JPY", "ISK", "KWD", "CLF"].map(placesOf)).toEqual([2, 2, 2, 2, 0, 0, 3, 4]);
});
