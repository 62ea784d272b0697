/** Progress always equals what the approved flights add up to, whatever was approved and reversed before. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { expectStatus } from "../../support/school.ts";
import { doneOf, enroll, everyMinimum, flightOf, newTrainingSchool, progressOf, small } from "./school.ts";

const roles = ["dual", "solo", "spic"] as const;

test("progress equals its recomputation from the flights, after any approvals and reversals", async () => {
  const actions = fc.array(
    fc.record({
      role: fc.constantFrom(...roles),
      minutes: fc.integer({ min: 5, max: 240 }),
      night: fc.integer({ min: 0, max: 5 }),
      landings: fc.integer({ min: 0, max: 9 }),
      km: fc.option(fc.integer({ min: 1, max: 500 })),
      /** How far the flight gets. */
      moves: fc.constantFrom("draft", "submitted", "approved", "reversed", "rejected"),
    }),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(actions, async (flights) => {
      const school = await newTrainingSchool({ ...small, minima: everyMinimum });
      const { owner } = school;
      const id = await enroll(school);
      const expected: Record<string, number> = {};
      const add = (name: string, amount: number) => {
        expected[name] = (expected[name] ?? 0) + amount;
      };
      for (const [ago, { role, minutes, night, landings, km, moves }] of flights.entries()) {
        const body = { night_minutes: night, day_landings: landings, cross_country_km: km };
        const lesson = role === "solo" ? "2" : "1";
        const flight = flightOf(school, { lesson, minutes, ago: ago + 1, function: role, body });
        const path = `/flights/${expectStatus(201, await owner.post("/flights", flight)).body.data.id}`;
        if (moves !== "draft") expectStatus(200, await owner.post(`${path}/submit`));
        if (moves === "rejected") expectStatus(200, await owner.post(`${path}/reject`, { reason: "Unclear." }));
        if (moves === "approved" || moves === "reversed") expectStatus(200, await owner.post(`${path}/approve`));
        if (moves === "reversed") expectStatus(200, await owner.post(`${path}/reverse`, { reason: "Wrong." }));
        if (moves !== "approved") continue;
        add("total_minutes", minutes);
        if (role !== "spic") add(`${role}_minutes`, minutes);
        add("night_minutes", night);
        if (role === "dual") add("dual_night_minutes", night);
        add("landings", landings);
        if (role === "solo") add("solo_landings", landings);
        if (km === null) continue;
        add("cross_country_minutes", minutes);
        if (role !== "spic") add(`${role}_cross_country_minutes`, minutes);
      }
      const shown = Object.entries(doneOf(await progressOf(school, id))).filter(
        ([, done]) => done !== null && done > 0,
      );
      expect(Object.fromEntries(shown)).toEqual(
        Object.fromEntries(Object.entries(expected).filter(([, amount]) => amount > 0)),
      );
    }),
    { numRuns: 12 },
  );
}, 300_000);
