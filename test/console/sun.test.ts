/** Sunrise, sunset and civil twilight, against published times (timeanddate.com, Royal Observatory Greenwich, Geoscience Australia, USNO). */
import { describe, expect, test } from "bun:test";
import { shadesIn, sunOf } from "../../src/console/screens/planning/sun.ts";

const London = { latitude: 51.5074, longitude: -0.1278 };
const NewYork = { latitude: 40.7128, longitude: -74.006 };
const Sydney = { latitude: -33.8688, longitude: 151.2093 };
const Reykjavik = { latitude: 64.1466, longitude: -21.9426 };
const Tromso = { latitude: 69.6492, longitude: 18.9553 };
const Longyearbyen = { latitude: 78.2232, longitude: 15.6267 };

const near = (at: number, expected: string) =>
  expect(Math.abs(at - Date.parse(expected)) / 60_000).toBeLessThanOrEqual(2);

describe("the day", () => {
  test.each([
    ["London in June", London, "2026-06-21T12:00Z", "2026-06-21T03:43Z", "2026-06-21T20:21Z"],
    ["London in December", London, "2026-12-21T12:00Z", "2026-12-21T08:04Z", "2026-12-21T15:53Z"],
    ["New York in December", NewYork, "2026-12-21T17:00Z", "2026-12-21T12:17Z", "2026-12-21T21:32Z"],
    ["Sydney in December", Sydney, "2026-12-21T01:00Z", "2026-12-20T18:41Z", "2026-12-21T09:05Z"],
    ["Sydney in June", Sydney, "2026-06-21T02:00Z", "2026-06-20T21:00Z", "2026-06-21T06:54Z"],
    [
      "Reykjavik, where it sets after midnight",
      Reykjavik,
      "2026-06-21T13:00Z",
      "2026-06-21T02:55Z",
      "2026-06-22T00:03Z",
    ],
  ])("%s", (_, position, noon, rise, set) => {
    const { day } = sunOf(Date.parse(noon), position);
    if (typeof day === "string") throw new Error(day);
    near(day.from, rise);
    near(day.to, set);
  });

  test("near the poles the sun stays up or down, and there may be twilight without a day", () => {
    expect(sunOf(Date.parse("2026-06-21T10:40Z"), Tromso).day).toBe("always");
    const winter = sunOf(Date.parse("2026-12-21T10:40Z"), Tromso);
    expect(winter.day).toBe("never");
    expect(winter.light).toMatchObject({ from: expect.any(Number), to: expect.any(Number) });
    expect(sunOf(Date.parse("2026-12-21T10:40Z"), Longyearbyen).light).toBe("never");
  });
});

test("twilight is between night and day, and all of them fill the time without gaps", () => {
  const [from, to] = [Date.parse("2026-06-15T22:00Z"), Date.parse("2026-06-16T22:00Z")];
  const shades = shadesIn(from, to, London).sort((one, other) => one.from - other.from);
  expect(shades.map(({ kind }) => kind)).toEqual(["night", "twilight", "twilight", "night"]);
  expect(shades[0]?.from).toBe(from);
  expect(shades[0]?.to).toBe(shades[1]?.from);
  expect(shades[2]?.to).toBe(shades[3]?.from);
  expect(shades[3]?.to).toBe(to);
});

test("a night without civil darkness has twilight alone; a polar day and a polar night have one shade or none", () => {
  const day = [Date.parse("2026-06-20T22:00Z"), Date.parse("2026-06-21T22:00Z")] as const;
  expect(new Set(shadesIn(...day, Reykjavik).map(({ kind }) => kind))).toEqual(new Set(["twilight"]));
  expect(shadesIn(...day, Tromso)).toEqual([]);
  const dark = [Date.parse("2026-12-20T23:00Z"), Date.parse("2026-12-21T23:00Z")] as const;
  expect(shadesIn(...dark, Longyearbyen)).toEqual([{ kind: "night", from: dark[0], to: dark[1] }]);
});
