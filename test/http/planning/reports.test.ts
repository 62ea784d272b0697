import { expect, test } from "bun:test";
import { expectStatus, newSchool } from "../../support/school.ts";
import { enroll, newTrainingSchool } from "../training/school.ts";
import { booked, cancel, during, lesson, solo } from "./booking.ts";

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
  expect(await report("utilization")).toEqual([
    {
      id: aircraftId,
      registration: "D-EABC",
      bookable_minutes: 960,
      ...counts,
      maintenance_minutes: 0,
      flown_minutes: 90,
      utilization_percent: 13,
    },
  ]);
  expect(await report("instructors")).toEqual([
    {
      ...{ id: instructor.personId, name: "Ines Instructor", available_minutes: 1200, ...counts, no_shows: 0 },
      ...{ flown_minutes: 90, idle_minutes: 1080 },
    },
  ]);
  // Of one without hours it is not known when they are there.
  const { id: newcomer } = expectStatus(201, await owner.post("/people", { name: "Zoe New", types: ["instructor"] }))
    .body.data;
  const unknown = { available_minutes: null, idle_minutes: null };
  expect(await report("instructors")).toMatchObject([{ id: instructor.personId }, { id: newcomer, ...unknown }]);
  const [row] = await report("students");
  expect(row).toMatchObject({ student: { name: "Sam Student" }, ...counts, ready_for_test: false });
  expect((await report("utilization", "from=2026-06-09T00:00:00Z&to=2026-06-10T00:00:00Z"))[0]).toMatchObject({
    sessions: 0,
    flown_minutes: 0,
  });
  const csv = await installation.call("GET", `/orgs/${orgId}/reports/utilization?from=2026-06-01T00:00:00Z`, {
    token: owner.token,
    headers: { accept: "text/csv" },
  });
  expect(csv.text).toContain("cancellations.weather");
  for (const query of ["from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z", "from=0001-01-01T00:00:00Z"])
    expect(expectStatus(400, await owner.get(`/reports/students?${query}`)).body.issues[0].path).toBe("query.from");
  expectStatus(403, await instructor.get("/reports/students"));
});

test("maintenance is no use of the aircraft, and sessions count as far as they are in the period", async () => {
  const school = await newSchool();
  const { owner, student, instructor, aircraftId } = school;
  const report = async (name: string) =>
    expectStatus(200, await owner.get(`/reports/${name}?from=2026-06-01T00:00:00Z&to=2026-06-02T00:00:00Z`)).body
      .data[0];
  await booked(owner, { ...during("2026-06-01T08:00Z", 120), kind: "maintenance", aircraft_id: aircraftId });
  await booked(owner, solo(school, "2026-05-31T23:00Z", 90));
  await booked(owner, lesson(school, "2026-06-01T23:00Z", 180));
  const attended = { kind: "ground", student_ids: [instructor.personId] };
  await booked(owner, { ...during("2026-06-01T12:00Z"), ...attended });
  expectStatus(200, await owner.patch("/planning/settings", { confirm_requests: true }));
  const request = await booked(student, { ...solo(school, "2026-06-16T08:00Z") });
  await cancel(school, request);
  expect(await report("utilization")).toMatchObject({
    ...{ sessions: 1, booked_minutes: 30 + 60, maintenance_minutes: 120, bookable_minutes: 1440 },
  });
  expect(await report("instructors")).toMatchObject({ sessions: 1, booked_minutes: 60 });
  const [row] = (await owner.get("/reports/utilization?from=2026-06-15T00:00:00Z&to=2026-06-17T00:00:00Z")).body.data;
  expect(row.cancellations.weather).toBe(0);
});

test("aircraft are in the order of their registrations, and instructors of their names", async () => {
  const { owner } = await newSchool();
  const plane = { registration: "D-EAAA", model: "C152", icao_type: "C152", class: "SEP" };
  expectStatus(201, await owner.post("/aircraft", plane));
  expectStatus(201, await owner.post("/people", { name: "Ada First", types: ["instructor"] }));
  const report = async (name: string) => expectStatus(200, await owner.get(`/reports/${name}`)).body.data;
  const planes: { registration: string }[] = await report("utilization");
  expect(planes.map(({ registration }) => registration)).toEqual(["D-EAAA", "D-EABC"]);
  const teachers: { name: string }[] = await report("instructors");
  expect(teachers.map(({ name }) => name)).toEqual(["Ada First", "Ines Instructor"]);
});

test("a student who flies without a lesson has flown; one who never did is idle since the enrollment", async () => {
  const school = await newTrainingSchool();
  const { owner, instructor, student } = school;
  await enroll(school, { started_on: "2026-05-25" });
  const row = async () => expectStatus(200, await owner.get("/reports/students")).body.data[0];
  expect(await row()).toMatchObject({ last_flown_at: null, days_since_flown: null, not_flown_for_21_days: false });
  const fly = async (day: string, nature: string) => {
    const times = { off_block_at: `${day}T06:00:00Z`, on_block_at: `${day}T07:00:00Z`, nature };
    const crew = [{ person_id: student.personId, function: "pic" }];
    const { id } = await school.submitFlight(student, { blockMinutes: 60, body: { ...times, crew } });
    expectStatus(200, await instructor.post(`/flights/${id}/approve`));
  };
  await fly("2026-05-20", "private");
  expect(await row()).toMatchObject({
    ...{ last_flown_at: "2026-05-20T06:00:00.000Z", days_since_flown: 25, not_flown_for_21_days: true },
  });
});

test("a report without an end is until now, or of 30 days if it begins later; one without a beginning is of 30 days; the longest of 366", async () => {
  const { owner } = await newSchool(); // it is 09:00 in UTC on 14 June 2026
  for (const weekday of [1, 2, 3, 4, 5, 6, 7])
    expectStatus(201, await owner.post("/planning/hours", { weekday, from_time: "08:00", to_time: "12:00" }));
  const ofDays = async (query: string) =>
    expectStatus(200, await owner.get(`/reports/utilization?${query}`)).body.data[0].bookable_minutes / 240;
  expect(await ofDays("from=2026-06-13T09:00:00Z")).toBe(1);
  expect(await ofDays("from=2026-06-14T09:00:00Z")).toBe(0);
  expect(await ofDays("from=2026-06-14T09:00:01Z")).toBe(30);
  expect(await ofDays("to=2026-06-14T09:00:00Z")).toBe(30);
  expect(await ofDays("")).toBe(30);
  expect(await ofDays("from=2025-06-13T09:00:00Z&to=2026-06-14T09:00:00Z")).toBe(366);
  const tooLong = await owner.get("/reports/utilization?from=2025-06-13T09:00:00Z&to=2026-06-14T09:00:01Z");
  expect(expectStatus(400, tooLong).body.issues).toMatchObject([
    { path: "query.from", code: "too_many_days", params: { max: 366 } },
  ]);
});
