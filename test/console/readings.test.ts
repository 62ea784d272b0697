/** Readings of counters as they are typed. */
import { expect, test } from "bun:test";
import {
  countPattern,
  durationPattern,
  hoursPattern,
  readCount,
  readDuration,
  readHours,
} from "../../src/console/app/readings.ts";

const fits = (pattern: string, typed: readonly string[]): string[] =>
  typed.filter((one) => new RegExp(`^(?:${pattern})$`, "v").test(one));

test("hours have a point or a comma, and thousands only where no reader could take them for decimals", () => {
  const typed = ["1234", "1234.5", "1234,50", "1.234,5", "1,234.50", "12.345.678,9"];
  expect(fits(hoursPattern, typed)).toEqual(typed);
  expect(typed.map(readHours)).toEqual(["1234.00", "1234.50", "1234.50", "1234.50", "1234.50", "12345678.90"]);
  expect(fits(hoursPattern, ["", "1.234", "1,234", "1.23,5", "12.34.5", "1234:30", "-1", "1.234.5"])).toEqual([]);
});

test("an airframe has hours and minutes, or hours", () => {
  const typed = ["1234:30", "1.234:30", "1,234:30", "1234.5", "1.234,5"];
  expect(fits(durationPattern, typed)).toEqual(typed);
  expect(typed.map(readDuration)).toEqual([74_070, 74_070, 74_070, 74_070, 74_070]);
  expect(fits(durationPattern, ["1234:60", ":30", "1234:5", "12", "1.23:30"])).toEqual([]);
});

test("a count may have its thousands marked", () => {
  const typed = ["0", "5432", "5.432", "5,432", "1.005.432"];
  expect(fits(countPattern, typed)).toEqual(typed);
  expect(typed.map(readCount)).toEqual([0, 5432, 5432, 5432, 1_005_432]);
  expect(fits(countPattern, ["5.43", "5.4321", "5,5", "-1", ""])).toEqual([]);
});
