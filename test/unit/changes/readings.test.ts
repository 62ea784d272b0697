/** When the logs are read: at once after quiet, and then after a pause that gathers what is committed. */
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { pauseBeside, Readings } from "../../../src/modules/changes/readings.ts";
import { times } from "../../support/school.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A commit every 10 ms for a while. @returns when the logs were read */
function readingsBeside(streams: number, milliseconds: number): number[] {
  let now = 0;
  const read: number[] = [];
  const readings = new Readings(
    () => read.push(now),
    () => pauseBeside(streams),
    () => now,
  );
  const pass = () => {
    now += 1;
    jest.advanceTimersByTime(1);
  };
  for (; now < milliseconds; pass()) if (now % 10 === 0) readings.request();
  // What was committed last is told, too.
  times(1000, pass);
  return read;
}

test.each([
  [1, 200],
  [40, 200],
  [60, 300],
  [100, 500],
  [2000, 500],
])("beside %d streams the first commit is read at once, and then all of %d ms together", (streams, pause) => {
  const [first = Number.NaN, ...others] = readingsBeside(streams, 2000);
  expect(first).toBeLessThanOrEqual(1);
  expect(others).toEqual(others.map((_, at) => first + (at + 1) * pause));
  expect(others.at(-1)).toBeGreaterThanOrEqual(1990);
});

test("after a pause without commits, one is read at once again", () => {
  let now = 0;
  let read = 0;
  const readings = new Readings(
    () => {
      read += 1;
    },
    () => pauseBeside(200),
    () => now,
  );
  for (const quiet of [0, 501, 501]) {
    now += quiet;
    const before = read;
    readings.request();
    jest.advanceTimersByTime(1);
    expect(read).toBe(before + 1);
  }
});

test("what was requested is not read after the last stream has gone", () => {
  let read = 0;
  const readings = new Readings(
    () => {
      read += 1;
    },
    () => 200,
  );
  readings.request();
  readings.cancel();
  jest.advanceTimersByTime(1000);
  expect(read).toBe(0);
});
