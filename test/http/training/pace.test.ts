/** Whether a training is ahead of its plan, on track or behind: by the required, the actual and the booked pace. */
import { expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus } from "../../support/school.ts";
import { enroll, item, newTrainingSchool, publish, revise, small } from "./school.ts";

/** Ten lessons on the ground, of one item each. */
const ten = {
  ...small,
  lessons: Array.from({ length: 10 }, (_, at) => ({
    ...{ code: `${at + 1}`, name: `Lesson ${at + 1}`, kind: "ground", phase: null, requires: [], items: [item("1")] },
  })),
};

/** A student who began on 1 May, on 14 June. */
async function newPaced(plan: object) {
  const school = await newTrainingSchool(ten, await newInstallation());
  const { owner, instructor, revision } = school;
  const id = await enroll(school, { started_on: "2026-05-01", ...plan });
  const sign = async (lesson: number, signed_at: string) => {
    const item_id = revision.lesson(`${lesson}`).items[0].id;
    const signoff = { enrollment_id: id, item_id, grade: "ok", signed_at };
    expectStatus(201, await instructor.post("/training/signoffs", signoff));
  };
  const pace = async () => expectStatus(200, await owner.get("/training/progress")).body.data[0].pace;
  return { ...school, id, sign, pace };
}

test("required, actual and booked pace, and the end that they project", async () => {
  const school = await newPaced({ planned_start_on: "2026-04-25", planned_end_on: "2026-08-03" });
  const { owner, instructor, student, revision, id, sign, pace } = school;
  // 50 of 100 days have passed, and 50 are left.
  const plan = { planned_start_on: "2026-04-25", planned_end_on: "2026-08-03", lessons_expected: 5, lessons_total: 10 };
  expect(await pace()).toEqual({
    ...{ ...plan, lessons_done: 0, required_per_week: 1.4, actual_per_week: 0, booked_per_week: 0 },
    ...{ projected_end_on: null, standing: "behind" },
  });
  // Three lessons in the 44 days since the start: at this pace the other seven take 103 days.
  for (const lesson of [1, 2, 3]) await sign(lesson, `2026-05-1${lesson}T10:00:00Z`);
  expect(await pace()).toMatchObject({
    ...{ lessons_done: 3, required_per_week: 0.98, actual_per_week: 0.48, booked_per_week: 0 },
    ...{ projected_end_on: "2026-09-25", standing: "behind" },
  });
  const book = async (day: string, lesson_id: string | null, more: object = {}) => {
    const times = { start_at: `${day}T08:00:00Z`, end_at: `${day}T09:00:00Z` };
    const people = { student_ids: [student.personId], instructor_id: instructor.personId };
    const body = { kind: "ground", ...times, ...people, lesson_id, ...more };
    return expectStatus(201, await owner.post("/planning/sessions", body)).body.data.id;
  };
  await book("2026-06-16", revision.lesson("4").id);
  await book("2026-06-18", null);
  const cancelled = await book("2026-06-20", revision.lesson("5").id);
  await book("2026-06-23", revision.lesson("5").id);
  await book("2026-06-25", revision.lesson("6").id);
  // Done already, without an instructor, too late, of another student: these add nothing.
  await book("2026-06-26", revision.lesson("1").id);
  await book("2026-06-27", null, { instructor_id: null });
  await book("2026-07-13", revision.lesson("7").id);
  const other = await school.join(["student"], "Tom Other");
  await book("2026-06-29", revision.lesson("7").id, { student_ids: [other.personId] });
  expectStatus(200, await owner.post(`/planning/sessions/${cancelled}/cancel`, { reason: "weather" }));
  // One a week is booked, so the seven are done in 49 days.
  expect(await pace()).toMatchObject({
    ...{ booked_per_week: 1, projected_end_on: "2026-08-02", standing: "on_track" },
  });
  const change = (body: object) => owner.patch(`/training/enrollments/${id}`, body);
  expectStatus(200, await change({ planned_end_on: "2026-08-20" }));
  expect(await pace()).toMatchObject({ planned_end_on: "2026-08-20", standing: "ahead" });
  expectStatus(200, await change({ planned_end_on: "2026-07-20" }));
  expect(await pace()).toMatchObject({ standing: "behind" });
  // The student reads it, too, and in their own progress.
  const own = expectStatus(200, await student.get(`/training/enrollments/${id}/progress`)).body.data;
  expect(own.pace).toEqual(await pace());
  expectStatus(200, await owner.post(`/training/enrollments/${id}/suspend`, { reason: "Abroad." }));
  expect(await pace()).toBeNull();
});

test("without a planned end there is no pace, and a plan ends after it begins", async () => {
  const { owner, id, pace } = await newPaced({});
  expect(await pace()).toBeNull();
  const change = async (body: object) => {
    const answer = await owner.patch(`/training/enrollments/${id}`, body);
    return answer.status === 200 ? 200 : [answer.body.issues[0].path, answer.body.issues[0].code];
  };
  const refused = ["body.planned_end_on", "out_of_order"];
  expect(await change({ planned_end_on: "2026-05-01" })).toEqual(refused);
  expect(await change({ planned_end_on: "2026-05-02" })).toBe(200);
  expect(await change({ planned_start_on: "2026-05-02" })).toEqual(refused);
  expect(await change({ planned_end_on: null, planned_start_on: "2026-09-01" })).toBe(200);
  expect(await pace()).toBeNull();
});

test("the projected end of whole days is not a day later by rounding", async () => {
  const { sign, pace } = await newPaced({ started_on: "2026-06-05", planned_end_on: "2026-12-31" });
  await sign(1, "2026-06-10T10:00:00Z");
  // One lesson in nine days: the other nine take 81 days.
  expect(await pace()).toMatchObject({ lessons_done: 1, projected_end_on: "2026-09-03" });
});

test("what is booked counts after a move to another revision, too: lessons with the same codes are the same", async () => {
  const { owner, instructor, student, revision, id, pace, ...school } = await newPaced({
    planned_end_on: "2026-12-31",
  });
  const book = async (day: string, lesson: { id: string }) => {
    const times = { start_at: `${day}T08:00:00Z`, end_at: `${day}T09:00:00Z` };
    const people = { student_ids: [student.personId], instructor_id: instructor.personId };
    expectStatus(
      201,
      await owner.post("/planning/sessions", { kind: "ground", ...times, ...people, lesson_id: lesson.id }),
    );
  };
  await book("2026-06-16", revision.lesson("4"));
  await book("2026-06-18", revision.lesson("10"));
  expect(await pace()).toMatchObject({ booked_per_week: 0.5 });
  const fewer = { ...ten, lessons: ten.lessons.slice(0, 9) };
  const next = await revise({ owner }, revision.program_id, fewer);
  expectStatus(200, await owner.post(`/training/enrollments/${id}/migrate`, { revision_id: next.id }));
  // The tenth lesson was dropped.
  expect(await pace()).toMatchObject({ lessons_total: 9, booked_per_week: 0.25 });
  await book("2026-06-20", next.lesson("5"));
  expect(await pace()).toMatchObject({ booked_per_week: 0.5 });
  // A lesson of another program is another, whatever its code.
  const other = await publish({ owner }, { ...ten, name: "Another" });
  await enroll({ ...school, owner, student, revision: other });
  await book("2026-06-22", other.lesson("6"));
  const { body } = await owner.get(`/training/enrollments/${id}/progress`);
  expect(body.data.pace).toMatchObject({ booked_per_week: 0.5 });
});
