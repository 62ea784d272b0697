import { expect, test } from "bun:test";
import { expectStatus } from "../../support/school.ts";
import { enroll, newTrainingSchool } from "../training/school.ts";
import { booked, lesson, solo } from "./booking.ts";

test("the reports count what was booked, flown, missed and cancelled in the period", async () => {
  const school = await newTrainingSchool();
  const { owner, instructor, student, aircraftId, orgId, installation } = school;
  await enroll(school);
  const report = async (name: string, query = "from=2026-06-01T00:00:00Z&to=2026-06-08T00:00:00Z") =>
    expectStatus(200, await owner.get(`/reports/${name}?${query}`)).body.data;
  // From Monday to Friday, four hours each.
  for (const weekday of [1, 2, 3, 4, 5]) {
    const hours = { weekday, from_time: "08:00", to_time: "12:00" };
    expectStatus(201, await owner.post("/planning/hours", hours));
    expectStatus(201, await owner.post("/planning/hours", { ...hours, person_id: instructor.personId }));
  }
  expectStatus(201, await owner.post("/planning/absences", { from_on: "2026-06-05", until_on: "2026-06-05" }));
  await booked(owner, lesson(school, "2026-06-01T06:00Z", 120));
  const missed = await booked(owner, solo(school, "2026-06-02T06:00Z"));
  expectStatus(200, await owner.post(`/planning/sessions/${missed.id}/no-show`));
  const cancelled = await booked(owner, lesson(school, "2026-06-03T06:00Z"));
  expectStatus(200, await owner.post(`/planning/sessions/${cancelled.id}/cancel`, { reason: "weather" }));
  await booked(owner, solo(school, "2026-06-08T00:00Z"));
  const { id } = await school.submitFlight(instructor, {
    blockMinutes: 90,
    body: {
      ...{ off_block_at: "2026-06-01T06:00:00Z", on_block_at: "2026-06-01T07:30:00Z", nature: "training" },
      crew: [
        { person_id: instructor.personId, function: "instructor" },
        { person_id: student.personId, function: "dual" },
      ],
    },
  });
  expectStatus(200, await owner.post(`/flights/${id}/approve`));

  const counts = {
    ...{ sessions: 1, booked_minutes: 120, completed: 0, no_shows: 1, late_cancellations: 1 },
    cancellations: { weather: 1, aircraft: 0, student: 0, instructor: 0, school: 0, other: 0 },
  };
  expect(await report("utilisation")).toEqual([
    {
      id: aircraftId,
      registration: "D-EABC",
      bookable_minutes: 960,
      ...counts,
      flown_minutes: 90,
      utilisation_percent: 13,
    },
  ]);
  expect(await report("instructors")).toEqual([
    {
      ...{ id: instructor.personId, name: "Ines Instructor", available_minutes: 1200, ...counts, no_shows: 0 },
      ...{ flown_minutes: 90, idle_minutes: 1080 },
    },
  ]);
  const [row] = await report("students");
  expect(row).toMatchObject({ student: { name: "Sam Student" }, ...counts, ready_for_test: false });
  expect((await report("utilisation", "from=2026-06-09T00:00:00Z&to=2026-06-10T00:00:00Z"))[0]).toMatchObject({
    sessions: 0,
    flown_minutes: 0,
  });
  const csv = await installation.call("GET", `/orgs/${orgId}/reports/utilisation?from=2026-06-01T00:00:00Z`, {
    token: owner.token,
    headers: { accept: "text/csv" },
  });
  expect(csv.text).toContain("cancellations.weather");
  expectStatus(400, await owner.get("/reports/students?from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z"));
  expectStatus(403, await instructor.get("/reports/students"));
});
