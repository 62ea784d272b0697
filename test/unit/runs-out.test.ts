import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Instant, toInstant } from "../../src/core/clock.ts";
import { runsOutAt } from "../../src/modules/maintenance/forecast/runs-out.ts";

const at = (day: number): Instant => toInstant(new Date(Date.UTC(2026, 6, day)));
const hours = (...lengths: number[]) =>
  lengths.map((length, index) => ({ start_at: at(index + 1), minutes: length * 60 }));

test("runsOutAt returns the session that uses more than is left: exactly the rest is still flown", () => {
  expect(runsOutAt(300, 1, hours(1, 1, 1, 1))).toBe(at(4));
  expect(runsOutAt(299, 1, hours(1, 1, 1, 1))).toBe(at(3));
  expect(runsOutAt(400, 1, hours(1, 1, 1, 1))).toBeUndefined();
  expect(runsOutAt(300, 0.5, hours(1, 1, 1, 1, 1, 1, 1))).toBe(at(7));
  expect(runsOutAt(-1, 1, hours(1, 1))).toBe(at(1));
  expect(runsOutAt(0, 1, [])).toBeUndefined();
});

test("runsOutAt: the more is left, the later; the more it runs, the earlier", () => {
  const sessions = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 30 }).map((lengths) => hours(...lengths));
  const last = (one: Instant | undefined) => one ?? "9999";
  fc.assert(
    fc.property(
      sessions,
      fc.integer({ min: -500, max: 20_000 }),
      fc.nat(500),
      fc.integer({ min: 1, max: 100 }),
      (some, left, more, share) => {
        expect(last(runsOutAt(left + more, share / 100, some)) >= last(runsOutAt(left, share / 100, some))).toBe(true);
        expect(last(runsOutAt(left, 1, some)) <= last(runsOutAt(left, share / 100, some))).toBe(true);
      },
    ),
  );
});
