/** Times as people write them, and the instants that they are. */
import { expect, test } from "bun:test";
import { clockAt, dayAfter, instantAt, timeOf } from "../../src/console/app/local-time.ts";

const berlin = "Europe/Berlin";

test("times are written with and without a colon", () => {
  expect(["1405", "905", "14:05", "9.05", " 2359z", "0000"].map(timeOf)).toEqual([
    ...["14:05", "09:05", "14:05", "09:05", "23:59", "00:00"],
  ]);
  expect(["", "14", "2400", "1260", "noon", "14:5", "140500"].map(timeOf)).toEqual(Array(7).fill(undefined));
});

test("an instant is what the clocks of the zone show, on both sides of their change", () => {
  expect(instantAt("2026-06-15", "14:05", berlin)).toBe("2026-06-15T12:05:00.000Z");
  expect(instantAt("2026-12-15", "14:05", berlin)).toBe("2026-12-15T13:05:00.000Z");
  expect(instantAt("2026-06-15", "14:05", "UTC")).toBe("2026-06-15T14:05:00.000Z");
  expect(instantAt("2026-06-15", "00:00", "Pacific/Auckland")).toBe("2026-06-14T12:00:00.000Z");
  expect(instantAt("2026-03-29", "01:59", berlin)).toBe("2026-03-29T00:59:00.000Z");
  expect(instantAt("2026-03-29", "03:00", berlin)).toBe("2026-03-29T01:00:00.000Z");
  // Shown twice: the first. Shown never: as before the change.
  expect(instantAt("2026-10-25", "02:30", berlin)).toBe("2026-10-25T00:30:00.000Z");
  expect(instantAt("2026-10-25", "03:00", berlin)).toBe("2026-10-25T02:00:00.000Z");
  expect(instantAt("2026-03-29", "02:30", berlin)).toBe("2026-03-29T01:30:00.000Z");
  expect(instantAt("no day", "02:30", berlin)).toBeUndefined();
});

test("clocks show a day and a time, and days follow each other", () => {
  expect(clockAt("2026-06-15T22:30:00.000Z", berlin)).toEqual({ day: "2026-06-16", time: "00:30" });
  expect(dayAfter("2026-12-31")).toBe("2027-01-01");
  expect(dayAfter("2026-03-01", -1)).toBe("2026-02-28");
});
