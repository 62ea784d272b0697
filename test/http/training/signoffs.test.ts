/** Signoffs: who may give them, what they count for, and what the public API and the event show. */
import { expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, type Member } from "../../support/school.ts";
import { enroll, flightOf, fly, newTrainingSchool, progressOf, publish, revise, small } from "./school.ts";

const path = "/training/signoffs";

/** A school whose instructor has a certificate, and whose student may fly solo. */
async function newSigners(...[syllabus, installation]: Parameters<typeof newTrainingSchool>) {
  const school = await newTrainingSchool(syllabus, installation);
  const { owner, student, instructor, revision } = school;
  const record = async (person_id: string, type: string, more: object) =>
    expectStatus(201, await owner.post("/compliance/records", { person_id, type, ...more })).body.data.id as string;
  await record(instructor.personId, "fi", { issued_on: "2025-01-15", valid_until: "2026-06-14" });
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "2010-06-01" }));
  const medical = await record(student.personId, "medical", {
    ...{ level: "class_2", issued_on: "2026-01-10", valid_until: "2031-01-10" },
  });
  const enrollment_id = await enroll(school, { started_on: "2025-01-01" });
  const body = (lesson: string, more: object = {}, at = 0) => ({
    ...{ enrollment_id, item_id: revision.lesson(lesson).items[at].id, grade: "ok", ...more },
  });
  const sign = async (by: Member, ...signed: Parameters<typeof body>) => {
    const { status, body: answer } = await by.post(path, body(...signed));
    return status === 409 ? answer.error.reason : status;
  };
  return { ...school, record, medical, enrollment_id, body, sign };
}

test("a signoff with a grade that passes counts, the newest of an item decides, and a void takes it back", async () => {
  const school = await newSigners();
  const { instructor, student, enrollment_id, body, sign } = school;
  const items = async () => (await progressOf(school, enrollment_id)).items;
  const failed = expectStatus(201, await instructor.post(path, body("1", { grade: "fail" }))).body.data;
  expect(failed).toMatchObject({
    passed: false,
    status: "recorded",
    student: { name: "Sam Student" },
    lesson: { code: "1" },
  });
  expect(await items()).toEqual({ done: 0, total: 5 });
  const passed = expectStatus(201, await instructor.post(path, body("1", { remarks: "Good." }))).body.data;
  expect(await items()).toEqual({ done: 1, total: 5 });
  const reason = "Wrong student.";
  expectStatus(200, await instructor.post(`${path}/${passed.id}/void`, { reason }));
  expect(await items()).toEqual({ done: 0, total: 5 });
  const again = await instructor.post(`${path}/${passed.id}/void`, { reason });
  expect(again.body.error).toMatchObject({ reason: "wrong_status" });
  // Signed earlier, so the later failure still counts.
  expect(await sign(instructor, "1", { signed_at: "2026-06-01T10:00:00Z" })).toBe(201);
  expect(await items()).toEqual({ done: 0, total: 5 });
  expect((await student.get(path)).body.data).toHaveLength(3);
});

test("an instructor signs with a certificate that is valid on that day, and for themselves", async () => {
  const { instructor, owner, join, sign, record } = await newSigners();
  expect(await sign(instructor, "1")).toBe(201);
  expect(await sign(instructor, "1", { signed_at: "2025-01-14T12:00:00Z" })).toBe("instructor_not_qualified");
  expect(await sign(instructor, "1", { signed_at: "2025-01-15T12:00:00Z" })).toBe(201);
  expect(await sign(instructor, "1", { signed_at: "2026-06-14T09:00:01Z" })).toBe(400);
  const other = await join(["instructor"], "No Certificate");
  expect(await sign(other, "1")).toBe("instructor_not_qualified");
  // Theory needs none.
  expect(await sign(other, "3")).toBe(201);
  await record(other.personId, "fi", { issued_on: "2020-01-15", valid_until: "2026-06-13" });
  expect(await sign(other, "1")).toBe("instructor_not_qualified");
  expect(await sign(other, "1", { signed_at: "2026-06-13T12:00:00Z" })).toBe(201);
  expect(await sign(other, "1", { instructor_id: instructor.personId })).toBe(403);
  expect(await sign(owner, "1")).toBe(400);
  expect(await sign(owner, "1", { instructor_id: instructor.personId })).toBe(201);
});

test("a solo is signed off after its prerequisites, for a student of 16 with a medical, by an unrestricted instructor", async () => {
  const { instructor, owner, student, sign, medical, join, record } = await newSigners();
  expect(await sign(instructor, "2")).toBe("prerequisite_missing");
  const earlier = { signed_at: "2026-05-30T12:00:00Z" };
  expect(await sign(instructor, "1", earlier)).toBe(201);
  expect(await sign(instructor, "2")).toBe("prerequisite_missing");
  expect(await sign(instructor, "1", earlier, 1)).toBe(201);
  // They were not done yet.
  expect(await sign(instructor, "2", { signed_at: "2026-05-30T11:59:59Z" })).toBe("prerequisite_missing");
  expect(await sign(instructor, "2", { signed_at: "2026-05-31T12:00:00Z" })).toBe("student_not_qualified");
  expect(await sign(instructor, "2", { signed_at: "2026-06-01T12:00:00Z" })).toBe(201);
  const restricted = await join(["instructor"], "New Instructor");
  await record(restricted.personId, "fi", { issued_on: "2026-01-15", valid_until: "2029-01-15" });
  const supervised = { restricted_instructor: true, supervisor_id: instructor.personId };
  expectStatus(200, await owner.patch(`/people/${restricted.personId}`, supervised));
  expect(await sign(restricted, "2")).toBe("instructor_not_qualified");
  expect(await sign(restricted, "1")).toBe(201);
  expectStatus(200, await owner.post(`/compliance/records/${medical}/withdraw`, { reason: "Suspended." }));
  expect(await sign(instructor, "2")).toBe("student_not_qualified");
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: null }));
  expect(await sign(instructor, "2")).toBe("student_not_qualified");
});

test("a solo needs the medical of the licence that the signoff's training aims at", async () => {
  const alone = small.lessons.map((one) => ({ ...one, requires: [] }));
  const school = await newTrainingSchool({ ...small, lessons: alone });
  const { owner, student, instructor, revision } = school;
  const record = async (person_id: string, type: string, more: object) =>
    expectStatus(201, await owner.post("/compliance/records", { person_id, type, ...more })).body.data.id;
  await record(instructor.personId, "fi", { issued_on: "2025-01-15", valid_until: "2029-01-31" });
  const lapl = await record(student.personId, "medical", {
    ...{ level: "lapl", issued_on: "2026-01-10", valid_until: "2031-01-10" },
  });
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "2000-06-01" }));
  const other = await publish(school, { ...small, kind: "lapl_a", name: "LAPL", lessons: alone });
  const sign = async (
    program: { id: string; lesson(code: string): { items: { id: string }[] } },
    enrollment_id: string,
  ) => {
    const item_id = program.lesson("2").items[0]?.id;
    const answer = await instructor.post(path, { enrollment_id, item_id, grade: "ok" });
    return answer.status === 201 ? 201 : answer.body.error;
  };
  const ppl = await enroll(school);
  const both = await enroll({ ...school, revision: other });
  expect(await sign(revision, ppl)).toMatchObject({
    reason: "student_not_qualified",
    message: "The student's medical certificate is not enough for a licence of level ppl on 2026-06-14.",
  });
  expect(await sign(other, both)).toBe(201);
  await record(student.personId, "medical", {
    ...{ level: "class_2", issued_on: "2026-02-10", valid_until: "2026-06-13" },
  });
  expect(await sign(revision, ppl)).toMatchObject({
    message: "The student's medical certificate is expired on 2026-06-14.",
  });
  await record(student.personId, "medical", {
    ...{ level: "class_2", issued_on: "2026-03-10", valid_until: "2026-06-14" },
  });
  expect(await sign(revision, ppl)).toBe(201);
  expectStatus(200, await owner.post(`/compliance/records/${lapl}/withdraw`, { reason: "Suspended." }));
  expect(await sign(revision, ppl)).toMatchObject({
    message: "The student's medical certificate is withdrawn on 2026-06-14.",
  });
  await record(student.personId, "medical", {
    ...{ level: "class_2", issued_on: "2026-06-14", valid_until: "2028-06-14" },
  });
  expect(await sign(revision, ppl)).toBe(201);
});

/** A school whose student flew a solo on 1 June, approved whatever the clearance found. */
async function afterSolo(flight: object = { ago: 13 }) {
  const school = await newTrainingSchool({ ...small, lessons: small.lessons.map((one) => ({ ...one, requires: [] })) });
  const { owner, student, instructor, revision } = school;
  const record = async (person_id: string, type: string, issued_on: string, valid_until: string) => {
    const level = type === "medical" ? { level: "class_2" } : {};
    const body = { person_id, type, issued_on, valid_until, ...level };
    expectStatus(201, await owner.post("/compliance/records", body));
  };
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "2000-06-01" }));
  const enrollment_id = await enroll(school);
  const body = flightOf(school, { lesson: "2", function: "solo", ...flight });
  const { id: flight_id } = expectStatus(201, await owner.post("/flights", body)).body.data;
  expectStatus(200, await owner.post(`/flights/${flight_id}/submit`));
  const item_id = revision.lesson("2").items[0].id;
  const sign = async (more: object = {}) => {
    const answer = await instructor.post(path, { enrollment_id, item_id, flight_id, grade: "ok", ...more });
    return answer.status === 201 ? 201 : answer.body.error.message;
  };
  return {
    ...{ ...school, sign },
    certified: (from: string, until: string) => record(instructor.personId, "fi", from, until),
    medical: (from: string, until: string) => record(student.personId, "medical", from, until),
  };
}

test("the medical of a solo counts on the day of the flight, not of the signature", async () => {
  const { sign, certified, medical } = await afterSolo();
  await certified("2025-01-15", "2029-01-31");
  await medical("2026-06-02", "2031-06-02");
  expect(await sign()).toBe("The student's medical certificate is missing on 2026-06-01.");
  expect(await sign({ flight_id: null })).toBe(201);
  const { sign: again, ...school } = await afterSolo();
  await school.certified("2025-01-15", "2029-01-31");
  await school.medical("2025-06-02", "2026-05-31");
  expect(await again()).toBe("The student's medical certificate is expired on 2026-06-01.");
  await school.medical("2026-06-01", "2026-06-01");
  expect(await again()).toBe(201);
  expect(await again({ flight_id: null })).toBe("The student's medical certificate is expired on 2026-06-14.");
});

test("the age of a solo counts on the day of the flight", async () => {
  const { sign, certified, medical, owner, student } = await afterSolo();
  await certified("2025-01-15", "2029-01-31");
  await medical("2026-01-10", "2031-01-10");
  const born = (date_of_birth: string) => owner.patch(`/people/${student.personId}`, { date_of_birth });
  expectStatus(200, await born("2010-06-02"));
  expect(await sign()).toBe("The student is under 16 on 2026-06-01.");
  expect(await sign({ flight_id: null })).toBe(201);
  expectStatus(200, await born("2010-06-01"));
  expect(await sign()).toBe(201);
});

test("the instructor's certificate is valid on the day of the flight and on the day of the signature", async () => {
  const { sign, certified, medical } = await afterSolo();
  await medical("2026-01-10", "2031-01-10");
  await certified("2023-01-15", "2026-05-31");
  expect(await sign()).toBe("The instructor's certificate is expired on 2026-06-01, the day of the flight.");
  await certified("2026-06-02", "2029-06-30");
  expect(await sign()).toBe("The instructor's certificate is expired on 2026-06-01, the day of the flight.");
  const other = await afterSolo();
  await other.medical("2026-01-10", "2031-01-10");
  await other.certified("2023-01-15", "2026-06-13");
  expect(await other.sign()).toBe("The instructor's certificate is expired on 2026-06-14, the day of the signature.");
  expect(await other.sign({ signed_at: "2026-06-13T12:00:00Z" })).toBe(201);
  await other.certified("2026-06-14", "2029-06-30");
  expect(await other.sign()).toBe(201);
});

test("the day of a flight is that of its off-block where the school is", async () => {
  // In Berlin, it is the 2nd already.
  const night = { off_block_at: "2026-06-01T22:30:00Z", on_block_at: "2026-06-01T23:00:00Z" };
  const { sign, certified, medical } = await afterSolo({ body: night });
  await certified("2025-01-15", "2029-01-31");
  await medical("2025-06-02", "2026-06-01");
  expect(await sign()).toBe("The student's medical certificate is expired on 2026-06-02.");
  await medical("2026-06-02", "2026-06-02");
  expect(await sign()).toBe(201);
});

test("a restricted instructor signs off everything but the first solo and the first solo cross-country flight", async () => {
  const alone = { name: "Solo", kind: "solo", phase: null, requires: [] };
  const milestone = (milestone: string | null) => [{ code: "1", name: "Flies", scale: "usual", milestone }];
  const lessons = [
    small.lessons[0],
    { ...alone, code: "first", items: milestone("first_solo") },
    { ...alone, code: "circuits", items: milestone(null) },
    { ...alone, code: "away", items: milestone("first_solo_cross_country") },
  ];
  const school = await newSigners({ ...small, lessons });
  const { instructor, owner, join, record, sign } = school;
  const restricted = await join(["instructor"], "New Instructor");
  await record(restricted.personId, "fi", { issued_on: "2026-01-15", valid_until: "2029-01-15" });
  const supervised = { restricted_instructor: true, supervisor_id: instructor.personId };
  expectStatus(200, await owner.patch(`/people/${restricted.personId}`, supervised));
  const signed = async (by: typeof owner) => {
    const found: Record<string, unknown> = {};
    for (const code of ["1", "first", "circuits", "away"]) found[code] = await sign(by, code);
    return found;
  };
  const refused = "instructor_not_qualified";
  expect(await signed(restricted)).toEqual({ "1": 201, first: refused, circuits: 201, away: refused });
  expect(await signed(instructor)).toEqual({ "1": 201, first: 201, circuits: 201, away: 201 });
  expectStatus(200, await owner.patch(`/people/${restricted.personId}`, { restricted_instructor: false }));
  expect(await signed(restricted)).toEqual({ "1": 201, first: 201, circuits: 201, away: 201 });
});

test("a milestone that a syllabus does not mark may be any solo item, but no lesson after a solo is the first solo", async () => {
  const solo = (code: string, requires: string[], milestones: (string | null)[]) => ({
    ...{ code, name: "Solo", kind: "solo", phase: null, requires },
    items: milestones.map((milestone, at) => ({ code: String(at), name: "Flies", scale: "usual", milestone })),
  });
  const refusedOf = async (first: string | null, away: string | null, kind = "ppl_a") => {
    const lessons = [
      { ...small.lessons[0], items: small.lessons[0]?.items.slice(0, 1) },
      solo("first", ["1"], [first, null]),
      solo("circuits", ["1", "first"], [null]),
      solo("away", ["circuits"], [away, null]),
    ];
    const school = await newSigners({ ...small, kind, lessons });
    const { instructor, owner, join, record, sign } = school;
    const restricted = await join(["instructor"], "New Instructor");
    await record(restricted.personId, "fi", { issued_on: "2026-01-15", valid_until: "2029-01-15" });
    const supervised = { restricted_instructor: true, supervisor_id: instructor.personId };
    expectStatus(200, await owner.patch(`/people/${restricted.personId}`, supervised));
    const refused: string[] = [];
    for (const { code, items } of school.revision.lessons)
      for (const [at] of items.entries()) {
        if ((await sign(restricted, code, {}, at)) !== 201) refused.push(`${code}/${at}`);
        expect(await sign(instructor, code, {}, at)).toBe(201);
      }
    return refused;
  };
  const all = ["first/0", "first/1", "circuits/0", "away/0", "away/1"];
  expect(await refusedOf("first_solo", "first_solo_cross_country")).toEqual(["first/0", "away/0"]);
  expect(await refusedOf("first_solo", null)).toEqual(all);
  expect(await refusedOf(null, null)).toEqual(all);
  expect(await refusedOf(null, "first_solo_cross_country")).toEqual(["first/0", "first/1", "away/0"]);
  expect(await refusedOf(null, "first_solo_cross_country", "night")).toEqual(["away/0"]);
});

test("a syllabus for holders of a licence has no first solo, so a restricted instructor signs off all of it", async () => {
  const { instructor, owner, join, record, sign } = await newSigners({ ...small, kind: "night" });
  const restricted = await join(["instructor"], "New Instructor");
  await record(restricted.personId, "fi", { issued_on: "2026-01-15", valid_until: "2029-01-15" });
  const supervised = { restricted_instructor: true, supervisor_id: instructor.personId };
  expectStatus(200, await owner.patch(`/people/${restricted.personId}`, supervised));
  for (const at of [0, 1]) expect(await sign(restricted, "1", {}, at)).toBe(201);
  expect(await sign(restricted, "2")).toBe(201);
});

test("a signoff names an item, a grade and a flight of the enrollment, which is active", async () => {
  const { instructor, owner, sign, enrollment_id, submitFlight, student } = await newSigners();
  const flight = await submitFlight(student);
  for (const wrong of [
    { item_id: owner.orgId },
    { grade: "none" },
    { flight_id: flight.id },
    { enrollment_id: owner.orgId },
  ])
    expect(await sign(instructor, "1", wrong)).toBe(400);
  expectStatus(200, await owner.post(`/training/enrollments/${enrollment_id}/suspend`, { reason: "Ill." }));
  expect(await sign(instructor, "1")).toBe("wrong_status");
});

test("a signoff is of a flight of the item's lesson, and does not count while that is rejected or reversed", async () => {
  const school = await newSigners();
  const { owner, instructor, body, sign, enrollment_id, revision } = school;
  const done = async () => (await progressOf(school, enrollment_id)).items.done;
  const { id } = expectStatus(201, await owner.post("/flights", flightOf(school, { lesson: "1" }))).body.data;
  expectStatus(200, await owner.post(`/flights/${id}/submit`));
  expect(await sign(instructor, "3", { flight_id: id })).toBe(400);
  for (const at of [0, 1]) expect(await sign(instructor, "1", { flight_id: id }, at)).toBe(201);
  expect(await done()).toBe(2);
  expectStatus(200, await owner.post(`/flights/${id}/reject`, { reason: "Wrong times." }));
  expect(await done()).toBe(0);
  expect(await sign(instructor, "2")).toBe("prerequisite_missing");
  expectStatus(200, await owner.post(`/flights/${id}/submit`));
  expectStatus(200, await owner.post(`/flights/${id}/approve`));
  expect(await done()).toBe(2);
  const progress = await progressOf(school, enrollment_id);
  expect(progress.lessons.map(({ open }: { open: boolean }) => open)).toEqual([true, true, true, true]);
  // An earlier signoff counts again, when the flight of the newest is reversed.
  expect(await sign(instructor, "1", { signed_at: "2026-06-01T10:00:00Z" })).toBe(201);
  expectStatus(200, await owner.post(`/flights/${id}/reverse`, { reason: "Another student." }));
  expect(await done()).toBe(1);
  // A lesson of another revision with the same code is the same lesson.
  const flown = await fly(school, { lesson: "1", ago: 2 });
  const next = await revise(school, revision.program_id, small);
  expectStatus(200, await owner.post(`/training/enrollments/${enrollment_id}/migrate`, { revision_id: next.id }));
  const item_id = next.lesson("1").items[1].id;
  expectStatus(201, await instructor.post(path, { ...body("1"), item_id, flight_id: flown }));
  expect(await done()).toBe(2);
});

test("a signoff says whether the instructor signed with their own account", async () => {
  const { owner, instructor, body, apiKey, publicGet } = await newSigners();
  const own = expectStatus(201, await instructor.post(path, body("1"))).body.data;
  const named = { instructor_id: instructor.personId };
  const other = expectStatus(201, await owner.post(path, body("1", named, 1))).body.data;
  expect([own.signed_by_instructor, other.signed_by_instructor]).toEqual([true, false]);
  const { data } = (await publicGet("/training/signoffs", await apiKey("public.signoffs:read"))).body;
  const shown = data.map(({ id, signed_by_instructor }: Record<string, unknown>) => [id, signed_by_instructor]);
  expect(Object.fromEntries(shown)).toEqual({ [own.id]: true, [other.id]: false });
});

test("only the student acknowledges a signoff, once, and sees no others", async () => {
  const { instructor, owner, student, join, body } = await newSigners();
  const { id } = expectStatus(201, await instructor.post(path, body("1"))).body.data;
  const other = await join(["student"], "Other Student");
  expect((await other.post(`${path}/${id}/acknowledge`)).status).toBe(404);
  expect((await other.get(`${path}/${id}`)).status).toBe(404);
  expect((await other.get(path)).body.data).toEqual([]);
  expect((await owner.post(`${path}/${id}/acknowledge`)).body.error.reason).toBe("not_the_student");
  expect(expectStatus(200, await student.post(`${path}/${id}/acknowledge`)).body.data.acknowledged_at).not.toBeNull();
  expect((await student.post(`${path}/${id}/acknowledge`)).body.error.reason).toBe("wrong_status");
  const another = await join(["instructor"], "Another Instructor");
  expect((await another.post(`${path}/${id}/void`, { reason: "Not mine." })).status).toBe(403);
});

test("what is signed off stays signed off in another revision, by the codes of lesson and item", async () => {
  const school = await newSigners();
  const { instructor, owner, sign, enrollment_id, revision } = school;
  for (const [lesson, at] of [
    ["1", 0],
    ["1", 1],
    ["3", 0],
  ] as const)
    expect(await sign(instructor, lesson, {}, at)).toBe(201);
  const next = await revise(school, revision.program_id, { ...small, lessons: [small.lessons[0], small.lessons[3]] });
  const preview = (await owner.get(`/training/enrollments/${enrollment_id}/migration-preview?revision_id=${next.id}`))
    .body.data;
  expect(preview.items.kept.map(({ done }: { done: boolean }) => done)).toEqual([true, true, false]);
  expect(preview.items.dropped.map(({ lesson, done }: { lesson: string; done: boolean }) => [lesson, done])).toEqual([
    ["2", false],
    ["3", true],
  ]);
  expectStatus(200, await owner.post(`/training/enrollments/${enrollment_id}/migrate`, { revision_id: next.id }));
  const progress = await progressOf(school, enrollment_id);
  expect(progress.items).toEqual({ done: 2, total: 3 });
  expect(progress.lessons.map(({ code, items }: { code: string; items: object }) => [code, items])).toEqual([
    ["1", { done: 2, total: 2 }],
    ["4", { done: 0, total: 1 }],
  ]);
  // An item of the old revision can't be signed off any more.
  expect(await sign(instructor, "1")).toBe(400);
});

test("a signoff emits its event with the public form, without remarks", async () => {
  const { instructor, body, apiKey, publicGet } = await newSigners();
  const key = await apiKey("public.events:read", "public.signoffs:read");
  const made = expectStatus(201, await instructor.post(path, body("1", { remarks: "Private." }))).body.data;
  const { data } = expectStatus(200, await publicGet("/events?type=training.signoff.recorded", key)).body;
  expect(data).toHaveLength(1);
  const listed = expectStatus(200, await publicGet("/training/signoffs", key)).body.data;
  expect(data[0].data).toEqual({ signoff: listed[0] });
  expect(listed[0]).toMatchObject({
    id: made.id,
    student_id: made.student_id,
    signed_at: made.signed_at,
    passed: true,
  });
  expect(JSON.stringify(listed)).not.toContain("Private.");
});

test("the public list has filters, pages and both shapes of errors", async () => {
  const installation = await newInstallation();
  const { instructor, owner, student, sign, revision, apiKey, publicGet, join } = await newSigners(small, installation);
  const key = await apiKey("public.signoffs:read");
  const get = async (query = "") => expectStatus(200, await publicGet(`/training/signoffs${query}`, key)).body;
  expect(await get()).toMatchObject({ data: [], page: { has_more: false, next_cursor: null } });
  for (const day of ["01", "02", "03"])
    expect(await sign(instructor, "3", { signed_at: `2026-06-${day}T10:00:00Z` })).toBe(201);
  const other = await join(["student"], "Other Student");
  const second = await enroll({ owner, student: other, revision });
  expect(await sign(instructor, "3", { enrollment_id: second, signed_at: "2026-06-02T12:00:00Z" })).toBe(201);
  const days = async (query: string) =>
    (await get(query)).data.map(({ signed_at }: { signed_at: string }) => signed_at.slice(8, 13));
  expect(await days("")).toEqual(["03T10", "02T12", "02T10", "01T10"]);
  expect(await days(`?student_id=${student.personId}`)).toEqual(["03T10", "02T10", "01T10"]);
  expect(await days(`?program_id=${revision.program_id}&limit=1&offset=3`)).toEqual(["01T10"]);
  expect(await days(`?program_id=${owner.orgId}`)).toEqual([]);
  expect(
    await days(`?student_id=${student.personId}&program_id=${revision.program_id}&from=2026-06-02T10:00:00Z`),
  ).toEqual(["03T10", "02T10"]);
  // `from` is inclusive, `to` is exclusive.
  expect(await days("?from=2026-06-02T10:00:00Z&to=2026-06-03T10:00:00Z")).toEqual(["02T12", "02T10"]);
  const first = await get("?limit=3");
  expect(first.page.has_more).toBe(true);
  expect(await days(`?limit=3&cursor=${first.page.next_cursor}`)).toEqual(["01T10"]);
  expect(await days("?offset=4")).toEqual([]);
  const wrong = await publicGet("/training/signoffs?student_id=7&limit=501", key);
  expect(wrong).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } });
  expect(wrong.body.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
    "query.limit",
    "query.student_id",
  ]);
  const poor = await apiKey("public.training:read");
  expect(await publicGet("/training/signoffs", poor)).toMatchObject({
    status: 403,
    body: { error: { code: "FORBIDDEN", reason: "scope_missing" } },
  });
});

test("the public progress has a row for each open enrollment, sorted by name", async () => {
  const { owner, instructor, student, sign, revision, apiKey, publicGet, join, enrollment_id } = await newSigners();
  const key = await apiKey("public.training:read");
  const rows = async () => expectStatus(200, await publicGet("/training-progress", key)).body;
  const other = await join(["student"], "Anton Student");
  const second = await enroll({ owner, student: other, revision });
  expect(await sign(instructor, "1")).toBe(201);
  const both = await rows();
  expect(Object.keys(both)).toEqual(["data"]);
  expect(both.data.map((row: { student: { name: string } }) => row.student.name)).toEqual([
    "Anton Student",
    "Sam Student",
  ]);
  expect(both.data[1]).toMatchObject({
    ...{ enrollment_id, student: { id: student.personId }, program: { kind: "ppl_a" }, items: { done: 1, total: 5 } },
    ...{ minima: [], theory: null, missing: ["items"], complete: false, last_flown_at: null, stalled: true },
  });
  expect(both.data[0].compliance).toEqual({
    status: "not_compliant",
    reasons: [{ any_of: ["medical"], state: "missing" }],
  });
  expectStatus(200, await owner.post(`/training/enrollments/${second}/withdraw`, { reason: "Left." }));
  expect((await rows()).data).toHaveLength(1);
  expect(await publicGet("/training-progress?limit=1", key)).toMatchObject({
    status: 400,
    body: { issues: [{ path: "query.limit" }] },
  });
  expect((await publicGet("/training-progress", await apiKey("public.signoffs:read"))).status).toBe(403);
});
