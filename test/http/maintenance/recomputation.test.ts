/** Whatever happens to flights and counters: counters and maintenance equal what follows from the flights. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { toInstant } from "../../../src/core/clock.ts";
import { isId } from "../../../src/core/ids.ts";
import { postedSince, recomputeCounters } from "../../../src/modules/fleet/fleet.queries.ts";
import { assess } from "../../../src/modules/maintenance/assessment/assess.ts";
import { itemsOf } from "../../../src/modules/maintenance/items/items.queries.ts";
import { expectStatus, newSchool, type School } from "../../support/school.ts";
import { addItem, tenantOf } from "./maintaining.ts";

const items = [
  { name: "Oil", interval_hours: "50.00", tolerance_hours: "5.00", critical: true, last_done_airframe_minutes: 72_000 },
  { name: "Tacho", hours_counter: "tacho", interval_hours: "20.00", critical: true, last_done_tacho: "1090.00" },
  { name: "Hook", interval_landings: 60, tolerance_landings: 10, critical: true, last_done_landings: 0 },
  {
    name: "Annual",
    interval_hours: "60.00",
    interval_months: 12,
    last_done_on: "2025-07-20",
    last_done_airframe_minutes: 71_000,
  },
];

const move = fc.record({
  flight: fc.nat({ max: 3 }),
  move: fc.constantFrom("submit", "approve", "reject", "reverse", "edit", "correct"),
  minutes: fc.integer({ min: 1, max: 900 }),
  landings: fc.nat({ max: 40 }),
});

async function compare(school: School) {
  const { aircraftId } = school;
  if (!isId<"aircraft">(aircraftId)) throw new Error("An aircraft has an id.");
  const since = toInstant(new Date(0));
  const { counters, recent, rows } = await tenantOf(school).read(async (reader) => ({
    counters: await recomputeCounters(reader, aircraftId),
    recent: await postedSince(reader, aircraftId, since),
    rows: await itemsOf(reader, aircraftId),
  }));
  const { airframe_minutes, landings, status, groundings } = await school.aircraft();
  expect({ airframe_minutes, landings }).toEqual({
    airframe_minutes: counters.airframe_minutes,
    landings: counters.landings,
  });
  const today = Temporal.PlainDate.from("2026-06-14");
  for (const row of rows) expect(row).toMatchObject(assess(row, { counters, recent, today }));
  const grounding = rows.filter(({ critical, past_tolerance }) => critical && past_tolerance).map(({ id }) => id);
  const shown: string[] = groundings.map(({ subject_id }: { subject_id: string }) => subject_id);
  expect(shown.toSorted()).toEqual(grounding.toSorted());
  expect(status).toBe(grounding.length > 0 ? "grounded" : "available");
}

test("counters, maintenance and groundings equal their recomputation after any sequence of actions", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 14 }), async (moves) => {
      const school = await newSchool();
      const { owner, instructor, student } = school;
      for (const item of items) await addItem(school, item);
      const flights = await Promise.all([0, 1, 2, 3].map(() => school.submitFlight(student, { blockMinutes: 300 })));
      for (const { flight, move, minutes, landings } of moves) {
        const path = `/flights/${flights[flight].id}`;
        const readings = { tacho_start: "1100.00", tacho_end: `${1100 + Math.floor(minutes / 60)}.00` };
        if (move === "correct") {
          const counters = { landings, airframe_minutes: 73_000 + minutes, reason: "Read again." };
          expectStatus(200, await owner.patch(`/aircraft/${school.aircraftId}`, { counters }));
        } else if (move === "edit") {
          const body = { ...readings, day_landings: landings };
          await student.patch(path, school.flightBody({ blockMinutes: minutes, body }));
        } else if (move === "submit") await student.post(`${path}/submit`);
        else if (move === "approve") await instructor.post(`${path}/approve`);
        else await owner.post(`${path}/${move}`, { reason: "Because." });
        await compare(school);
      }
    }),
    { numRuns: 10 },
  );
});
