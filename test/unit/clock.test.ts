import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  days,
  hasPassed,
  hours,
  isToCome,
  minutes,
  seconds,
  shift,
  systemClock,
  toInstant,
} from "../../src/core/clock.ts";

const moment = fc.date({ min: new Date("1970-01-01"), max: new Date("9999-01-01"), noInvalidDate: true });

test("toInstant writes RFC 3339 in UTC, with milliseconds and Z", () => {
  expect(toInstant(new Date("2026-06-14T11:00:00+02:00"))).toBe(toInstant(new Date("2026-06-14T09:00:00.000Z")));
  expect(String(toInstant(new Date(0)))).toBe("1970-01-01T00:00:00.000Z");
});

test("instants sort as strings in the order of time", () => {
  fc.assert(
    fc.property(moment, moment, (a, b) => {
      expect(toInstant(a) < toInstant(b)).toBe(a.getTime() < b.getTime());
    }),
  );
});

test("shift moves a date or an instant, forwards and back", () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: 0, max: days(365) }), (at, by) => {
      expect(shift(toInstant(at), by)).toBe(toInstant(new Date(at.getTime() + by)));
      expect(shift(shift(at, by), -by)).toBe(toInstant(at));
    }),
  );
});

test("seconds, minutes, hours and days are milliseconds", () => {
  expect([seconds(1), minutes(1), hours(1), days(1)]).toEqual([1000, 60_000, 3_600_000, 86_400_000]);
});

test("systemClock returns the machine's time", () => {
  const before = Date.now();
  const now = systemClock.now().getTime();
  expect(now).toBeWithin(before, Date.now() + 1);
});

test("what was planned at most an hour ahead is to come, unless that is past, or further away than clocks differ", () => {
  const now = toInstant(new Date("2026-06-14T09:00:00Z"));
  const ahead = [-1, 0, 1, hours(1) + minutes(1), hours(1) + minutes(1) + 1];
  expect(ahead.map((by) => isToCome(shift(now, by), now, hours(1)))).toEqual([false, false, true, true, false]);
});

test("an hour has passed since what is an hour ago, or further in the future than clocks differ", () => {
  const now = new Date("2026-06-14T09:00:00Z");
  const ago = [hours(1), hours(1) - 1, 0, -minutes(1), -minutes(1) - 1];
  const passed = ago.map((by) => hasPassed(hours(1), { since: now.getTime() - by, now }));
  expect(passed).toEqual([true, false, false, false, true]);
});
