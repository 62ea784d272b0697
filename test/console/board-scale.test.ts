/** Where times are on the board: days of clock changes, weeks, and back from a place to a time. */
import { expect, test } from "bun:test";
import { hoursIn, hoursOf, scaleOf, weekOf } from "../../src/console/screens/planning/scale.ts";

const zone = "Europe/Berlin";
const HOUR = 3_600_000;
const timesOf = (day: string, at = zone) =>
  scaleOf([day], at).spans.flatMap((span) => hoursIn(span, at).map(({ time }) => time));

test("a usual day has 24 hours", () => {
  const scale = scaleOf(["2026-06-15"], zone);
  expect(scale.length).toBe(24 * HOUR);
  expect(scale.shareOf(Date.parse("2026-06-15T10:00Z"))).toBe(0.5);
  expect(scale.timeAt(0.5)).toBe(Date.parse("2026-06-15T10:00Z"));
});

test("on the day on which summer time begins, an hour is missing and the others are as wide", () => {
  const scale = scaleOf(["2026-03-29"], zone);
  expect(scale.length).toBe(23 * HOUR);
  expect(timesOf("2026-03-29").slice(0, 4)).toEqual(["00:00", "01:00", "03:00", "04:00"]);
  expect(timesOf("2026-03-29")).toHaveLength(23);
  // Noon is eleven hours after midnight.
  expect(scale.shareOf(Date.parse("2026-03-29T10:00Z"))).toBeCloseTo(11 / 23, 10);
});

test("on the day on which it ends, an hour is there twice", () => {
  const scale = scaleOf(["2026-10-25"], zone);
  expect(scale.length).toBe(25 * HOUR);
  expect(timesOf("2026-10-25").slice(0, 5)).toEqual(["00:00", "01:00", "02:00", "02:00", "03:00"]);
  const [first, second] = ["2026-10-25T00:30Z", "2026-10-25T01:30Z"].map((at) => scale.shareOf(Date.parse(at)));
  expect((second ?? 0) - (first ?? 0)).toBeCloseTo(1 / 25, 10);
});

test("a clock change of half an hour, and one at midnight", () => {
  expect(scaleOf(["2026-10-04"], "Australia/Lord_Howe").length).toBe(23.5 * HOUR);
  expect(scaleOf(["2026-04-24"], "Africa/Cairo").length).toBe(23 * HOUR);
});

test("a week shows the hours of each day at which something is on, and what is between them is at a border", () => {
  const scale = scaleOf(weekOf("2026-06-17"), zone, [8, 18]);
  expect(scale.spans.map(({ day }) => day)).toEqual([
    ...["2026-06-15", "2026-06-16", "2026-06-17", "2026-06-18", "2026-06-19", "2026-06-20", "2026-06-21"],
  ]);
  expect(scale.length).toBe(70 * HOUR);
  const night = scale.shareOf(Date.parse("2026-06-15T22:00Z"));
  expect(night).toBeCloseTo(1 / 7, 10);
  expect(scale.timeAt(1 / 7)).toBe(Date.parse("2026-06-16T06:00Z"));
  expect(scale.timeAt(1)).toBe(Date.parse("2026-06-21T16:00Z"));
  for (const at of ["2026-06-15T06:30Z", "2026-06-18T11:45Z", "2026-06-21T15:00Z"].map(Date.parse))
    expect(Math.abs(scale.timeAt(scale.shareOf(at)) - at)).toBeLessThan(1);
});

test("the hours of a week follow what is on and when the school is open", () => {
  const times = (start_at: string, end_at: string) => ({ start_at, end_at });
  expect(hoursOf([], [], zone)).toEqual([7, 20]);
  expect(hoursOf([times("2026-06-15T04:00Z", "2026-06-15T19:30Z")], [], zone)).toEqual([6, 22]);
  expect(hoursOf([], [times("2026-06-15T03:15Z", "2026-06-15T04:00Z")], zone)).toEqual([5, 18]);
  // Over midnight: both ends are shown.
  expect(hoursOf([], [times("2026-06-15T20:00Z", "2026-06-16T01:00Z")], zone)).toEqual([0, 24]);
});
