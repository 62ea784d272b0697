/** The record of a lesson: grades per exercise, a text for the student, and one among instructors. */
import { expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { expectStatus, type Member } from "../../support/school.ts";
import { enroll, fly, newTrainingSchool, progressOf } from "./school.ts";

const path = "/training/lesson-records";
const secret = "Gets tense in crosswind.";

async function newGraders() {
  const school = await newTrainingSchool();
  const { owner, instructor, revision } = school;
  const fi = { type: "fi", issued_on: "2025-01-15", valid_until: "2027-06-14" };
  expectStatus(201, await owner.post("/compliance/records", { ...fi, person_id: instructor.personId }));
  const enrollment_id = await enroll(school);
  const lesson = revision.lesson("1");
  const grade = (at: number, grade = "ok", remarks: string | null = null) => ({
    ...{ item_id: lesson.items[at].id, grade, remarks },
  });
  const body = (more: object = {}) => ({
    ...{ enrollment_id, lesson_id: lesson.id, remarks: "Good circuits.", instructor_notes: secret },
    ...{ grades: [grade(0), grade(1, "fail", "Rounds out high.")], ...more },
  });
  const recordedBy = async (by: Member, more?: object) => expectStatus(201, await by.post(path, body(more))).body.data;
  return { ...school, enrollment_id, lesson, grade, body, recordedBy };
}

test("a lesson is recorded with its grades in one request, the student acknowledges all of it, and a void takes it back", async () => {
  const school = await newGraders();
  const { owner, instructor, student, enrollment_id, recordedBy } = school;
  const flight_id = await fly(school, { lesson: "1" });
  const recorded = await recordedBy(instructor, { flight_id });
  expect(recorded).toMatchObject({
    ...{ status: "recorded", remarks: "Good circuits.", instructor_notes: secret, flight_id, acknowledged_at: null },
    ...{ lesson: { code: "1", name: "Circuits" }, signed_by_instructor: true, instructor_name: "Ines Instructor" },
  });
  expect(
    recorded.grades.map(({ item, grade, passed, remarks }: Record<string, unknown>) => [item, grade, passed, remarks]),
  ).toMatchObject([
    [{ code: "1" }, "ok", true, null],
    [{ code: "2" }, "fail", false, "Rounds out high."],
  ]);
  const items = async () => (await progressOf(school, enrollment_id)).items.done;
  expect(await items()).toBe(1);
  const one = `${path}/${recorded.id}`;
  expect(expectStatus(403, await owner.post(`${one}/acknowledge`)).body.error.reason).toBe("not_the_student");
  const acknowledged = expectStatus(200, await student.post(`${one}/acknowledge`)).body.data;
  expect(acknowledged.acknowledged_at).toBeString();
  const signoffs = expectStatus(200, await student.get("/training/signoffs")).body.data;
  expect(signoffs.map(({ acknowledged_at }: { acknowledged_at: string }) => acknowledged_at)).toEqual([
    acknowledged.acknowledged_at,
    acknowledged.acknowledged_at,
  ]);
  expect(expectStatus(409, await student.post(`${one}/acknowledge`)).body.error.reason).toBe("wrong_status");
  const reason = { reason: "Another student." };
  const other = await school.join(["instructor"], "Other Instructor");
  expectStatus(403, await other.post(`${one}/void`, reason));
  expect(await items()).toBe(1);
  const voided = expectStatus(200, await instructor.post(`${one}/void`, reason)).body.data;
  expect(voided).toMatchObject({ status: "voided", void_reason: "Another student.", instructor_notes: secret });
  expect(voided.grades.map(({ counts }: { counts: boolean }) => counts)).toEqual([false, false]);
  expect(await items()).toBe(0);
});

test("the student never reads the notes among instructors, whatever their roles, and the school's answer to a request has them", async () => {
  const school = await newGraders();
  const { owner, instructor, student, recordedBy, enrollment_id } = school;
  const { id } = await recordedBy(instructor);
  const one = `${path}/${id}`;
  for (const by of [owner, instructor])
    for (const at of [one, path, `${path}?enrollment_id=${enrollment_id}&student_id=${student.personId}`])
      expect((await by.get(at)).text).toContain(secret);
  const exported = async (by: Member) => {
    const url = `http://localhost/orgs/${by.orgId}/people/${student.personId}/export`;
    const headers = { authorization: `Bearer ${by.token}` };
    const zip = await (await school.installation.app.fetch(new Request(url, { headers }))).arrayBuffer();
    return Buffer.from(unzipSync(new Uint8Array(zip))["person.json"] ?? []).toString();
  };
  const csv = { headers: { accept: "text/csv" } };
  const seen = async (by: Member) => [
    expectStatus(200, await by.get(one)).text,
    expectStatus(200, await by.get(path)).text,
    expectStatus(200, await by.get("/training/signoffs")).text,
    expectStatus(200, await by.get(`/training/enrollments/${enrollment_id}/progress`)).text,
    (await by.call("GET", `/orgs/${by.orgId}${path}`, csv)).text,
    await exported(by),
  ];
  for (const text of await seen(student)) expect(text).not.toContain(secret);
  expect(expectStatus(200, await student.get(one)).body.data).toMatchObject({ instructor_notes: null });
  expect(expectStatus(200, await student.post(`${one}/acknowledge`)).text).not.toContain(secret);
  // An instructor in training reads the notes about others, and not those about themself.
  expectStatus(200, await owner.patch(`/members/${student.userId}`, { roles: ["student", "instructor"] }));
  for (const text of await seen(student)) expect(text).not.toContain(secret);
  // Article 15 of the GDPR: the school answers with all of it.
  expect(await exported(owner)).toContain(secret);
});

test("what a record names fits: the lesson, its items, its flight, and something is said", async () => {
  const school = await newGraders();
  const { instructor, student, revision, body, grade } = school;
  const refused = async (more: object, by = instructor) => {
    const answer = await by.post(path, body(more));
    return answer.status === 400
      ? `${answer.body.issues[0].path} ${answer.body.issues[0].code}`
      : answer.body.error.reason;
  };
  const foreign = { ...grade(0), item_id: revision.lesson("3").items[0].id };
  expect(await refused({ grades: [grade(0), foreign] })).toBe("body.grades.1.item_id unknown");
  expect(await refused({ grades: [grade(0), grade(0)] })).toBe("body.grades repeated");
  expect(await refused({ grades: [grade(0), grade(1, "excellent")] })).toBe("body.grades.1.grade unknown");
  expect(await refused({ lesson_id: school.orgId })).toBe("body.lesson_id unknown");
  expect(await refused({ grades: [], remarks: null, instructor_notes: null })).toBe("body.grades required");
  expect(await refused({ signed_at: "2026-06-15T12:00:00Z" })).toBe("body.signed_at in_future");
  expect(await refused({}, student)).toBe("permission_missing");
  const solo = revision.lesson("2");
  const alone = { lesson_id: solo.id, grades: [{ item_id: solo.items[0].id, grade: "ok" }] };
  expect(await refused(alone)).toBe("student_not_qualified");
  // Nothing of a refused record stays.
  expect(expectStatus(200, await instructor.get("/training/signoffs")).body.data).toEqual([]);
});
