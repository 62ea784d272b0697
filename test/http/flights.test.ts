import { expect, test } from "bun:test";
import { newSchool, statuses, times } from "../support/school.ts";

test("approveFlight posts a flight once, however many approvals race", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student, { blockMinutes: 62 });

  const answers = await Promise.all(times(8, () => school.instructor.post(`/flights/${flight.id}/approve`)));

  expect(statuses(answers)).toEqual([200, ...times(7, () => 409)]);
});
