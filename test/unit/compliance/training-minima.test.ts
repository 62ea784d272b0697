import { describe, expect, test } from "bun:test";
import { trainingRules } from "../../../src/modules/compliance/rules/rules.ts";
import { missingFor, type Trained } from "../../../src/modules/compliance/rules/training-minima.ts";
import { day } from "./days.ts";

const whole: Trained = {
  total_minutes: 2400,
  simulator_minutes: 300,
  dual_minutes: 1500,
  solo_minutes: 600,
  solo_cross_country_minutes: 300,
  cross_countries: [{ distance_km: 270, full_stops_elsewhere: 2 }],
};
const adult = { on: day("2026-06-01"), date_of_birth: day("2009-06-01") };

describe("missingFor", () => {
  test("nothing, at the least hours of the PPL(A) on the 17th birthday, 5 of them in a simulator", () => {
    expect(missingFor(trainingRules.ppl_a, whole, adult)).toEqual([]);
  });

  test("hours beyond 5 in a simulator do not count, and none for the LAPL(A)", () => {
    const trained = { ...whole, total_minutes: 2399, simulator_minutes: 900 };
    expect(missingFor(trainingRules.ppl_a, trained, adult)).toEqual([
      { what: "total_minutes", required: 2700, done: 2699 },
    ]);
    const short = { ...whole, total_minutes: 1799 };
    expect(missingFor(trainingRules.lapl_a, short, adult)).toEqual([
      { what: "total_minutes", required: 1800, done: 1799 },
    ]);
  });

  test("names each minimum that is not met, with what is done", () => {
    const trained: Trained = {
      total_minutes: 60,
      simulator_minutes: 0,
      dual_minutes: 60,
      solo_minutes: 0,
      solo_cross_country_minutes: 0,
      // Far enough, but with one landing elsewhere; and the other way round.
      cross_countries: [
        { distance_km: 400, full_stops_elsewhere: 1 },
        { distance_km: 269, full_stops_elsewhere: 2 },
      ],
    };
    expect(missingFor(trainingRules.ppl_a, trained, { ...adult, date_of_birth: day("2009-06-02") })).toEqual([
      { what: "total_minutes", required: 2700, done: 60 },
      { what: "dual_minutes", required: 1500, done: 60 },
      { what: "solo_minutes", required: 600, done: 0 },
      { what: "solo_cross_country_minutes", required: 300, done: 0 },
      { what: "long_cross_country", required: 1, done: 0 },
      { what: "age", required: 17, done: 16 },
    ]);
    expect(missingFor(trainingRules.lapl_a, trained, adult).map(({ what }) => what)).not.toContain(
      "long_cross_country",
    );
  });
});
