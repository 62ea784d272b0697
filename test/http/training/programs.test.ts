/** Programs, their revisions and syllabi. */
import { expect, test } from "bun:test";
import type { Answer } from "../../support/installation.ts";
import { expectStatus, newSchool, times } from "../../support/school.ts";
import { item, newTrainingSchool, publish, publishDraft, small } from "./school.ts";

test("an exported syllabus, imported again, gives the same syllabus", async () => {
  const school = await newSchool();
  const { owner } = school;
  const applied = expectStatus(201, await owner.post("/training/templates/ppl-a/apply"));
  const { id, program_id, lesson_count, item_count } = applied.body.data;
  const path = `/training/programs/${program_id}/revisions/${id}`;
  expect(applied.headers.get("location")).toBe(`/orgs/${school.orgId}${path}`);
  expect(applied.body.data).toMatchObject({ number: 1, status: "draft", skill_test: true });
  expect(lesson_count).toBe(26);
  const document = expectStatus(200, await owner.get(`${path}/export`)).body.data;
  expect(document.lessons.flatMap(({ items }: { items: unknown[] }) => items)).toHaveLength(item_count);
  // At another school.
  const other = await newSchool();
  const copy = expectStatus(201, await other.owner.post("/training/programs/import", document)).body.data;
  const again = await other.owner.get(`/training/programs/${copy.program_id}/revisions/${copy.id}/export`);
  expect(again.body.data).toEqual(document);
});

interface Minimum {
  measure: string;
  required: number;
  distance_km: number | null;
  full_stops_elsewhere: number | null;
}

/** `270 km and 2 landings elsewhere`, or the figure. */
const figureOf = ({ required, distance_km, full_stops_elsewhere }: Minimum) =>
  distance_km === null ? required : `${required} of ${distance_km} km and ${full_stops_elsewhere} landings elsewhere`;

/** In hours, as the law has them: the figures of a flight are in minutes. */
const hours = (count: number) => count * 60;

/** FCL.110.A, FCL.210.A, FCL.135.A, FCL.725, FCL.800, FCL.805, FCL.810, FCL.930.CRI. */
const leastTraining = {
  "ppl-a": {
    ...{ total_minutes: hours(45), dual_minutes: hours(25), solo_minutes: hours(10) },
    ...{ solo_cross_country_minutes: hours(5), long_cross_country: "1 of 270 km and 2 landings elsewhere", age: 17 },
  },
  "lapl-a": {
    ...{ total_minutes: hours(30), dual_minutes: hours(15), solo_minutes: hours(6) },
    ...{ solo_cross_country_minutes: hours(3), long_cross_country: "1 of 150 km and 1 landings elsewhere", age: 17 },
  },
  "ppl-a-from-lapl-a": {
    ...{ dual_minutes: hours(5), solo_minutes: hours(10) },
    ...{ solo_cross_country_minutes: hours(5), long_cross_country: "1 of 270 km and 2 landings elsewhere", age: 17 },
  },
  tmg: { dual_minutes: hours(3), solo_landings: 10 },
  night: {
    ...{ dual_cross_country_minutes: hours(1), night_minutes: hours(5), dual_night_minutes: hours(3) },
    solo_night_landings: 5,
  },
  aerobatic: { dual_minutes: hours(5) },
  towing: { landings: 10 },
  cri: { dual_minutes: hours(3), ground_minutes: hours(25 + 10) },
  fe: {},
};

test("every built-in syllabus can be published, with the least training that the law says", async () => {
  const { owner } = await newSchool();
  const templates = expectStatus(200, await owner.get("/training/templates")).body.data;
  const minima: Record<string, Record<string, number | string>> = {};
  for (const { key } of templates) {
    const { id, program_id } = expectStatus(201, await owner.post(`/training/templates/${key}/apply`)).body.data;
    const path = `/training/programs/${program_id}/revisions/${id}`;
    expectStatus(200, await owner.post(`${path}/publish`));
    const syllabus: { minima: Minimum[] } = expectStatus(200, await owner.get(`${path}/export`)).body.data;
    minima[key] = Object.fromEntries(syllabus.minima.map((minimum) => [minimum.measure, figureOf(minimum)]));
  }
  expect(minima).toEqual(leastTraining);
  expect(Object.keys(minima)).toEqual(Object.keys(leastTraining));
  expect((await owner.post("/training/templates/atpl/apply")).status).toBe(404);
});

test("lessons are listed in the order of the syllabus, each with its items", async () => {
  const { owner, instructor, student, revision } = await newTrainingSchool();
  const page = expectStatus(200, await student.get(`${revision.path}/lessons?limit=2`)).body;
  expect(page.data.map(({ code, items }: { code: string; items: unknown[] }) => [code, items.length])).toEqual([
    ["1", 2],
    ["2", 1],
  ]);
  expect(page.page.has_more).toBe(true);
  expect((await instructor.get(`${revision.path}/lessons`)).body.data).toHaveLength(4);
  const other = await publish({ owner }, { ...small, kind: "night" });
  const mixed = `/training/programs/${other.program_id}/revisions/${revision.id}/lessons`;
  expect((await owner.get(mixed)).status).toBe(404);
});

test("a draft is changed by parts, and lessons and items keep their ids by their codes", async () => {
  const { owner } = await newSchool();
  const { id, program_id } = expectStatus(201, await owner.post("/training/programs/import", small)).body.data;
  const path = `/training/programs/${program_id}/revisions/${id}`;
  const lessons = async () => (await owner.get(`${path}/lessons`)).body.data;
  const before = await lessons();
  const changed = await owner.patch(path, {
    lessons: [
      { code: "9", name: "New", kind: "ground", items: [] },
      { ...small.lessons[0], name: "Renamed" },
    ],
  });
  expect(expectStatus(200, changed).body.data).toMatchObject({
    lesson_count: 2,
    item_count: 2,
    legal_basis: "FCL.210.A",
  });
  const after = await lessons();
  expect(after.map(({ name }: { name: string }) => name)).toEqual(["New", "Renamed"]);
  expect(after[1].id).toBe(before[0].id);
  expect(after[1].items).toEqual(before[0].items);
  // A part that others name can't be taken away.
  const without = await owner.patch(path, { phases: [] });
  expect(without.status).toBe(400);
  expect(without.body.issues[0].path).toContain("lessons.1.phase");
});

test.each([
  ["a lesson twice", { lessons: [small.lessons[0], small.lessons[0]] }, "lessons.1"],
  ["an item twice", { lessons: [{ ...small.lessons[0], items: [item("1"), item("1")] }] }, "lessons.0.items.1"],
  ["a lesson that requires a later one", { lessons: [small.lessons[1], small.lessons[0]] }, "lessons.0.requires.0"],
  ["an unknown scale", { scales: [] }, "lessons.0.items.0.scale"],
  ["an unknown phase", { phases: [] }, "lessons.0.phase"],
  ["subjects without rules", { subjects: [{ code: "law", name: "Law" }] }, "theory"],
  [
    "501 items",
    {
      lessons: times(6, (n) => ({
        code: String(n),
        name: "L",
        kind: "dual",
        items: times(n < 5 ? 100 : 1, (i) => item(String(i))),
      })),
    },
    "lessons",
  ],
])("a syllabus with %s is refused, and nothing is written", async (_, change, path) => {
  const { owner } = await newSchool();
  const answer = await owner.post("/training/programs/import", { ...small, ...change });
  expect({
    status: answer.status,
    paths: answer.body.issues?.map((issue: { path: string }) => issue.path),
  }).toMatchObject({
    status: 400,
    paths: expect.arrayContaining([expect.stringContaining(path)]),
  });
  expect((await owner.get("/training/programs")).body.data).toEqual([]);
});

test("the largest syllabus is accepted, and a larger body refused", async () => {
  const { owner } = await newSchool();
  const name = "n".repeat(190);
  const lessons = times(100, (n) => ({
    ...{ code: String(n), name, kind: "dual", phase: "a", requires: [] },
    items: times(5, (i) => ({ ...item(String(i)), name })),
  }));
  const { item_count } = expectStatus(201, await owner.post("/training/programs/import", { ...small, lessons })).body
    .data;
  expect(item_count).toBe(500);
  const huge = await owner.post("/training/programs/import", { ...small, legal_basis: "x".repeat(600_000) });
  expect(huge.status).toBe(413);
});

test("a DTO trains for its licences and ratings only, and a club for none", async () => {
  const { owner } = await newSchool();
  const kinds = async (kind: string) => {
    expectStatus(200, await owner.call("PATCH", `/orgs/${owner.orgId}`, { body: { kind } }));
    const answers: Record<string, unknown> = {};
    for (const licence of ["lapl_a", "night", "ir", "cpl", "other"]) {
      const { status, body } = await owner.post("/training/programs", { kind: licence, name: licence });
      answers[licence] = status === 409 ? body.error.reason : status;
    }
    return answers;
  };
  const refused = "program_not_permitted";
  expect(await kinds("ato")).toEqual({ lapl_a: 201, night: 201, ir: 201, cpl: 201, other: 201 });
  expect(await kinds("dto")).toEqual({ lapl_a: 201, night: 201, ir: refused, cpl: refused, other: refused });
  expect(await kinds("club")).toEqual({ lapl_a: refused, night: refused, ir: refused, cpl: refused, other: 201 });
  expect((await owner.post("/training/programs/import", { ...small, kind: "ir" })).body.error.reason).toBe(refused);
  expect((await owner.get("/training/programs?kind=ir")).body.data).toHaveLength(1);
});

test("an organization neither adds nor publishes revisions of what it may no longer train", async () => {
  const { owner } = await newSchool();
  const drafted = async (kind: string) => {
    const { program_id, id } = expectStatus(201, await owner.post("/training/programs/import", { ...small, kind })).body
      .data;
    return { kind, list: `/training/programs/${program_id}/revisions`, id };
  };
  const become = async (kind: string) =>
    expectStatus(200, await owner.call("PATCH", `/orgs/${owner.orgId}`, { body: { kind } }));
  const told = ({ status, body }: Answer) => (status < 300 ? status : [status, body.error.reason, body.error.message]);
  const both = async ({ kind, list, id }: Awaited<ReturnType<typeof drafted>>) => [
    told(await owner.post(list, { ...small, kind })),
    told(await owner.post(`${list}/${id}/publish`)),
  ];
  const all = [await drafted("mep"), await drafted("ir"), await drafted("other")];
  const lapl = await drafted("lapl_a");
  await become("dto");
  for (const one of all) {
    const refusal = [409, "program_not_permitted", `An organization of kind dto may not train ${one.kind}.`];
    expect(await both(one)).toEqual([refusal, refusal]);
    expect((await owner.get(one.list)).body.data).toMatchObject([{ id: one.id, status: "draft" }]);
  }
  expect(await both(lapl)).toEqual([201, 200]);
  // What was published before can be retired.
  await become("ato");
  for (const one of all) expect(await both(one)).toEqual([201, 200]);
  await become("dto");
  for (const { list, id } of all) expectStatus(200, await owner.post(`${list}/${id}/retire`));
});

test("an organization does not become one of a kind that may not train its students", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const become = async (kind: string) => {
    const { status, body } = await owner.call("PATCH", `/orgs/${owner.orgId}`, { body: { kind } });
    return status === 200 ? status : [body.error.reason, body.error.message];
  };
  const [ir, other] = [
    await publish(school, { ...small, kind: "ir" }),
    await publish(school, { ...small, kind: "other" }),
  ];
  expect(await become("dto")).toBe(200);
  const body = { student_id: student.personId, started_on: "2026-01-15" };
  for (const { id: revision_id } of [ir, other])
    expect((await owner.post("/training/enrollments", { ...body, revision_id })).body.error.reason).toBe(
      "program_not_permitted",
    );
  // Nor with an approval for a minute.
  expect(await become("ato")).toBe(200);
  const enrolled = [];
  for (const { id: revision_id } of [ir, other])
    enrolled.push(expectStatus(201, await owner.post("/training/enrollments", { ...body, revision_id })).body.data.id);
  const refusal = (kind: string, kinds: string) => [
    "program_not_permitted",
    `An organization of kind ${kind} may not train ${kinds}. Complete or withdraw these students first.`,
  ];
  expect(await become("dto")).toEqual(refusal("dto", "ir, other"));
  expect(await become("club")).toEqual(refusal("club", "ir"));
  expect(await become("ato")).toBe(200);
  const [first, second] = enrolled;
  expectStatus(200, await owner.post(`/training/enrollments/${first}/suspend`, { reason: "Ill." }));
  expect(await become("club")).toEqual(refusal("club", "ir"));
  expectStatus(200, await owner.post(`/training/enrollments/${first}/resume`));
  expectStatus(200, await owner.post(`/training/enrollments/${first}/withdraw`, { reason: "Left." }));
  expect(await become("club")).toBe(200);
  expect(await become("dto")).toEqual(refusal("dto", "other"));
  expectStatus(200, await owner.post(`/training/enrollments/${second}/withdraw`, { reason: "Left." }));
  expect(await become("dto")).toBe(200);
});

test("a syllabus marks the first flights alone, and names the classes that count", async () => {
  const { owner } = await newSchool();
  const marked = (kind: string, milestone: unknown) => ({
    ...small,
    lessons: [{ ...small.lessons[1], kind, requires: [], items: [{ ...small.lessons[1]?.items[0], milestone }] }],
  });
  const sent = async (syllabus: object) => {
    const { status, body } = await owner.post("/training/programs/import", syllabus);
    return status === 201 ? body.data.aircraft_classes : body.issues[0].path;
  };
  const aeroplanes = ["SEP", "MEP", "TMG", "SET"];
  expect(await sent(marked("solo", "first_solo"))).toEqual(aeroplanes);
  expect(await sent(marked("dual", "first_solo"))).toBe("body.lessons.0.items.0.milestone");
  expect(await sent(marked("solo", "second_solo"))).toBe("body.lessons.0.items.0.milestone");
  expect(await sent({ ...small, aircraft_classes: ["TMG"] })).toEqual(["TMG"]);
  expect(await sent({ ...small, aircraft_classes: ["SEP", "sailplane"] })).toBe("body.aircraft_classes.1");
  expect(await sent({ ...small, kind: "lapl_a", aircraft_classes: null })).toEqual(aeroplanes);
  expect(await sent({ ...small, kind: "lapl_a", aircraft_classes: ["helicopter"] })).toBe("body.aircraft_classes.0");
  for (const wrong of [[], ["FSTD"], ["SEP", "SEP"]])
    expect((await owner.post("/training/programs/import", { ...small, aircraft_classes: wrong })).status).toBe(400);
  expect(await sent({ ...small, kind: "other" })).toBeNull();
  expect(await sent({ ...small, kind: "other", aircraft_classes: ["sailplane"] })).toEqual(["sailplane"]);

  const { id, program_id } = expectStatus(201, await owner.post("/training/programs/import", small)).body.data;
  const path = `/training/programs/${program_id}/revisions/${id}`;
  const change = async (aircraft_classes: unknown) => {
    const { status, body } = await owner.patch(path, { aircraft_classes });
    return status === 200 ? body.data.aircraft_classes : body.issues[0].path;
  };
  expect(await change(["TMG"])).toEqual(["TMG"]);
  expect(expectStatus(200, await owner.patch(path, { legal_basis: "Another" })).body.data.aircraft_classes).toEqual([
    "TMG",
  ]);
  expect(await change(["sailplane"])).toBe("body.aircraft_classes.0");
  expect(await change(null)).toEqual(aeroplanes);
  const exported = expectStatus(200, await owner.get(`${path}/export`)).body.data;
  expect(exported.aircraft_classes).toEqual(aeroplanes);
  expect(await sent(exported)).toEqual(aeroplanes);
});

test("a revision without lessons stays a draft, and a published one keeps some", async () => {
  const { owner, revision } = await newTrainingSchool();
  const draft = await owner.post("/training/programs/import", { ...small, lessons: [] });
  const { id, program_id } = expectStatus(201, draft).body.data;
  const path = `/training/programs/${program_id}/revisions/${id}`;
  expect((await owner.post(`${path}/publish`)).body.error.reason).toBe("revision_empty");
  expectStatus(200, await owner.patch(path, { lessons: small.lessons }));
  expectStatus(200, await owner.patch(path, { lessons: [] }));
  expect((await owner.patch(revision.path, { lessons: [] })).body.error.reason).toBe("revision_empty");
});

test("a lesson without items is not published", async () => {
  const { owner, revision } = await newTrainingSchool();
  const lessons = [...small.lessons, { code: "9", name: "Theory", kind: "ground", items: [] }];
  const draft = expectStatus(201, await owner.post("/training/programs/import", { ...small, lessons })).body.data;
  const refused = await owner.post(`/training/programs/${draft.program_id}/revisions/${draft.id}/publish`);
  expect(refused.body.error).toMatchObject({ reason: "revision_empty", message: "Lessons without items: 9." });
  expect((await owner.patch(revision.path, { lessons })).body.error.reason).toBe("revision_empty");
});

test("a draft, and a program without revisions, can be deleted", async () => {
  const { owner } = await newSchool();
  const { id, program_id } = expectStatus(201, await owner.post("/training/programs/import", small)).body.data;
  const program = `/training/programs/${program_id}`;
  expect((await owner.delete(program)).body.error.reason).toBe("program_in_use");
  expect(expectStatus(200, await owner.delete(`${program}/revisions/${id}`)).body.data).toMatchObject({
    ...{ id, status: "draft", lesson_count: 4, item_count: 5 },
  });
  expect((await owner.get(`${program}/revisions/${id}/lessons`)).status).toBe(404);
  const published = await publishDraft({ owner }, (await owner.post(`${program}/revisions`, small)).body.data);
  expect((await owner.delete(published.path)).body.error.reason).toBe("wrong_status");
  const empty = expectStatus(201, await owner.post("/training/programs", { kind: "night", name: "Night" })).body.data;
  expectStatus(200, await owner.delete(`/training/programs/${empty.id}`));
  expect((await owner.get("/training/programs")).body.data).toHaveLength(1);
});

test("a revision goes from draft to published to retired, and other moves are refused with the state", async () => {
  const { owner } = await newSchool();
  const { id, program_id } = expectStatus(201, await owner.post("/training/programs/import", small)).body.data;
  const path = `/training/programs/${program_id}/revisions/${id}`;
  const move = async (to: string) => {
    const { status, body } = await owner.post(`${path}/${to}`);
    return status === 200 ? body.data.status : body.error.message;
  };
  expect(await move("retire")).toContain("draft");
  expect(await move("publish")).toBe("published");
  expect(await move("publish")).toContain("published");
  expect((await owner.patch(path, { legal_basis: "Corrected" })).status).toBe(200);
  expect(await move("retire")).toBe("retired");
  expect(await move("publish")).toContain("retired");
  expect((await owner.patch(path, { legal_basis: "Too late" })).body.error.reason).toBe("wrong_status");
  const second = expectStatus(201, await owner.post(`/training/programs/${program_id}/revisions`, small)).body.data;
  expect(second.number).toBe(2);
  const other = await owner.post(`/training/programs/${program_id}/revisions`, { ...small, kind: "night" });
  expect(other.status).toBe(400);
  const list = (await owner.get(`/training/programs/${program_id}/revisions`)).body.data;
  expect(list.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
});
