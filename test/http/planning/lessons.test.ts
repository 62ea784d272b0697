import { expect, test } from "bun:test";
import { expectStatus } from "../../support/school.ts";
import { enroll, newTrainingSchool, publish, small } from "../training/school.ts";
import { booked, lesson, refused, solo } from "./booking.ts";

test("a solo that is booked needs the medical of the training of its lesson", async () => {
  const school = await newTrainingSchool();
  const { owner, student, revision } = school;
  await enroll(school);
  const lapl = await publish(school, { ...small, kind: "lapl_a", name: "LAPL" });
  await enroll({ ...school, revision: lapl });
  const dates = { issued_on: "2026-01-15", valid_until: "2099-01-15" };
  const medical = { person_id: student.personId, type: "medical", level: "lapl", ...dates };
  expectStatus(201, await owner.post("/compliance/records", medical));
  expectStatus(200, await owner.patch("/clearance/rules/medical_class", { action: "block" }));
  const alone = (lesson_id: string | null) => ({ ...solo(school, "2098-07-01T12:00Z"), lesson_id });
  for (const id of [null, revision.lesson("2").id]) expect(await refused(owner, alone(id))).toEqual(["medical_class"]);
  await booked(owner, alone(lapl.lesson("2").id));
});

test("a session names a lesson: students must be enrolled, and have done what it requires", async () => {
  const school = await newTrainingSchool();
  const { owner, revision } = school;
  expectStatus(200, await owner.patch("/planning/settings", { lesson_prerequisites: "block" }));
  const circuits = { lesson_id: revision.lesson("1").id };
  const alone = { lesson_id: revision.lesson("2").id };
  expect(await refused(owner, { ...lesson(school, "2098-07-01T10:00Z"), ...circuits })).toEqual([
    "lesson_prerequisites",
  ]);
  await enroll(school);
  const session = await booked(owner, { ...lesson(school, "2026-06-14T10:00Z"), ...circuits });
  const { body } = expectStatus(
    409,
    await owner.post("/planning/sessions", { ...solo(school, "2098-07-01T12:00Z"), ...alone }),
  );
  expect(body.conflicts[0].message).toBe("Sam Student has not done what the lesson requires: 1.");
  expectStatus(200, await owner.patch("/planning/settings", { lesson_prerequisites: "warn" }));
  await booked(owner, { ...solo(school, "2098-07-01T12:00Z"), ...alone });
  const { flight_id } = expectStatus(200, await owner.post(`/planning/sessions/${session.id}/check-in`)).body.data;
  expect((await owner.get(`/flights/${flight_id}`)).body.data.lesson_id).toBe(circuits.lesson_id);
});

test("a lesson that is flown with an instructor is booked and moved with one, whatever the kind of the session", async () => {
  const school = await newTrainingSchool();
  const { owner, instructor, revision } = school;
  await enroll(school);
  const alone = { ...solo(school, "2098-07-01T12:00Z"), lesson_id: revision.lesson("1").id };
  const message = "The lesson is flown with an instructor.";
  const missing = [{ path: "body.instructor_id", code: "missing", message }];
  for (const kind of ["flight", "ground", "other", "maintenance"])
    expect(expectStatus(400, await owner.post("/planning/sessions", { ...alone, kind })).body.issues).toEqual(missing);
  const { id } = await booked(owner, { ...alone, instructor_id: instructor.personId });
  const without = await owner.patch(`/planning/sessions/${id}`, { instructor_id: null });
  expect(expectStatus(400, without).body.issues).toEqual(missing);
  const change = { instructor_id: null, lesson_id: revision.lesson("2").id };
  expectStatus(200, await owner.patch(`/planning/sessions/${id}`, change));
});
