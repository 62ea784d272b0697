/** Theory exams and the skill test. */
import { expect, test } from "bun:test";
import { theoryRule } from "../../../src/modules/compliance/rules/rules.ts";
import { expectStatus } from "../../support/school.ts";
import { enroll, newTrainingSchool, progressOf, small } from "./school.ts";

const { pass_percent, attempts, months, valid_months } = theoryRule;
const examined = {
  ...small,
  skill_test: true,
  theory: { pass_percent, attempts, months, valid_months, legal_basis: "FCL.025" },
  subjects: [
    { code: "law", name: "Air law" },
    { code: "met", name: "Meteorology" },
  ],
  lessons: [small.lessons[2]],
};

async function newExaminers(syllabus: object = examined) {
  const school = await newTrainingSchool(syllabus);
  const id = await enroll(school);
  const path = `/training/enrollments/${id}/exams`;
  const record = async (exam: object) => {
    const body = { kind: "theory", taken_on: "2026-06-01", ...exam };
    const { status, body: answer } = await school.instructor.post(path, body);
    return status === 409 ? answer.error.reason : status === 201 ? answer.data.passed : answer.issues[0].path;
  };
  return { ...school, id, path, record };
}

test("a theory exam is passed from 75 percent, and has no other result", async () => {
  const { record, id, owner, path, student, ...school } = await newExaminers();
  expect(await record({ subject: "law", percent: 74 })).toBe(false);
  expect(await record({ subject: "law", percent: 75, sitting: 1 })).toBe(true);
  expect(await record({ subject: "law" })).toBe("body.percent");
  expect(await record({ subject: "nav", percent: 90 })).toBe("body.subject");
  expect(await record({ percent: 90 })).toBe("body.subject");
  expect(await record({ subject: "met", percent: 90, passed: true })).toBe("body.passed");
  expect(await record({ subject: "met", percent: 90, taken_on: "2026-06-15" })).toBe("body.taken_on");
  const { theory, missing } = await progressOf({ owner }, id);
  expect(theory).toEqual({
    subjects: [
      { code: "law", attempts: 2, passed_on: "2026-06-01" },
      { code: "met", attempts: 0, passed_on: null },
    ],
    ...{ complete_by: "2027-12-31", valid_until: null, complete: false },
  });
  expect(missing).toEqual(["items", "theory", "skill_test"]);
  // Recorded at the same moment of the test's clock, so in any order.
  const all: { id: string; percent: number }[] = (await student.get(path)).body.data;
  const [failed, passed] = all.sort((one, other) => one.percent - other.percent);
  expect([failed?.percent, passed?.percent]).toEqual([74, 75]);
  const other = await school.join(["student"], "Other Student");
  expect((await other.get(path)).status).toBe(404);
  expect((await other.get(`${path}/${passed?.id}`)).status).toBe(404);
  expectStatus(200, await owner.post(`${path}/${passed?.id}/void`, { reason: "Of another student." }));
  expect((await progressOf({ owner }, id)).theory.subjects[0]).toMatchObject({ attempts: 1, passed_on: null });
});

test("the skill test is recorded when nothing else is missing, and completes the training", async () => {
  const { record, id, owner, instructor, revision } = await newExaminers();
  const tested = { kind: "skill_test", passed: true, taken_on: "2026-06-10" };
  expect(await record(tested)).toBe("not_ready_for_test");
  const earlier = { signed_at: "2026-06-11T10:00:00Z" };
  const signoff = { enrollment_id: id, item_id: revision.lesson("3").items[0].id, grade: "ok", ...earlier };
  expectStatus(201, await instructor.post("/training/signoffs", signoff));
  expect(await record({ subject: "law", percent: 80 })).toBe(true);
  expect(await record({ subject: "met", percent: 80, taken_on: "2026-06-11" })).toBe(true);
  expect(await progressOf({ owner }, id)).toMatchObject({
    ready_for_test: true,
    complete: false,
    missing: ["skill_test"],
  });
  // The theory was not complete on the day before.
  expect(await record(tested)).toBe("not_ready_for_test");
  const on = { ...tested, taken_on: "2026-06-12" };
  expect(await record({ ...on, passed: null })).toBe("body.passed");
  expect(await record({ ...on, percent: 80 })).toBe("body.percent");
  expect(await record({ ...on, passed: false })).toBe(false);
  const complete = async () => (await owner.post(`/training/enrollments/${id}/complete`)).body;
  expect((await complete()).error).toMatchObject({
    reason: "training_incomplete",
    message: expect.stringContaining("skill_test"),
  });
  expect(await record(on)).toBe(true);
  expect(await progressOf({ owner }, id)).toMatchObject({ complete: true, missing: [] });
  expect((await complete()).data).toMatchObject({ status: "completed", ended_on: "2026-06-14" });
  expect(await record({ subject: "law", percent: 80 })).toBe("wrong_status");
});

test("an exam has the number of its sitting if the program limits them, and after the last one all is taken again", async () => {
  const { record, id, owner } = await newExaminers({ ...examined, theory: { ...examined.theory, sittings: 1 } });
  expect(await record({ subject: "law", percent: 80 })).toBe("body.sitting");
  // A sitting has ten days: today is the last.
  expect(await record({ subject: "law", percent: 80, sitting: 1, taken_on: "2026-06-05" })).toBe(true);
  const passed = async () =>
    (await progressOf({ owner }, id)).theory.subjects.map((one: { passed_on: string | null }) => one.passed_on);
  expect(await passed()).toEqual(["2026-06-05", null]);
  expect(await record({ subject: "law", percent: 80, sitting: 1, taken_on: "2026-06-06" })).toBe("subject_passed");
  expect(await record({ subject: "met", percent: 20, sitting: 1, taken_on: "2026-06-06" })).toBe(false);
  expect(await passed()).toEqual([null, null]);
  expect(await record({ subject: "law", percent: 80, sitting: 2, taken_on: "2026-06-07" })).toBe(true);
  expect(await record({ subject: "met", percent: 80, sitting: 2, taken_on: "2026-06-07" })).toBe(true);
  expect(await passed()).toEqual(["2026-06-07", "2026-06-07"]);
});

test("a program without a skill test has none", async () => {
  const school = await newTrainingSchool();
  const id = await enroll(school);
  const body = { kind: "skill_test", passed: true, taken_on: "2026-06-10" };
  const answer = await school.instructor.post(`/training/enrollments/${id}/exams`, body);
  expect(answer.body.issues[0].path).toBe("body.kind");
});
