/** A flight as it is typed, and as the API takes it. */
import { expect, test } from "bun:test";
import { bodyOf, lengthsOf, minutesOf, nothing, type Typed } from "../../src/console/screens/flights/entry.ts";

const body = (typed: Partial<Typed>, prefilled: readonly string[] = []) =>
  bodyOf({ typed: { ...nothing, day: "2026-06-13", ...typed }, crew: [] }, "Europe/Berlin", prefilled);

test("a time before the one before it is on the next day", () => {
  const flown = body({ offBlock: "2330", takeOff: "23:40", landing: "0010", onBlock: "0020" });
  expect(flown).toMatchObject({
    off_block_at: "2026-06-13T21:30:00.000Z",
    take_off_at: "2026-06-13T21:40:00.000Z",
    landing_at: "2026-06-13T22:10:00.000Z",
    on_block_at: "2026-06-13T22:20:00.000Z",
  });
  expect(lengthsOf(flown)).toEqual({ block: 50, airborne: 30 });
  expect(lengthsOf(body({ offBlock: "2330" }))).toEqual({ block: undefined, airborne: undefined });
});

test("what is filled in is no reading until there is one after the flight", () => {
  const start = { hobbsStart: "1234.50" };
  expect(body(start, ["1234.50"])).toMatchObject({ hobbs_start: null, hobbs_end: null });
  expect(body({ hobbsStart: "1234,6" }, ["1234.50"])).toMatchObject({ hobbs_start: "1234.60", hobbs_end: null });
  expect(body({ ...start, hobbsEnd: "1235,5" }, ["1234.50"])).toMatchObject({
    ...{ hobbs_start: "1234.50", hobbs_end: "1235.50" },
  });
});

test("a place that is still being typed is none yet, and durations are minutes or hours with minutes", () => {
  expect(body({ departure: "EDF", arrival: "EDKB" })).toMatchObject({ departure: null, arrival: "EDKB" });
  expect(["", "45", "0:45", "1:05", "x"].map(minutesOf)).toEqual([0, 45, 45, 65, 0]);
});

test("what each made of the landings stays while the sum is the same, and for who stays on board as what they were", () => {
  const crew = [
    { person_id: "student", name: "Sam", function: "dual" as const, day_landings: 2, night_landings: 0 },
    { person_id: "fi", name: "Ines", function: "instructor" as const, day_landings: 1, night_landings: 0 },
  ];
  const on = (typed: Partial<Typed>, instructor = "fi") =>
    bodyOf(
      {
        typed: { ...nothing, day: "2026-06-13", dayLandings: "3", ...typed },
        crew: [
          { person: "student", function: "dual" },
          { person: instructor, function: "instructor" },
        ],
        landings: { crew, day_landings: 3, night_landings: 0 },
      },
      "Europe/Berlin",
      [],
    ).crew;
  expect(on({})).toMatchObject([{ day_landings: 2 }, { day_landings: 1 }]);
  expect(on({}, "other")).toEqual([
    { person_id: "student", function: "dual", day_landings: 2, night_landings: 0 },
    { person_id: "other", function: "instructor" },
  ]);
  expect(on({ dayLandings: "4" })?.every((one) => one.day_landings === undefined)).toBe(true);
});
