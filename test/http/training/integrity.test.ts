/** What nobody may record: their own training, what others gave, and what can't have been on that day. */
import { expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, type Member } from "../../support/school.ts";
import { enroll, everyMinimum, flightOf, fly, newTrainingSchool, progressOf, small } from "./school.ts";

type Body = Parameters<Member["post"]>[1];

/** @returns the status of an answer, or why it was refused */
async function outcome(by: Member, path: string, body: Body): Promise<unknown> {
  const answer = await by.post(path, body);
  return answer.body.error?.reason ?? answer.body.issues?.[0].path ?? answer.status;
}

/** A school whose instructor has a certificate, with an enrolled student. */
async function newTrainers(syllabus: object = small) {
  const school = await newTrainingSchool(syllabus);
  const { owner, instructor, revision } = school;
  const certificate = {
    person_id: instructor.personId,
    type: "fi",
    issued_on: "2020-01-15",
    valid_until: "2029-01-31",
  };
  expectStatus(201, await owner.post("/compliance/records", certificate));
  const id = await enroll(school);
  const signoff = (more: object = {}, lesson = "1") => ({
    ...{ enrollment_id: id, item_id: revision.lesson(lesson).items[0].id, grade: "ok", ...more },
  });
  const session = { lesson_id: revision.lessons[0].id, held_on: "2026-06-10", minutes: 45 };
  return { ...school, id, path: `/training/enrollments/${id}`, signoff, session };
}

test("nobody records, signs off or voids their own training", async () => {
  const school = await newTrainers({ ...examined, lessons: small.lessons });
  const { owner, instructor, join, session } = school;
  const other = await join(["instructor"], "Other Instructor");
  expectStatus(200, await owner.patch(`/people/${instructor.personId}`, { types: ["instructor", "pilot"] }));
  const own = await enroll({ ...school, student: instructor });
  const path = `/training/enrollments/${own}`;
  const signoff = school.signoff({ enrollment_id: own }, "3");
  const exam = { kind: "theory", subject: "law", percent: 80, taken_on: "2026-06-01" };
  expect(await outcome(instructor, "/training/signoffs", signoff)).toBe("own_training");
  expect(await outcome(instructor, `${path}/ground-sessions`, session)).toBe("own_training");
  expect(await outcome(instructor, `${path}/exams`, exam)).toBe("own_training");
  // Nor does another name them as the instructor.
  const named = { instructor_id: instructor.personId };
  expect(await outcome(owner, "/training/signoffs", { ...signoff, ...named })).toBe("body.instructor_id");
  expect(await outcome(owner, `${path}/ground-sessions`, { ...session, ...named })).toBe("body.instructor_id");
  for (const [list, body] of [
    ["/training/signoffs", { ...signoff, grade: "fail" }],
    [`${path}/ground-sessions`, session],
    [`${path}/exams`, exam],
  ] as const) {
    const { id } = expectStatus(201, await other.post(list, body)).body.data;
    expect(await outcome(instructor, `${list}/${id}/void`, { reason: "No." })).toBe("own_training");
    expect(await outcome(other, `${list}/${id}/void`, { reason: "Wrong." })).toBe(200);
  }
});

test("an instructor voids the ground sessions that they gave, and a manager all", async () => {
  const { instructor, owner, join, path, session } = await newTrainers();
  const other = await join(["instructor"], "Other Instructor");
  const add = async () =>
    `${path}/ground-sessions/${expectStatus(201, await instructor.post(`${path}/ground-sessions`, session)).body.data.id}/void`;
  const reason = "Another student.";
  expect(await outcome(other, await add(), { reason })).toBe("permission_missing");
  expect(await outcome(instructor, await add(), { reason })).toBe(200);
  expect(await outcome(owner, await add(), { reason })).toBe(200);
});

test("nobody credits or completes their own training", async () => {
  const school = await newTrainers();
  const { owner, join, revision } = school;
  const admin = await join(["admin"], "Flying Admin");
  expectStatus(200, await owner.patch(`/people/${admin.personId}`, { types: ["pilot"] }));
  const credits = [{ measure: "dual_minutes", amount: 600, reason: "Elsewhere." }];
  const body = { student_id: admin.personId, revision_id: revision.id, started_on: "2026-01-15" };
  expect(await outcome(admin, "/training/enrollments", { ...body, credits })).toBe("own_training");
  const { id } = expectStatus(201, await admin.post("/training/enrollments", body)).body.data;
  const path = `/training/enrollments/${id}`;
  expect((await admin.patch(path, { credits })).body.error.reason).toBe("own_training");
  expect((await admin.patch(path, { credits: [] })).body.error.reason).toBe("own_training");
  expectStatus(200, await admin.patch(path, { remarks: "On weekends." }));
  expectStatus(200, await owner.patch(path, { credits }));
  expect(await outcome(admin, `${path}/complete`, undefined)).toBe("own_training");
  expect(await outcome(owner, `${path}/complete`, undefined)).toBe("training_incomplete");
});

test("who recorded an exam voids it, and a manager", async () => {
  const { instructor, owner, join, path } = await newTrainers(examined);
  const other = await join(["instructor"], "Other Instructor");
  const add = async () => {
    const exam = { kind: "theory", subject: "law", percent: 20, taken_on: "2026-06-01" };
    return `${path}/exams/${expectStatus(201, await instructor.post(`${path}/exams`, exam)).body.data.id}/void`;
  };
  const reason = "Another student.";
  const first = await add();
  expect(await outcome(other, first, { reason })).toBe("permission_missing");
  expect(await outcome(instructor, first, { reason })).toBe(200);
  expect(await outcome(owner, await add(), { reason })).toBe(200);
});

test("nothing is recorded for an archived student", async () => {
  const { owner, instructor, student, path, session, signoff } = await newTrainers(examined);
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { status: "archived" }));
  const exam = { kind: "theory", subject: "law", percent: 80, taken_on: "2026-06-01" };
  for (const [list, body] of [
    ["/training/signoffs", signoff()],
    [`${path}/ground-sessions`, session],
    [`${path}/exams`, exam],
  ] as const)
    expect(await outcome(instructor, list, body)).toBe("person_archived");
});

test("a training that has ended stays as it was", async () => {
  const installation = await newInstallation();
  const school = await newTrainingSchool({ ...small, lessons: [small.lessons[2]] }, installation);
  const { owner, instructor, revision } = school;
  const id = await enroll(school, { started_on: "2026-03-01" });
  const lesson = revision.lesson("3");
  const signoff = { enrollment_id: id, item_id: lesson.items[0].id, grade: "ok" };
  const recorded = [];
  for (const [list, body] of [
    ["/training/signoffs", signoff],
    [`/training/enrollments/${id}/ground-sessions`, { lesson_id: lesson.id, held_on: "2026-06-10", minutes: 45 }],
  ] as const)
    recorded.push(`${list}/${expectStatus(201, await instructor.post(list, body)).body.data.id}/void`);
  expectStatus(200, await owner.post(`/training/enrollments/${id}/complete`));
  for (const path of recorded) expect(await outcome(owner, path, { reason: "Too late." })).toBe("wrong_status");
});

test("an archived instructor gives no training", async () => {
  const { instructor, owner, path, session, signoff } = await newTrainers();
  expectStatus(200, await owner.patch(`/people/${instructor.personId}`, { status: "archived" }));
  expect(await outcome(instructor, "/training/signoffs", signoff())).toBe("person_archived");
  const named = { ...session, instructor_id: instructor.personId };
  expect(await outcome(owner, `${path}/ground-sessions`, named)).toBe("person_archived");
});

test("nothing is recorded before the training began, in the time zone of the school", async () => {
  const school = await newTrainers();
  const { instructor, owner, path, session, signoff } = school;
  expectStatus(200, await owner.patch(path, { started_on: "2026-06-10" }));
  // Berlin is two hours ahead.
  const signed = (signed_at: string) => outcome(instructor, "/training/signoffs", signoff({ signed_at }));
  expect(await signed("2026-06-09T21:59:59Z")).toBe("body.signed_at");
  expect(await signed("2026-06-09T22:00:00Z")).toBe(201);
  const held = (held_on: string) => outcome(instructor, `${path}/ground-sessions`, { ...session, held_on });
  expect(await held("2026-06-09")).toBe("body.held_on");
  expect(await held("2026-06-10")).toBe(201);
  const flown = (ago: number) => outcome(owner, "/flights", flightOf(school, { lesson: "1", ago }));
  expect(await flown(5)).toBe("body.lesson_id");
  expect(await flown(4)).toBe(201);
});

test("a training begins no later than what is recorded in it", async () => {
  const school = await newTrainers({ ...small, skill_test: true });
  const { instructor, owner, path, session, signoff } = school;
  /** @returns whether the training may begin on that day, but not on the next. */
  const isFirst = async (day: string) => {
    const next = Temporal.PlainDate.from(day).add({ days: 1 }).toString();
    expect((await owner.patch(path, { started_on: next })).body.error.reason).toBe("training_recorded");
    return (await owner.patch(path, { started_on: day })).status === 200;
  };
  const flight = await fly(school, { lesson: "1", ago: 2 });
  expect(await isFirst("2026-06-12")).toBe(true);
  expectStatus(200, await owner.patch(path, { started_on: "2026-01-15" }));
  expectStatus(201, await instructor.post(`${path}/ground-sessions`, session));
  expect(await isFirst("2026-06-10")).toBe(true);
  expectStatus(200, await owner.patch(path, { started_on: "2026-01-15" }));
  // The 9th in Berlin.
  const signed = await instructor.post("/training/signoffs", signoff({ signed_at: "2026-06-08T22:00:00Z" }));
  expect(await isFirst("2026-06-09")).toBe(true);
  expectStatus(200, await owner.post(`/training/signoffs/${signed.body.data.id}/void`, { reason: "Wrong." }));
  expect(await isFirst("2026-06-10")).toBe(true);
  expectStatus(200, await owner.post(`/flights/${flight}/reverse`, { reason: "Wrong." }));
});

test("a signoff names a flight that was submitted, and is not earlier", async () => {
  const school = await newTrainers();
  const { instructor, owner, signoff } = school;
  const signed = (flight_id: string, more: object = {}) =>
    outcome(instructor, "/training/signoffs", signoff({ flight_id, ...more }));
  const drafted = expectStatus(201, await owner.post("/flights", flightOf(school, { lesson: "1" }))).body.data;
  const { id, off_block_at } = drafted;
  expect(await signed(id)).toBe("body.flight_id");
  expectStatus(200, await owner.post(`/flights/${id}/submit`));
  expect(await signed(id, { signed_at: "2026-06-01T10:00:00Z" })).toBe("body.signed_at");
  expect(await signed(id, { signed_at: new Date(Date.parse(off_block_at) - 1).toISOString() })).toBe("body.signed_at");
  expect(await signed(id, { signed_at: off_block_at })).toBe(201);
  expect(await signed(id)).toBe(201);
  const reversed = await fly(school, { lesson: "1", ago: 2 });
  expect(await signed(reversed)).toBe(201);
  const counts = async () =>
    expectStatus(200, await owner.get("/training/signoffs")).body.data.find(
      ({ flight_id }: { flight_id: string }) => flight_id === reversed,
    ).counts;
  expect(await counts()).toBe(true);
  const key = await school.apiKey("public.signoffs:read");
  const changed = async (cursor = "") =>
    expectStatus(200, await school.publicGet(`/training/signoffs?updated_since=2000-01-01T00:00:00Z${cursor}`, key))
      .body;
  const { page } = await changed();
  expectStatus(200, await owner.post(`/flights/${reversed}/reverse`, { reason: "Wrong." }));
  expect(await counts()).toBe(false);
  const { data } = await changed(`&cursor=${encodeURIComponent(page.last_cursor)}`);
  expect(data).toMatchObject([{ flight_id: reversed, counts: false }]);
  expect(await signed(reversed)).toBe("body.flight_id");
});

const examined = {
  ...small,
  skill_test: true,
  theory: { pass_percent: 75, attempts: 4, months: 18, valid_months: 24, legal_basis: "FCL.025" },
  subjects: [{ code: "law", name: "Air law" }],
};

test("only what was done by the day of the skill test makes the student ready for it", async () => {
  const minima = [{ ...everyMinimum[0], required: 60 }, { ...everyMinimum[10] }];
  const school = await newTrainers({ ...examined, theory: null, subjects: [], minima, lessons: [item] });
  const { instructor, owner, id, path, session, signoff } = school;
  const tested = (taken_on: string) =>
    outcome(instructor, `${path}/exams`, { kind: "skill_test", passed: true, taken_on });
  await fly(school, { lesson: "1", ago: 5 });
  expectStatus(201, await instructor.post(`${path}/ground-sessions`, { ...session, held_on: "2026-06-11" }));
  expectStatus(201, await instructor.post("/training/signoffs", signoff({ signed_at: "2026-06-12T10:00:00Z" })));
  expect(await progressOf(school, id)).toMatchObject({ missing: ["skill_test"], ready_for_test: true });
  const missing = async (taken_on: string) =>
    (await instructor.post(`${path}/exams`, { kind: "skill_test", passed: true, taken_on })).body.error.message;
  expect(await missing("2026-06-08")).toBe("Missing before the skill test: total_minutes, ground_minutes, items.");
  expect(await missing("2026-06-10")).toBe("Missing before the skill test: ground_minutes, items.");
  expect(await missing("2026-06-11")).toBe("Missing before the skill test: items.");
  expect(await tested("2026-01-14")).toBe("body.taken_on");
  expect(await tested("2026-06-12")).toBe(201);
  expect(await outcome(owner, `${path}/complete`, undefined)).toBe(200);
});

const item = { ...small.lessons[0], items: [{ code: "1", name: "Item 1", scale: "usual" }] };
