/** Recency: what counts, until when, and what is missing. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type Flown,
  laplStanding,
  revalidationByExperience,
  standing,
} from "../../../src/modules/compliance/rules/experience.ts";
import { experienceRules } from "../../../src/modules/compliance/rules/rules.ts";
import { day, someDay } from "./days.ts";

const { passengers, passengers_at_night: atNight, lapl_a: lapl } = experienceRules;

const landed = (...entries: [date: string, landings: number][]) =>
  entries.map(([date, landings]) => ({ date: day(date), amounts: { landings } }));

/** As text, so that a failure is readable. */
const told = ({ met, until, missing }: ReturnType<typeof standing>) => [
  met,
  String(until),
  ...missing.map(({ what, amount, by }) => `${amount} ${what} by ${by}`),
];

describe("recency with passengers", () => {
  test("three landings of the last 90 days: the oldest counts through the 90th day", () => {
    const flown = landed(["2026-04-04", 2], ["2026-05-01", 1]);
    expect(told(standing(passengers, flown, day("2026-06-01")))).toEqual([
      true,
      "2026-07-03",
      "2 landings by 2026-07-03",
    ]);
    expect(standing(passengers, flown, day("2026-07-03")).met).toBe(true);
    expect(told(standing(passengers, flown, day("2026-07-04")))).toEqual([false, "null", "2 landings by null"]);
  });

  test("landings beyond three keep it longer, and those of a later day do not count yet", () => {
    const flown = landed(["2026-03-01", 3], ["2026-03-20", 2], ["2026-04-10", 1]);
    expect(told(standing(passengers, flown, day("2026-03-05")))).toEqual([
      true,
      "2026-05-30",
      "3 landings by 2026-05-30",
    ]);
    expect(told(standing(passengers, flown, day("2026-04-11")))).toEqual([
      true,
      "2026-06-18",
      "2 landings by 2026-06-18",
    ]);
  });

  test("at night: one landing at night", () => {
    const flown = [{ date: day("2026-01-15"), amounts: { night_landings: 1 } }];
    expect(told(standing(atNight, flown, day("2026-02-01")))).toEqual([
      true,
      "2026-04-15",
      "1 night_landings by 2026-04-15",
    ]);
    expect(standing(atNight, [], day("2026-02-01")).met).toBe(false);
  });

  test("never flown", () => {
    expect(told(standing(passengers, [], day("2026-06-01")))).toEqual([false, "null", "3 landings by null"]);
  });
});

describe("recency of the LAPL(A)", () => {
  const year = (date: string, minutes: number, landings: number, withInstructor = 0) => ({
    date: day(date),
    amounts: { pic_or_supervised_minutes: minutes, landings, instructor_minutes: withInstructor },
  });

  test("12 hours, 12 landings and an hour with an instructor in 24 months, to the day", () => {
    const flown = [year("2024-02-29", 600, 10), year("2025-06-01", 120, 2, 60)];
    expect(told(laplStanding(flown, { on: day("2026-02-28") }))).toEqual([
      true,
      "2026-02-28",
      "600 pic_or_supervised_minutes by 2026-02-28",
      "10 landings by 2026-02-28",
    ]);
    expect(laplStanding(flown, { on: day("2026-03-01") }).met).toBe(false);
  });

  test("names all that is missing", () => {
    expect(told(laplStanding([year("2026-01-01", 719, 12)], { on: day("2026-03-01") }))).toEqual([
      false,
      "null",
      "1 pic_or_supervised_minutes by null",
      "60 instructor_minutes by null",
    ]);
  });

  test("a proficiency check does as well, for 24 months", () => {
    const checked_until = day("2027-03-01");
    expect(told(laplStanding([], { on: day("2026-03-01"), checked_until })).slice(0, 2)).toEqual([true, "2027-03-01"]);
    expect(laplStanding([], { on: day("2027-03-02"), checked_until }).met).toBe(false);
    const flown = [year("2026-01-01", 720, 12, 60)];
    expect(String(laplStanding(flown, { on: day("2026-03-01"), checked_until }).until)).toBe("2028-01-01");
  });
});

describe("revalidation of SEP and TMG by experience", () => {
  const expiry = day("2026-06-30");
  const flight = (date: string, minutes: number, pic = minutes, refresher = 0, landings = 6) => ({
    date: day(date),
    amounts: { flight_minutes: minutes, pic_minutes: pic, landings, refresher_minutes: refresher },
  });

  test("counts the last 12 months before the expiry only", () => {
    const flown = [flight("2025-06-29", 600), flight("2025-06-30", 360), flight("2026-06-30", 360, 0, 60)];
    expect(revalidationByExperience(expiry, flown, { on: expiry })).toMatchObject({ met: true, missing: [] });
    expect(told(revalidationByExperience(expiry, flown, { on: day("2026-06-29") }))).toEqual([
      false,
      "null",
      "360 flight_minutes by 2026-06-30",
      "6 landings by 2026-06-30",
      "60 refresher_minutes by 2026-06-30",
    ]);
  });

  test("a pilot who passed a check in another class needs no refresher training", () => {
    const flown = [flight("2026-01-01", 720, 360, 0, 12)];
    expect(revalidationByExperience(expiry, flown, { on: expiry }).met).toBe(false);
    expect(revalidationByExperience(expiry, flown, { on: expiry, exempt: true }).met).toBe(true);
  });
});

describe("standing", () => {
  type What = keyof typeof lapl.needs;
  const flown: fc.Arbitrary<Flown<What>[]> = fc.array(
    fc.record({
      date: someDay("2023-06-01", "2026-06-30"),
      amounts: fc.record({
        pic_or_supervised_minutes: fc.integer({ min: 0, max: 400 }),
        landings: fc.integer({ min: 0, max: 5 }),
        instructor_minutes: fc.integer({ min: 0, max: 90 }),
      }),
    }),
    { maxLength: 25 },
  );
  const on = someDay("2026-01-01", "2026-06-30");

  /** By its definition, day by day. */
  const isMet = (flights: readonly Flown<What>[], at: Temporal.PlainDate): boolean => {
    const counting = flights.filter(
      ({ date }) =>
        Temporal.PlainDate.compare(date, at) <= 0 && Temporal.PlainDate.compare(date.add(lapl.within), at) >= 0,
    );
    return (Object.keys(lapl.needs) as What[]).every(
      (what) => counting.reduce((sum, { amounts }) => sum + (amounts[what] ?? 0), 0) >= lapl.needs[what],
    );
  };

  test("is met on every day through `until`, and not on the day after it", () => {
    fc.assert(
      fc.property(flown, on, (flights, at) => {
        const past = flights.filter(({ date }) => Temporal.PlainDate.compare(date, at) <= 0);
        const { met, until } = standing(lapl, flights, at);
        expect(met).toBe(isMet(past, at));
        if (until === null) return;
        for (const days of [0, 1, 30]) {
          const earlier = until.subtract({ days });
          if (Temporal.PlainDate.compare(earlier, at) >= 0) expect(isMet(past, earlier)).toBe(true);
        }
        expect(isMet(past, until.add({ days: 1 }))).toBe(false);
      }),
    );
  });

  test("with a proficiency check, `until` is the last of the days on which either is met", () => {
    fc.assert(
      fc.property(flown, on, someDay("2025-12-01", "2028-06-30"), (flights, at, checked_until) => {
        const past = flights.filter(({ date }) => Temporal.PlainDate.compare(date, at) <= 0);
        const { met, until, missing } = laplStanding(flights, { on: at, checked_until });
        const isMetOn = (then: Temporal.PlainDate) =>
          isMet(past, then) || Temporal.PlainDate.compare(then, checked_until) <= 0;
        expect(met).toBe(isMetOn(at));
        let then = at;
        while (isMetOn(then)) then = then.add({ days: 1 });
        expect(String(until)).toBe(met ? String(then.subtract({ days: 1 })) : "null");
        expect(missing.length).toBeGreaterThan(0);
        for (const { by } of missing) expect(String(by)).toBe(String(until));
      }),
    );
  });

  test("flying what is missing by its date meets the rule on the day after, and flying one less of each does not", () => {
    fc.assert(
      fc.property(flown, on, (flights, at) => {
        const past = flights.filter(({ date }) => Temporal.PlainDate.compare(date, at) <= 0);
        const { until, missing } = standing(lapl, past, at);
        const flies = (less: number): Flown<What>[] =>
          missing.map(({ what, amount, by }) => ({ date: by ?? at, amounts: { [what]: amount - less } }));
        const then = until?.add({ days: 1 }) ?? at;
        expect(isMet([...past, ...flies(0)], then)).toBe(true);
        expect(isMet([...past, ...flies(1)], then)).toBe(false);
      }),
    );
  });
});
