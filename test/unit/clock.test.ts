import { expect, test } from "bun:test";
import fc from "fast-check";
import { days, hours, minutes, seconds, shift, systemClock, toInstant } from "../../src/core/clock.ts";

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
