/** Where the students of a school stand, in one request, and what comes next. */
import { describe, expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, type Member } from "../../support/school.ts";
import { enroll, everyMinimum, fly, item, newTrainingSchool, publish, small } from "./school.ts";

const measured = {
  ...small,
  minima: everyMinimum.map((minimum) =>
    minimum.measure === "dual_minutes" ? { ...minimum, required: 1500 } : minimum,
  ),
};

const listed = async (by: Member, query = "") =>
  expectStatus(200, await by.get(`/training/progress?${query}`)).body.data;

// biome-ignore lint/suspicious/noExplicitAny: bodies of tests
const codes = (lessons: any[]) => lessons.map(({ code, items: { done, total } }) => `${code} ${done}/${total}`);

describe("GET /training/progress", () => {
  test("has percent, hours, the last lesson and the next ones of each student in training", async () => {
    const school = await newTrainingSchool(measured);
    const { owner, instructor, student, revision } = school;
    const id = await enroll(school, { credits: [{ measure: "solo_minutes", amount: 30, reason: "Elsewhere." }] });
    const certificate = { type: "fi", issued_on: "2025-01-15", valid_until: "2027-06-14" };
    expectStatus(201, await owner.post("/compliance/records", { ...certificate, person_id: instructor.personId }));
    const [fresh] = await listed(owner);
    expect(fresh).toMatchObject({
      ...{ enrollment_id: id, percent: 0, last_lesson: null, started_on: "2026-01-15", student_id: student.personId },
      ...{ dual: { done: 0, required: 1500 }, solo: { done: 30, required: 1 } },
    });
    // The solo lesson requires the first, whose items are not done.
    expect(codes(fresh.next_lessons)).toEqual(["1 0/2", "3 0/1", "4 0/1"]);

    await fly(school, { lesson: "1", minutes: 90, ago: 3 });
    await fly(school, { lesson: "1", minutes: 60, ago: 5 });
    const sign = async (code: string, place: number) => {
      const signoff = { enrollment_id: id, item_id: revision.lesson(code).items[place].id, grade: "ok" };
      expectStatus(201, await instructor.post("/training/signoffs", signoff));
    };
    await sign("1", 0);
    const [begun] = await listed(owner);
    expect(begun).toMatchObject({ percent: 20, dual: { done: 150, required: 1500 }, total: { done: 150 } });
    expect(begun.last_lesson).toMatchObject({ code: "1", name: "Circuits", kind: "dual", on: "2026-06-11" });
    expect(codes(begun.next_lessons)).toEqual(["1 1/2", "3 0/1", "4 0/1"]);

    await sign("1", 1);
    const session = { lesson_id: revision.lesson("3").id, held_on: "2026-06-12", minutes: 45 };
    expectStatus(201, await instructor.post(`/training/enrollments/${id}/ground-sessions`, session));
    const [now] = await listed(owner);
    expect(codes(now.next_lessons)).toEqual(["2 0/1", "3 0/1", "4 0/1"]);
    expect(now.last_lesson).toMatchObject({ code: "3", on: "2026-06-12" });
    // The same in the student's own progress.
    const { lessons: _, ...own } = expectStatus(200, await owner.get(`/training/enrollments/${id}/progress`)).body.data;
    expect(own).toEqual(now);
    // An ended training is in no list of those who stand somewhere.
    expectStatus(200, await owner.post(`/training/enrollments/${id}/withdraw`, { reason: "Moved." }));
    expect(await listed(owner)).toEqual([]);
  });

  test("is paged and filtered, and students see their own", async () => {
    const school = await newTrainingSchool();
    const { owner, student, join } = school;
    const other = await join(["student"], "Tom Other");
    const second = await publish(school, { ...small, name: "Second" });
    const mine = await enroll(school);
    const mine2 = await enroll({ ...school, revision: second });
    const theirs = await enroll(school, { student_id: other.personId });
    const ids = async (by: Member, query = "") =>
      (await listed(by, query)).map(({ enrollment_id }: { enrollment_id: string }) => enrollment_id);
    expect((await ids(student)).sort()).toEqual([mine, mine2].sort());
    expect(await ids(student, `student_id=${other.personId}`)).toEqual([]);
    expect(await ids(owner, `program_id=${second.program_id}`)).toEqual([mine2]);
    expect(await ids(owner, `student_id=${other.personId}`)).toEqual([theirs]);
    const first = expectStatus(200, await owner.get("/training/progress?limit=2&with_total=true")).body;
    expect(first.page).toMatchObject({ has_more: true, total: 3 });
    const rest = await ids(owner, `cursor=${first.page.next_cursor}`);
    const begun = first.data.map(({ enrollment_id }: { enrollment_id: string }) => enrollment_id);
    expect([...begun, ...rest].sort()).toEqual([mine, mine2, theirs].sort());
    const csv = await owner.call("GET", `/orgs/${owner.orgId}/training/progress`, { headers: { accept: "text/csv" } });
    expect(csv.text.trim().split("\r\n")).toHaveLength(4);
    const mechanic = await join(["mechanic"]);
    expectStatus(403, await mechanic.get("/training/progress"));
  });

  test("says since when a training has stalled: the 31st day after the last", async () => {
    const installation = await newInstallation();
    const school = await newTrainingSchool(small, installation);
    await enroll(school, { started_on: "2026-06-01" });
    await fly(school, { lesson: "1", ago: 0 });
    installation.clock.set("2026-07-14T12:00:00Z");
    const on = async () => (await listed(await school.owner.signedInAgain()))[0];
    expect(await on()).toMatchObject({ stalled: false, stalled_since: null });
    installation.clock.set("2026-07-15T12:00:00Z");
    expect(await on()).toMatchObject({ stalled: true, stalled_since: "2026-07-15" });
    installation.clock.set("2026-08-15T12:00:00Z");
    expect(await on()).toMatchObject({ stalled: true, stalled_since: "2026-07-15" });
  });
});

describe("a draft of a syllabus", () => {
  test("has another tag after each change of its items, so that the second of two desks loses nothing", async () => {
    const { owner } = await newTrainingSchool();
    const draft = expectStatus(201, await owner.post("/training/programs/import", small)).body.data;
    expect(draft.revision).toBe(1);
    const path = `/orgs/${owner.orgId}/training/programs/${draft.program_id}/revisions/${draft.id}`;
    const tag = async () => String(expectStatus(200, await owner.call("GET", path)).headers.get("etag"));
    const seen = await tag();
    const renamed = (name: string) => [{ ...small.lessons[0], items: [{ ...item("1"), name }] }];
    const write = (name: string, match: string) =>
      owner.call("PATCH", path, { body: { lessons: renamed(name) }, headers: { "if-match": match } });
    // The clock stands still: nothing but the revision tells the states apart.
    expectStatus(200, await write("First desk", seen));
    const between = await tag();
    expectStatus(200, await write("First desk again", between));
    const { error } = expectStatus(412, await write("Second desk", between)).body;
    expect(error.reason).toBe("resource_changed");
    const publish = { headers: { "if-match": between } };
    expectStatus(412, await owner.call("POST", `${path}/publish`, publish));
    const [lesson] = expectStatus(200, await owner.call("GET", `${path}/lessons`)).body.data;
    expect(lesson.items[0].name).toBe("First desk again");
    expect(expectStatus(200, await owner.call("GET", path)).body.data.revision).toBe(3);
  });
});

test("the flights of a training are listed, to students their own", async () => {
  const school = await newTrainingSchool();
  const { owner, student, instructor, join } = school;
  const other = await join(["student"], "Tom Other");
  const id = await enroll(school);
  const theirs = await enroll(school, { student_id: other.personId });
  const first = await fly(school, { lesson: "1", ago: 5 });
  const second = await fly(school, { lesson: "1", ago: 2 });
  await fly(school, { ago: 1 }); // of no lesson
  const ids = async (by: Member, query: string) =>
    expectStatus(200, await by.get(`/flights?${query}`)).body.data.map(({ id }: { id: string }) => id);
  expect(await ids(owner, `enrollment_id=${id}`)).toEqual([second, first]);
  expect(await ids(instructor, `enrollment_id=${id}&order=off_block_at`)).toEqual([first, second]);
  expect(await ids(student, `enrollment_id=${id}`)).toEqual([second, first]);
  expect(await ids(other, `enrollment_id=${id}`)).toEqual([]);
  expect(await ids(owner, `enrollment_id=${theirs}`)).toEqual([]);
  expect(await ids(owner, `enrollment_id=${id}&person_id=${student.personId}`)).toEqual([second, first]);
  expect(await ids(owner, `enrollment_id=${id}&person_id=${other.personId}`)).toEqual([]);
  expect(await ids(owner, `enrollment_id=${id}&status=rejected`)).toEqual([]);
  expect(await ids(owner, `enrollment_id=${id}&workshop_remarks=true`)).toEqual([]);
  expect(await ids(owner, `enrollment_id=${id}&aircraft_id=${school.aircraftId}`)).toEqual([second, first]);
});
