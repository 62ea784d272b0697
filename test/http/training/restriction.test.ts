/** How far a restricted instructor is (FCL.910.FI): what counts, and who sees it. */
import { expect, test } from "bun:test";
import { expectStatus } from "../../support/school.ts";
import { enroll, fly, newTrainingSchool } from "./school.ts";

test("a restricted instructor's instruction and the solos that they supervised are counted", async () => {
  const school = await newTrainingSchool();
  const { owner, instructor, student, revision, join } = school;
  const path = `/people/${instructor.personId}/instructor-restriction`;
  const read = async (by = instructor) => expectStatus(200, await by.get(path)).body.data;
  const supervisor = await join(["instructor"], "Full Instructor");
  const supervised = { restricted_instructor: true, supervisor_id: supervisor.personId };
  expectStatus(200, await owner.patch(`/people/${instructor.personId}`, supervised));
  expect(await read()).toEqual({
    person_id: instructor.personId,
    person_name: "Ines Instructor",
    restricted: true,
    supervisor: { id: supervisor.personId, name: "Full Instructor" },
    instruction_minutes: { required: 6000, done: 0, missing: 6000 },
    supervised_solos: { required: 25, done: 0, missing: 25 },
    fulfilled: false,
    legal_basis: "FCL.910.FI, (EU) 1178/2011",
  });
  const done = async () => {
    const { instruction_minutes, supervised_solos } = await read();
    return [instruction_minutes.done, supervised_solos.done];
  };

  const enrollment_id = await enroll(school);
  const add = async (aircraft: object) => expectStatus(201, await owner.post("/aircraft", aircraft)).body.data.id;
  const tmg = await add({ registration: "D-KABC", model: "SF 25", class: "TMG" });
  const glider = await add({ registration: "D-1234", model: "ASK 21", class: "sailplane" });
  const fstd = await add({ registration: "FNPT-1", model: "ALSIM", class: "FSTD" });
  const dual = await fly(school, { lesson: "1", minutes: 90, ago: 9 });
  await fly(school, { lesson: "1", minutes: 30, ago: 8, body: { aircraft_id: tmg } });
  expect(await done()).toEqual([120, 0]);
  await fly(school, { lesson: "1", minutes: 60, ago: 7, body: { aircraft_id: glider } });
  const session = { aircraft_id: fstd, nature: "simulator", departure: null, arrival: null, day_landings: 0 };
  await fly(school, { lesson: "4", minutes: 60, ago: 6, body: session });
  expect(await done()).toEqual([120, 0]);
  expectStatus(200, await owner.post(`/flights/${dual}/reverse`, { reason: "Another instructor." }));
  expect(await done()).toEqual([30, 0]);

  const fi = { type: "fi", issued_on: "2020-01-15", valid_until: "2029-01-31" };
  for (const person_id of [instructor.personId, supervisor.personId])
    expectStatus(201, await owner.post("/compliance/records", { person_id, ...fi }));
  const medical = { type: "medical", level: "class_2", issued_on: "2026-01-10", valid_until: "2031-01-10" };
  expectStatus(201, await owner.post("/compliance/records", { person_id: student.personId, ...medical }));
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "2000-01-01" }));
  for (const { id: item_id } of revision.lesson("1").items)
    expectStatus(201, await supervisor.post("/training/signoffs", { enrollment_id, item_id, grade: "ok" }));
  expectStatus(200, await owner.patch(`/people/${instructor.personId}`, { restricted_instructor: false }));
  const item_id = revision.lesson("2").items[0].id;
  const supervise = async (flight_id: string, by = instructor) =>
    expectStatus(201, await by.post("/training/signoffs", { enrollment_id, item_id, flight_id, grade: "ok" })).body.data
      .id;
  const solo = await fly(school, { lesson: "2", function: "solo", ago: 5 });
  expect(await done()).toEqual([30, 0]);
  await supervise(solo, supervisor);
  expect(await done()).toEqual([30, 0]);
  const first = await supervise(solo);
  // A flight is one, however many items are signed off with it.
  const second = await supervise(solo);
  expect(await done()).toEqual([30, 1]);
  await supervise(await fly(school, { lesson: "2", function: "solo", ago: 4, body: { aircraft_id: glider } }));
  expect(await done()).toEqual([30, 1]);
  await supervise(await fly(school, { lesson: "2", function: "solo", ago: 3, body: { aircraft_id: tmg } }));
  expect(await done()).toEqual([30, 2]);
  for (const id of [first, second])
    expectStatus(200, await instructor.post(`/training/signoffs/${id}/void`, { reason: "Wrong." }));
  expect(await done()).toEqual([30, 1]);
});

test("a solo flight that names the instructor as its supervisor counts while it is approved", async () => {
  const school = await newTrainingSchool();
  const { owner, instructor, student, aircraftId } = school;
  const [start_at, end_at] = ["2026-06-14T09:30:00.000Z", "2026-06-14T10:30:00.000Z"];
  const body = {
    ...{ kind: "flight", start_at, end_at, aircraft_id: aircraftId },
    ...{ student_ids: [student.personId], instructor_id: instructor.personId },
  };
  const { id } = expectStatus(201, await owner.post("/planning/sessions", body)).body.data;
  const checkedIn = expectStatus(200, await owner.post(`/planning/sessions/${id}/check-in`)).body.data;
  const flown = {
    ...{
      off_block_at: "2026-06-14T07:00:00Z",
      on_block_at: "2026-06-14T08:00:00Z",
      departure: "EDFE",
      arrival: "EDFE",
    },
    ...{ day_landings: 1, nature: "training", supervisor_id: instructor.personId },
    ...{ crew: [{ person_id: student.personId, function: "solo" }] },
  };
  const solos = async () =>
    expectStatus(200, await owner.get(`/people/${instructor.personId}/instructor-restriction`)).body.data
      .supervised_solos.done;
  expectStatus(200, await owner.patch(`/flights/${checkedIn.flight_id}`, flown));
  expectStatus(200, await owner.post(`/flights/${checkedIn.flight_id}/submit`));
  expect(await solos()).toBe(0);
  expectStatus(200, await owner.post(`/flights/${checkedIn.flight_id}/approve`));
  expect(await solos()).toBe(1);
  expectStatus(200, await owner.post(`/flights/${checkedIn.flight_id}/reverse`, { reason: "Not flown." }));
  expect(await solos()).toBe(0);
});

test("the instructor and members who read training see it", async () => {
  const { owner, instructor, student, join } = await newTrainingSchool();
  const path = `/people/${instructor.personId}/instructor-restriction`;
  const other = await join(["instructor"], "Other Instructor");
  for (const by of [owner, instructor, other]) expectStatus(200, await by.get(path));
  expectStatus(404, await student.get(path));
  expectStatus(403, await (await join(["mechanic"], "Max Mechanic")).get(path));
  expectStatus(404, await owner.get(`/people/${owner.orgId}/instructor-restriction`));
  // An instructor who is a student as to the school's software sees their own.
  expectStatus(200, await owner.patch(`/members/${instructor.userId}`, { roles: ["student"] }));
  expectStatus(200, await instructor.get(path));
});
