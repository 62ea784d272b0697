import { describe, expect, test } from "bun:test";
import { trainingRules } from "../../../src/modules/compliance/rules/rules.ts";
import { doneOf, minimaOf, summed, type Trained } from "../../../src/modules/compliance/rules/training-minima.ts";

const nothing = {
  ...(Object.fromEntries(summed.map((name) => [name, 0])) as Record<(typeof summed)[number], number>),
  cross_countries: [],
  long_cross_country: 0,
  age: null,
};
const whole: Trained = {
  ...nothing,
  total_minutes: 2400,
  simulator_minutes: 300,
  dual_minutes: 1500,
  solo_minutes: 600,
  solo_cross_country_minutes: 300,
  cross_countries: [{ distance_km: 270, full_stops_elsewhere: 2 }],
  age: 17,
};

const missing = (rule: keyof typeof trainingRules, trained: Trained) =>
  minimaOf(trainingRules[rule]).flatMap((minimum) => {
    const done = doneOf(minimum, trained);
    return (done ?? 0) < minimum.required ? [[minimum.measure, minimum.required, done]] : [];
  });

describe("doneOf", () => {
  test("nothing is missing at the least hours of the PPL(A) at 17, 5 of them in a simulator", () => {
    expect(missing("ppl_a", whole)).toEqual([]);
  });

  test("hours beyond 5 in a simulator do not count, and none for the LAPL(A)", () => {
    const trained = { ...whole, total_minutes: 2399, simulator_minutes: 900 };
    expect(missing("ppl_a", trained)).toEqual([["total_minutes", 2700, 2699]]);
    expect(missing("lapl_a", { ...whole, total_minutes: 1799 })).toEqual([["total_minutes", 1800, 1799]]);
  });

  test("names each minimum that is not met, with what is done", () => {
    const trained: Trained = {
      ...nothing,
      total_minutes: 60,
      dual_minutes: 60,
      // Far enough, but with one landing elsewhere; and the other way round.
      cross_countries: [
        { distance_km: 400, full_stops_elsewhere: 1 },
        { distance_km: 269, full_stops_elsewhere: 2 },
      ],
      age: 16,
    };
    expect(missing("ppl_a", trained)).toEqual([
      ["total_minutes", 2700, 60],
      ["dual_minutes", 1500, 60],
      ["solo_minutes", 600, 0],
      ["solo_cross_country_minutes", 300, 0],
      ["long_cross_country", 1, 0],
      ["age", 17, 16],
    ]);
    expect(missing("lapl_a", trained).map(([measure]) => measure)).not.toContain("long_cross_country");
  });

  test("an age that is not known is missing, and a credited long flight counts", () => {
    expect(missing("ppl_a", { ...whole, age: null })).toEqual([["age", 17, null]]);
    expect(missing("ppl_a", { ...whole, cross_countries: [], long_cross_country: 1 })).toEqual([]);
  });
});
