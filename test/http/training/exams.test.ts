/** Theory exams and the skill test. */
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { OrgId } from "../../../src/core/ids.ts";
import { theoryRule } from "../../../src/modules/compliance/rules/rules.ts";
import { trainingExams } from "../../../src/modules/training/training.tables.ts";
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
  expect(await record({ subject: "law", percent: 74, taken_on: "2026-05-31" })).toBe(false);
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
    ...{ complete_by: "2027-11-30", valid_until: null, complete: false },
  });
  expect(missing).toEqual(["items", "theory", "skill_test"]);
  const [failed, passed]: { id: string; percent: number }[] = (await student.get(path)).body.data;
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

/** A program with two sittings. */
const inSittings = {
  ...examined,
  theory: { ...examined.theory, sittings: 2 },
  subjects: [...examined.subjects, { code: "nav", name: "Navigation" }],
};

const theory = (sitting: number | null, subject: string, day: string, percent = 80) => ({
  ...{ kind: "theory", subject, sitting, taken_on: `2026-${day}`, percent },
});

test.each(["forwards", "backwards"])(
  "a sitting is at most ten consecutive days, also if its exams are recorded %s",
  async (order) => {
    const { instructor, path } = await newExaminers(inSittings);
    const add = (exam: object) => instructor.post(path, exam);
    const days = order === "forwards" ? ["01-10", "01-19", "01-20"] : ["01-20", "01-11", "01-10"];
    const [first, tenth, eleventh] = days as [string, string, string];
    expectStatus(201, await add(theory(1, "law", first)));
    const refused = expectStatus(400, await add(theory(1, "met", eleventh)));
    expect(refused.body.issues).toEqual([
      {
        ...{ path: "body.sitting", code: "impossible" },
        message: `Sitting 1 was from 2026-${first} to 2026-${first}. A sitting is at most 10 consecutive days (AMC1 FCL.025). Give another number.`,
      },
    ]);
    expectStatus(201, await add(theory(1, "met", tenth)));
    // Between the two, and not between them.
    expect((await add(theory(1, "nav", eleventh))).body.issues[0].code).toBe("impossible");
    expectStatus(201, await add(theory(1, "nav", "01-15")));
  },
);

test("a sitting has one attempt at a subject, and so has a day, until it is voided", async () => {
  const { instructor, path } = await newExaminers(inSittings);
  const add = (exam: object) => instructor.post(path, exam);
  const { id } = expectStatus(201, await add(theory(1, "law", "05-10", 50))).body.data;
  const again = theory(1, "law", "05-12");
  expect(expectStatus(400, await add(again)).body.issues).toEqual([
    {
      ...{ path: "body.sitting", code: "duplicate" },
      message: "Sitting 1, which began on 2026-05-10, has an attempt at law already. Give another number.",
    },
  ]);
  // Recorded later, taken before.
  expect(expectStatus(400, await add(theory(1, "law", "05-09"))).body.issues[0]).toMatchObject({ code: "duplicate" });
  expect(expectStatus(400, await add(theory(2, "law", "05-10"))).body.issues).toEqual([
    {
      ...{ path: "body.taken_on", code: "duplicate" },
      message: "The student took law on 2026-05-10 already.",
    },
  ]);
  expectStatus(200, await instructor.post(`${path}/${id}/void`, { reason: "Of another student." }));
  expectStatus(201, await add(again));
});

test("a failure and its repetition are two sittings, and after the last one the numbers begin anew", async () => {
  const { instructor, path, id, owner } = await newExaminers(inSittings);
  const add = (exam: object) => instructor.post(path, exam);
  expectStatus(201, await add(theory(1, "law", "01-10")));
  // What was the third sitting, called the second.
  expect((await add(theory(1, "met", "02-15", 50))).body.issues[0].code).toBe("impossible");
  expectStatus(201, await add(theory(2, "met", "02-15", 50)));
  expectStatus(201, await add(theory(1, "met", "03-15")));
  const { theory: standing } = await progressOf({ owner }, id);
  expect(standing.subjects.map(({ passed_on }: { passed_on: string | null }) => passed_on)).toEqual([
    null,
    "2026-03-15",
    null,
  ]);
});

test("an unnumbered day has one attempt at a subject", async () => {
  const { record } = await newExaminers();
  expect(await record({ subject: "law", percent: 50 })).toBe(false);
  expect(await record({ subject: "law", percent: 80 })).toBe("body.taken_on");
  expect(await record({ subject: "met", percent: 80 })).toBe(true);
  expect(await record({ subject: "law", percent: 80, taken_on: "2026-06-02" })).toBe(true);
});

test("exams of earlier versions that break the rules of sittings stay readable, and their sitting gets no more", async () => {
  const { instructor, path, installation, orgId } = await newExaminers(inSittings);
  const add = (exam: object) => instructor.post(path, exam);
  expectStatus(201, await add(theory(1, "law", "01-10")));
  const { id } = expectStatus(201, await add(theory(2, "met", "03-15"))).body.data;
  const tenant = installation.storage.tenants.tenant(orgId as OrgId);
  await tenant.write((tx) => tx.update(trainingExams).set({ sitting: 1 }).where(eq(trainingExams.id, id)));
  expect((await instructor.get(path)).body.data.map((one: { sitting: number }) => one.sitting)).toEqual([1, 1]);
  expect((await add(theory(1, "nav", "03-15"))).body.issues[0].message).toStartWith(
    "Sitting 1 was from 2026-01-10 to 2026-03-15.",
  );
});

test("a program without a skill test has none", async () => {
  const school = await newTrainingSchool();
  const id = await enroll(school);
  const body = { kind: "skill_test", passed: true, taken_on: "2026-06-10" };
  const answer = await school.instructor.post(`/training/enrollments/${id}/exams`, body);
  expect(answer.body.issues[0].path).toBe("body.kind");
});
