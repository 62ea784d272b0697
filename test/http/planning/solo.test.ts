/** Solo lessons: the student is alone on board, and the instructor supervises from the ground (FCL.010, FCL.020). */
import { expect, test } from "bun:test";
import { expectStatus, type School } from "../../support/school.ts";
import { enroll, newTrainingSchool } from "../training/school.ts";
import { booked, lesson, refused, solo } from "./booking.ts";

const start = "2098-07-01T10:00Z";

const medicalOf = (personId: string, level: string, valid_until: string) => ({
  ...{ person_id: personId, type: "medical", level, issued_on: "2025-01-15", valid_until },
});
const certificateOf = (personId: string, valid_until: string) => ({
  ...{ person_id: personId, type: "fi", issued_on: "2025-01-15", valid_until },
});
const record = async ({ owner }: Pick<School, "owner">, body: object) =>
  expectStatus(201, await owner.post("/compliance/records", body));

/** What the checks find, with the name of the person or the aircraft. */
const checksOf = async ({ owner }: Pick<School, "owner">, { id }: { id: string }): Promise<string[]> =>
  expectStatus(200, await owner.get(`/planning/sessions/${id}/checks`)).body.data.map(
    ({ rule, message }: { rule: string; message: string }) => `${rule}: ${message.split(":")[0]}`,
  );

test("a solo lesson with an instructor needs what a solo flight needs, in both kinds of session", async () => {
  const school = await newTrainingSchool();
  const { owner, student, revision } = school;
  await enroll(school);
  await record(school, medicalOf(student.personId, "class_2", "2026-06-30"));
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "2012-01-01" }));
  expectStatus(200, await owner.patch("/clearance/rules/solo_age", { action: "block" }));
  const alone = { ...lesson(school, "2026-07-01T10:00Z"), lesson_id: revision.lesson("2").id };
  const expected = ["medical_expired", "solo_age"];
  expect(await refused(owner, alone)).toEqual(expected);
  expect(await refused(owner, { ...alone, kind: "flight" })).toEqual(expected);
  expect(await refused(owner, { ...alone, kind: "flight", instructor_id: null })).toEqual(expected);
  await booked(owner, { ...alone, lesson_id: revision.lesson("1").id });
});

test("of the instructor of a solo lesson only the certificate counts, and that they are free", async () => {
  const school = await newTrainingSchool();
  const { owner, instructor, student, revision, join } = school;
  await enroll(school);
  await record(school, medicalOf(student.personId, "class_2", "2099-01-15"));
  await record(school, medicalOf(instructor.personId, "class_1", "2025-12-01"));
  const alone = { ...lesson(school, start), lesson_id: revision.lesson("2").id };
  const session = await booked(owner, alone);
  const aboutInstructor = async () =>
    (await checksOf(school, session)).filter((check) => check.endsWith("Ines Instructor"));
  expect(await aboutInstructor()).toEqual(["instructor_certificate: Ines Instructor"]);

  const supervisor = await join(["instructor"], "Full Instructor");
  const restriction = { restricted_instructor: true, supervisor_id: supervisor.personId };
  expectStatus(200, await owner.patch(`/people/${instructor.personId}`, restriction));
  await record(school, certificateOf(instructor.personId, "2098-07-01"));
  expect(await aboutInstructor()).toEqual(["restricted_instructor: Ines Instructor"]);

  expectStatus(200, await owner.patch("/clearance/rules/instructor_certificate", { action: "block" }));
  const nextDay = { ...lesson(school, "2098-07-02T10:00Z"), lesson_id: alone.lesson_id };
  expect(await refused(owner, nextDay)).toEqual(["instructor_certificate"]);
  const other = { registration: "D-EOTH", model: "Cessna 152", class: "SEP" };
  const aircraft_id = expectStatus(201, await owner.post("/aircraft", other)).body.data.id;
  expect(await refused(owner, { ...alone, aircraft_id, student_ids: [] })).toEqual(["overlap"]);
});

test("a student who is also a pilot is checked as a student", async () => {
  const school = await newTrainingSchool();
  const { owner, student, revision } = school;
  await enroll(school);
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { types: ["student", "pilot"] }));
  await record(school, medicalOf(student.personId, "lapl", "2099-01-15"));
  await record(school, {
    ...{ person_id: student.personId, type: "licence", level: "lapl", issued_on: "2025-01-15" },
  });
  expectStatus(200, await owner.patch("/clearance/rules/medical_class", { action: "block" }));
  // The LAPL medical is enough for what they hold, and not for the PPL that the training aims at.
  await booked(owner, { ...solo(school, "2098-07-02T10:00Z") });
  const lesson_id = revision.lesson("2").id;
  expect(await refused(owner, { ...solo(school, start), lesson_id })).toEqual(["medical_class"]);
  expect(await refused(owner, { ...lesson(school, start), lesson_id })).toEqual(["medical_class"]);
});

test("a solo has one student", async () => {
  const school = await newTrainingSchool();
  const { owner, instructor, student, revision, join } = school;
  const other = await join(["student"], "Other Student");
  const both = [student.personId, other.personId];
  const pathsOf = async (body: object) =>
    expectStatus(400, await owner.post("/planning/sessions", body)).body.issues.map(
      ({ path, code }: { path: string; code: string }) => `${path}: ${code}`,
    );
  const lesson_id = revision.lesson("2").id;
  const issue = ["body.student_ids: solo"];
  expect(await pathsOf({ ...lesson(school, start), lesson_id, student_ids: both })).toEqual(issue);
  expect(await pathsOf({ ...solo(school, start), lesson_id, student_ids: both })).toEqual(issue);
  expect(await pathsOf({ ...solo(school, start), student_ids: both })).toEqual(issue);
  const pilots = [instructor.personId, student.personId];
  expect(await pathsOf({ ...solo(school, start), lesson_id, student_ids: pilots })).toEqual(issue);

  const session = await booked(owner, { ...solo(school, start), lesson_id });
  const changed = await owner.patch(`/planning/sessions/${session.id}`, { student_ids: both });
  expect(expectStatus(400, changed).body.issues).toMatchObject([{ path: "body.student_ids", code: "solo" }]);
  await booked(owner, { ...lesson(school, "2098-07-02T10:00Z"), student_ids: both });
  await booked(owner, { ...solo(school, "2098-07-03T10:00Z"), kind: "ground", aircraft_id: null, student_ids: both });
});

test("of several people without an instructor, the first who is a pilot is in command", async () => {
  const school = await newTrainingSchool();
  const { owner, instructor, student } = school;
  const student_ids = [student.personId, instructor.personId];
  const session = await booked(owner, { ...solo(school, "2026-06-14T10:00Z"), student_ids });
  const { flight_id } = expectStatus(200, await owner.post(`/planning/sessions/${session.id}/check-in`)).body.data;
  const { crew } = expectStatus(200, await owner.get(`/flights/${flight_id}`)).body.data;
  expect(crew).toMatchObject([{ person_id: instructor.personId, function: "pic" }]);
});

test("the check-in drafts the student alone, and the approved flight is one that the instructor supervised", async () => {
  const school = await newTrainingSchool();
  const { owner, instructor, student, revision } = school;
  await enroll(school);
  await record(school, medicalOf(student.personId, "class_2", "2099-01-15"));
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { types: ["student", "pilot"] }));
  const alone = { ...lesson(school, "2026-06-14T07:00Z"), lesson_id: revision.lesson("2").id };
  const session = await booked(owner, alone);
  const { flight_id } = expectStatus(200, await owner.post(`/planning/sessions/${session.id}/check-in`)).body.data;
  const draft = expectStatus(200, await owner.get(`/flights/${flight_id}`)).body.data;
  expect(draft.crew).toMatchObject([{ person_id: student.personId, function: "solo" }]);
  expect(draft.crew).toHaveLength(1);
  expect(draft.lesson_id).toBe(revision.lesson("2").id);

  const flown = { departure: "EDFE", arrival: "EDFE", day_landings: 3 };
  const times = { off_block_at: "2026-06-14T07:00:00Z", on_block_at: "2026-06-14T08:00:00Z" };
  expectStatus(200, await owner.patch(`/flights/${flight_id}`, { ...flown, ...times }));
  expectStatus(200, await owner.post(`/flights/${flight_id}/submit`));
  expectStatus(200, await owner.post(`/flights/${flight_id}/approve`));
  const path = `/people/${instructor.personId}/instructor-restriction`;
  expect(expectStatus(200, await owner.get(path)).body.data.supervised_solos.done).toBe(1);
});
