/** Enrollments: their states, credits, and the move to another revision. */
import { expect, test } from "bun:test";
import { expectStatus, statuses, times } from "../../support/school.ts";
import { enroll, item, newTrainingSchool, progressOf, publish, revise, small } from "./school.ts";

const path = "/training/enrollments";

test("a student is enrolled once in a program, however many requests race", async () => {
  const { owner, student, revision } = await newTrainingSchool();
  const body = { student_id: student.personId, revision_id: revision.id, started_on: "2026-03-01" };
  const answers = await Promise.all(times(5, () => owner.post(path, body)));
  expect(statuses(answers)).toEqual([201, 409, 409, 409, 409]);
  const [made] = (await owner.get(`${path}?student_id=${student.personId}`)).body.data;
  expect(made).toMatchObject({ status: "active", program: { kind: "ppl_a", name: "Small" }, credits: [] });
  // Another program is another training; and the same one after a withdrawal.
  const night = await publish({ owner }, { ...small, kind: "night", name: "Night" });
  expectStatus(201, await owner.post(path, { ...body, revision_id: night.id }));
  expectStatus(200, await owner.post(`${path}/${made.id}/withdraw`, { reason: "Moves away." }));
  expectStatus(201, await owner.post(path, body));
});

test("an enrollment goes only from active to suspended and back, or to its end", async () => {
  const { owner, student, revision } = await newTrainingSchool();
  const body = { student_id: student.personId, revision_id: revision.id, started_on: "2026-03-01" };
  const { id } = expectStatus(201, await owner.post(path, body)).body.data;
  const move = async (name: string) => {
    const { status, body } = await owner.post(
      `${path}/${id}/${name}`,
      name === "resume" ? undefined : { reason: "Ill." },
    );
    return status === 200 ? [body.data.status, body.data.reason] : [body.error.reason, body.error.message];
  };
  expect(await move("resume")).toEqual(["wrong_status", "The enrollment is active, not suspended."]);
  expect(await move("suspend")).toEqual(["suspended", "Ill."]);
  expect(await move("suspend")).toEqual(["wrong_status", "The enrollment is suspended, not active."]);
  expect(await move("withdraw")).toEqual(["wrong_status", "The enrollment is suspended, not active."]);
  expect(await move("resume")).toEqual(["active", null]);
  expect(await move("withdraw")).toEqual(["withdrawn", "Ill."]);
  expect(await move("suspend")).toEqual(["wrong_status", "The enrollment is withdrawn, not active."]);
  expect((await owner.patch(`${path}/${id}`, { remarks: "Late" })).body.error.reason).toBe("wrong_status");
  expect((await owner.get(`${path}/${id}`)).body.data.ended_on).toBe("2026-06-14");
});

test("only a published revision takes students, and only people who fly", async () => {
  const { owner, student, revision } = await newTrainingSchool();
  const attempt = async (change: object) => {
    const body = { student_id: student.personId, revision_id: revision.id, started_on: "2026-03-01", ...change };
    const { status, body: answer } = await owner.post(path, body);
    return status === 409 ? answer.error.reason : status;
  };
  const draft = expectStatus(201, await owner.post(`/training/programs/${revision.program_id}/revisions`, small));
  expect(await attempt({ revision_id: draft.body.data.id })).toBe("wrong_status");
  expect(await attempt({ revision_id: owner.orgId })).toBe(400);
  expect(await attempt({ started_on: "2026-06-15" })).toBe(400);
  expect(await attempt({ student_id: owner.orgId })).toBe(400);
  expect(await attempt({ student_id: owner.personId })).toBe("person_not_student");
  const gone = expectStatus(201, await owner.post("/people", { name: "Gone", types: ["student"] })).body.data.id;
  expectStatus(200, await owner.patch(`/people/${gone}`, { status: "archived" }));
  expect(await attempt({ student_id: gone })).toBe("person_archived");
  expectStatus(200, await owner.call("PATCH", `/orgs/${owner.orgId}`, { body: { kind: "club" } }));
  expect(await attempt({})).toBe("program_not_permitted");
  expectStatus(200, await owner.call("PATCH", `/orgs/${owner.orgId}`, { body: { kind: "dto" } }));
  expectStatus(200, await owner.post(`${revision.path}/retire`));
  expect(await attempt({})).toBe("wrong_status");
});

test("a revision with a student is frozen, also after the student has left", async () => {
  const { owner, student, revision } = await newTrainingSchool();
  const body = { student_id: student.personId, revision_id: revision.id, started_on: "2026-03-01" };
  const { id } = expectStatus(201, await owner.post(path, body)).body.data;
  const change = async () => (await owner.patch(revision.path, { legal_basis: "Another" })).body.error.reason;
  expect(await change()).toBe("revision_frozen");
  expectStatus(200, await owner.post(`${path}/${id}/withdraw`, { reason: "Left." }));
  expect(await change()).toBe("revision_frozen");
});

test("a revision stays frozen after its students have moved to another", async () => {
  const { owner, student, revision } = await newTrainingSchool();
  const body = { student_id: student.personId, revision_id: revision.id, started_on: "2026-03-01" };
  const { id } = expectStatus(201, await owner.post(path, body)).body.data;
  const next = await revise({ owner }, revision.program_id, small);
  expectStatus(200, await owner.post(`${path}/${id}/migrate`, { revision_id: next.id }));
  for (const { path } of [revision, next]) {
    expect((await owner.patch(path, { legal_basis: "Another" })).body.error.reason).toBe("revision_frozen");
    expect((await owner.patch(path, { lessons: [] })).body.error.reason).toBe("revision_frozen");
  }
});

test("students see their own enrollments, instructors all, and others none", async () => {
  const school = await newTrainingSchool();
  const { owner, student, instructor, revision } = school;
  const other = await school.join(["student"], "Other Student");
  for (const { personId } of [student, other]) {
    const body = { student_id: personId, revision_id: revision.id, started_on: "2026-03-01" };
    expectStatus(201, await owner.post(path, body));
  }
  const seen = async (by: typeof owner, query = "") =>
    (await by.get(`${path}${query}`)).body.data
      .map(({ student }: { student: { name: string } }) => student.name)
      .sort();
  expect(await seen(student)).toEqual(["Sam Student"]);
  expect(await seen(student, `?student_id=${other.personId}`)).toEqual([]);
  expect(await seen(instructor)).toEqual(["Other Student", "Sam Student"]);
  expect(await seen(instructor, `?program_id=${revision.program_id}&status=active`)).toHaveLength(2);
  expect(await seen(instructor, "?status=suspended")).toEqual([]);
  const [{ id }] = (await other.get(path)).body.data;
  expect((await student.get(`${path}/${id}`)).status).toBe(404);
  expect((await (await school.join(["mechanic"], "Max")).get(path)).status).toBe(403);
});

test("a student moves to a new revision on request, after a preview of what maps to what", async () => {
  const { owner, student, revision } = await newTrainingSchool();
  const body = { student_id: student.personId, revision_id: revision.id, started_on: "2026-03-01" };
  const { id } = expectStatus(201, await owner.post(path, body)).body.data;
  const next = await revise({ owner }, revision.program_id, {
    ...small,
    lessons: [
      { ...small.lessons[0], name: "Circuits and landings", items: [item("2"), item("3")] },
      small.lessons[2],
      { code: "7", name: "New", kind: "dual", items: [item("1")] },
    ],
  });
  // Publishing it changes nothing by itself.
  expect((await owner.get(`${path}/${id}`)).body.data.revision_id).toBe(revision.id);
  const preview = expectStatus(200, await student.get(`${path}/${id}/migration-preview?revision_id=${next.id}`)).body
    .data;
  expect(preview).toMatchObject({ from: { number: 1 }, to: { number: 2 } });
  expect(preview.lessons).toEqual({
    kept: [
      { code: "1", name: "Circuits", new_name: "Circuits and landings" },
      { code: "3", name: "Briefing", new_name: "Briefing" },
    ],
    added: [{ code: "7", name: "New" }],
    dropped: [
      { code: "2", name: "Solo" },
      { code: "4", name: "Instruments" },
    ],
  });
  expect(preview.items.kept.map(({ lesson, code }: { lesson: string; code: string }) => `${lesson}.${code}`)).toEqual([
    "1.2",
    "3.1",
  ]);
  expect(
    preview.items.dropped.map(({ lesson, code }: { lesson: string; code: string }) => `${lesson}.${code}`),
  ).toEqual(["1.1", "2.1", "4.1"]);
  const moved = expectStatus(200, await owner.post(`${path}/${id}/migrate`, { revision_id: next.id })).body.data;
  expect(moved).toMatchObject({ revision_id: next.id, status: "active" });
  expect((await owner.post(`${path}/${id}/migrate`, { revision_id: next.id })).status).toBe(400);
  const night = await publish({ owner }, { ...small, kind: "night" });
  expect((await owner.post(`${path}/${id}/migrate`, { revision_id: night.id })).status).toBe(400);
  expectStatus(200, await owner.post(`${revision.path}/retire`));
  expect((await owner.post(`${path}/${id}/migrate`, { revision_id: revision.id })).body.error.reason).toBe(
    "wrong_status",
  );
});

test("a draft is previewed by whoever manages training, with its exams and scales, and by nobody else", async () => {
  const theory = {
    pass_percent: 75,
    attempts: 4,
    sittings: null,
    months: 18,
    valid_months: 24,
    legal_basis: "FCL.025",
  };
  const air_law = { code: "air_law", name: "Air law" };
  const [meteorology, navigation] = [
    { code: "meteorology", name: "Meteorology" },
    { code: "navigation", name: "Navigation" },
  ];
  const school = await newTrainingSchool({ ...small, theory, subjects: [air_law, meteorology] });
  const { owner, instructor, student, revision } = school;
  const body = { student_id: student.personId, revision_id: revision.id, started_on: "2026-03-01" };
  const { id } = expectStatus(201, await owner.post(path, body)).body.data;
  const sit = async (subject: string, taken_on: string, percent: number) =>
    expectStatus(201, await instructor.post(`${path}/${id}/exams`, { kind: "theory", subject, taken_on, percent }));
  await sit("air_law", "2026-05-20", 50);
  await sit("meteorology", "2026-05-20", 90);
  await sit("air_law", "2026-06-01", 90);
  const changed = {
    ...small,
    ...{ skill_test: true, theory: { ...theory, valid_months: 12 } },
    subjects: [{ ...air_law, name: "Aviation law" }, navigation],
    scales: [...small.scales, { code: "own", grades: small.scales[0]?.grades }],
  };
  const drafts = `/training/programs/${revision.program_id}/revisions`;
  const draft = expectStatus(201, await owner.post(drafts, changed)).body.data;
  const preview = (by: typeof owner) => by.get(`${path}/${id}/migration-preview?revision_id=${draft.id}`);
  const { data } = expectStatus(200, await preview(owner)).body;
  expect(data).toMatchObject({
    to: { number: 2 },
    subjects: {
      kept: [{ code: "air_law", new_name: "Aviation law", passed: true, stays_passed: true }],
      added: [navigation],
      dropped: [{ ...meteorology, passed: true }],
    },
    theory: { from: { valid_months: 24 }, to: { valid_months: 12 } },
    had_skill_test: false,
    skill_test: true,
  });
  expect(data.scales.to.map(({ code }: { code: string }) => code)).toEqual(["usual", "own"]);
  for (const other of [student, instructor]) expect((await preview(other)).body.error.reason).toBe("wrong_status");
  expect((await owner.post(`${path}/${id}/migrate`, { revision_id: draft.id })).body.error.reason).toBe("wrong_status");
  // With one attempt, the failure ended the set: what was passed in it is taken again (FCL.025).
  const strict = { theory: { ...theory, attempts: 1 }, subjects: [air_law, meteorology] };
  expectStatus(200, await owner.patch(`${drafts}/${draft.id}`, strict));
  const { subjects } = expectStatus(200, await preview(owner)).body.data;
  expect(subjects.kept).toMatchObject([
    { code: "air_law", passed: true, stays_passed: true },
    { code: "meteorology", passed: true, stays_passed: false },
  ]);
});

test("an enrollment has credits for earlier training", async () => {
  const { owner, student, revision } = await newTrainingSchool();
  const credits = [{ measure: "dual_minutes", amount: 600, reason: "Ten hours elsewhere." }];
  const body = { student_id: student.personId, revision_id: revision.id, started_on: "2026-03-01", credits };
  const { id } = expectStatus(201, await owner.post(path, body)).body.data;
  const more = [...credits, { measure: "solo_minutes", amount: 60, reason: "And one alone." }];
  expect(expectStatus(200, await owner.patch(`${path}/${id}`, { credits: more })).body.data.credits).toEqual(more);
  expect(
    (await owner.patch(`${path}/${id}`, { credits: [{ measure: "age", amount: 1, reason: "Old." }] })).status,
  ).toBe(400);
});

test("a student begins, or moves to a revision, when it has taken effect", async () => {
  const { owner, student, revision, ...school } = await newTrainingSchool({ ...small, effective_from: "2026-03-01" });
  const body = { student_id: student.personId, revision_id: revision.id };
  const refused = { path: "body.started_on", code: "not_in_effect" };
  const early = await owner.post(path, { ...body, started_on: "2026-02-28" });
  expect(early.body.issues).toMatchObject([refused]);
  const { id } = expectStatus(201, await owner.post(path, { ...body, started_on: "2026-03-01" })).body.data;
  expect((await owner.patch(`${path}/${id}`, { started_on: "2026-02-28" })).body.issues).toMatchObject([refused]);
  const tomorrow = expectStatus(400, await owner.patch(`${path}/${id}`, { started_on: "2026-06-15" }));
  expect(tomorrow.body.issues).toMatchObject([{ path: "body.started_on", code: "in_future" }]);
  const next = await revise({ owner, ...school }, revision.program_id, { ...small, effective_from: "2026-06-15" });
  const later = await owner.post(`${path}/${id}/migrate`, { revision_id: next.id });
  expect(later.body.issues).toMatchObject([{ path: "body.revision_id", code: "not_in_effect" }]);
  const now = await revise({ owner, ...school }, revision.program_id, { ...small, effective_from: "2026-06-14" });
  expectStatus(200, await owner.post(`${path}/${id}/migrate`, { revision_id: now.id }));
  expectStatus(200, await owner.patch(`${path}/${id}`, { started_on: "2026-02-28" }));
});

test("a preview tells the theory as of the day of the skill test, as the progress does after the move", async () => {
  const theory = {
    pass_percent: 75,
    attempts: 4,
    sittings: null,
    months: 18,
    valid_months: 24,
    legal_basis: "FCL.025",
  };
  const airLaw = { code: "air_law", name: "Air law" };
  const lessons = small.lessons.filter(({ kind }) => kind === "ground");
  const syllabus = { ...small, lessons, theory, subjects: [airLaw], skill_test: true };
  const school = await newTrainingSchool(syllabus);
  const { owner, instructor, revision } = school;
  const id = await enroll(school, { started_on: "2024-01-15" });
  const [item] = revision.lesson("3").items;
  const signoff = { enrollment_id: id, item_id: item.id, grade: "ok", signed_at: "2024-02-01T10:00:00Z" };
  expectStatus(201, await instructor.post("/training/signoffs", signoff));
  const exam = async (body: object) => {
    const examined = {
      subject: null,
      sitting: null,
      percent: null,
      passed: true,
      examiner: "Erika",
      remarks: null,
      ...body,
    };
    expectStatus(201, await owner.post(`${path}/${id}/exams`, examined));
  };
  await exam({ kind: "theory", subject: "air_law", taken_on: "2024-02-10", percent: 88, passed: null });
  await exam({ kind: "skill_test", taken_on: "2024-06-01" });
  // With another subject, the set would have ended on 31 August 2025: after the test, and before today.
  const more = { ...syllabus, subjects: [airLaw, { code: "met", name: "Meteorology" }] };
  const next = await revise(school, revision.program_id, more);
  const { subjects } = expectStatus(200, await owner.get(`${path}/${id}/migration-preview?revision_id=${next.id}`)).body
    .data;
  expect(subjects).toMatchObject({ kept: [{ code: "air_law", passed: true, stays_passed: true }] });
  expectStatus(200, await owner.post(`${path}/${id}/migrate`, { revision_id: next.id }));
  const progress = await progressOf(school, id);
  expect(progress.theory.subjects).toMatchObject([
    { code: "air_law", passed_on: "2024-02-10" },
    { code: "met", passed_on: null },
  ]);
});
