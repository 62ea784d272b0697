/** The training file of a student as a PDF: what an inspector reads. */
import { expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { pdfText } from "../../support/pdf-text.ts";
import { expectStatus, type Member } from "../../support/school.ts";
import { contentOf, download, filesIn, issue, jsonIn, ofPilot } from "../evidence/packing.ts";
import { enroll, fly, item, newTrainingSchool, revise, small } from "./school.ts";

const minimum = { legal_basis: "FCL.210.A, (EU) 1178/2011", effective_from: "2020-04-08" };
const syllabus = {
  ...small,
  minima: [
    { ...minimum, measure: "dual_minutes", required: 1500 },
    { ...minimum, measure: "solo_minutes", required: 600 },
    { ...minimum, measure: "long_cross_country", required: 1, distance_km: 270, full_stops_elsewhere: 2 },
  ],
  theory: { pass_percent: 75, attempts: 4, sittings: null, months: 18, valid_months: 24, legal_basis: "FCL.025" },
  subjects: [{ code: "air_law", name: "Air law" }],
  lessons: small.lessons.map((lesson) => ({
    ...lesson,
    items: lesson.kind === "solo" ? [{ ...item("1"), milestone: "first_solo" }] : lesson.items,
  })),
};

const secret = "Gets tense in crosswind.";

async function newInspected(at?: Awaited<ReturnType<typeof newInstallation>>) {
  const school = await newTrainingSchool(syllabus, at);
  const { owner, instructor, student, installation } = school;
  const approval = { approval_number: "DE.ATO.123", authority: "Luftfahrt-Bundesamt" };
  expectStatus(200, await owner.patch("", approval));
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { date_of_birth: "2000-05-05" }));
  const held = async (body: object) => expectStatus(201, await owner.post("/compliance/records", body));
  await held({ type: "fi", issued_on: "2025-01-15", valid_until: "2027-06-14", person_id: instructor.personId });
  await held({
    ...{ type: "medical", level: "class_2", issued_on: "2026-01-15", valid_until: "2030-06-14" },
    person_id: student.personId,
  });
  const credits = [{ measure: "dual_minutes", amount: 720, reason: "Trained at Blue Sky." }];
  const enrollment_id = await enroll(school, { credits });
  const path = `/training/enrollments/${enrollment_id}/file`;
  const fileFor = (by: Member) => download(installation, by, path);
  const pagesFor = async (by: Member) => pdfText(await (await fileFor(by)).arrayBuffer());
  return {
    ...{ ...school, enrollment_id, path, fileFor, pagesFor },
    textFor: async (by: Member) => (await pagesFor(by)).join("\n").replaceAll(/\s+/g, " "),
    async record(code: string, more: object = {}) {
      const lesson = school.revision.lesson(code);
      const grades = lesson.items.map(({ id }: { id: string }) => ({ item_id: id, grade: "ok" }));
      const body = { enrollment_id, lesson_id: lesson.id, grades, instructor_notes: secret, ...more };
      return expectStatus(201, await instructor.post("/training/lesson-records", body)).body.data;
    },
  };
}

test("the training file has the school's approval, the program, lessons with both signatures, flights with sums, exams and credits", async () => {
  const installation = await newInstallation();
  const school = await newInspected(installation);
  const { owner, instructor, student, enrollment_id, textFor, record } = school;
  const flight_id = await fly(school, { lesson: "1", minutes: 75, ago: 5 });
  const lesson = await record("1", { flight_id, remarks: "Good circuits." });
  installation.clock.advance(3_600_000);
  const later = { student: await student.signedInAgain(), owner: await owner.signedInAgain() };
  expectStatus(200, await later.student.post(`/training/lesson-records/${lesson.id}/acknowledge`));
  const supervised = { supervisor_id: instructor.personId };
  const solo = await fly(
    { ...school, ...later },
    { lesson: "2", function: "solo", minutes: 45, ago: 1, body: supervised },
  );
  const alone = { enrollment_id, item_id: school.revision.lesson("2").items[0].id, flight_id: solo, grade: "ok" };
  const named = { instructor_id: instructor.personId, signed_at: null, remarks: "Three clean circuits." };
  expectStatus(201, await later.owner.post("/training/signoffs", { ...alone, ...named }));
  const briefing = { lesson_id: school.revision.lesson("3").id, held_on: "2026-06-01", minutes: 90, remarks: null };
  const session = { ...briefing, instructor_id: instructor.personId };
  expectStatus(201, await later.owner.post(`/training/enrollments/${enrollment_id}/ground-sessions`, session));
  const exam = { kind: "theory", subject: "air_law", sitting: null, taken_on: "2026-05-01", percent: 88, passed: null };
  const examined = { ...exam, examiner: "Erika Examiner", remarks: null };
  expectStatus(201, await later.owner.post(`/training/enrollments/${enrollment_id}/exams`, examined));

  const text = await textFor(later.owner);
  for (const words of [
    "Approved training organisation (ATO)",
    "DE.ATO.123",
    "Luftfahrt-Bundesamt",
    "Date of birth 2000-05-05",
    "Revision 1, in effect from 2020-04-08",
    "Enrolled from 2026-01-15",
    "Dual flight instruction 12:00 Trained at Blue Sky.",
    // Required, done, of it credited, missing.
    "Dual flight instruction 25:00 13:15 12:00 11:45 FCL.210.A, (EU) 1178/2011",
    "Supervised solo flight time 10:00 0:45 9:15",
    "Missing Dual flight instruction; Supervised solo flight time; Solo cross-country flight of at least 270 km with 2",
    "Medical certificate, class 2 2026-01-15 2030-06-14",
    "2026-05-01 Air law 88 %, passed Erika Examiner",
    "All subjects of the theory are passed, valid until 2028-05-01.",
    "1 Circuits dual 2 / 2 2026-06-09",
    "2026-06-09 · 1 Circuits",
    "1 Item 1 ok: As required",
    "Remarks: Good circuits.",
    "Instructor: Ines Instructor Signed 2026-06-14 09:00 UTC",
    "Student: Sam Student Acknowledged 2026-06-14 10:00 UTC",
    "Item 1 (First solo flight)",
    "solo, authorised and supervised by Ines Instructor",
    "Three clean circuits.",
    "Recorded by Olga Owner for the instructor, 2026-06-14 10:00 UTC",
    "Not acknowledged yet",
    "2026-06-01 · 3 Briefing Ground instruction, 1:30",
    "Ines Instructor (s) 0:45",
    "Flight time 2:00 Dual 1:15 Solo 0:45",
    "Supervised by Ines Instructor: 1 solo flight, 0:45",
    "Signed lessons and exercises: 2. Ground sessions: 1. Approved flights: 2. Exams: 1.",
  ])
    expect(text).toContain(words);
  expect(text).not.toContain(secret);
});

test("each page has its number, the name and the digest of the records, which changes with them and not with the day", async () => {
  const installation = await newInstallation();
  const school = await newInspected(installation);
  const { owner, fileFor, pagesFor, record } = school;
  const flight_id = await fly(school, { lesson: "1" });
  for (let count = 0; count < 8; count++) await record("1", { flight_id, remarks: `Lesson ${count}.\nGood.` });
  const answer = await fileFor(owner);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  expect(answer.headers.get("content-disposition")).toContain('filename="Training file Sam Student, Small.pdf"');
  const digestIn = (pages: string[]) =>
    /are of the same records: ([0-9a-f]{64})/.exec(pages.join(" ").replaceAll(/\s+/g, " "))?.[1];
  const pages = await pagesFor(owner);
  const digest = digestIn(pages);
  expect(digest).toBeString();
  expect(pages.length).toBeGreaterThan(2);
  for (const [at, page] of pages.entries()) {
    expect(page).toContain(`Page ${at + 1} of ${pages.length}`);
    expect(page).toContain(`Sam Student · Small · made 2026-06-14 09:00 UTC · ${digest?.slice(0, 16)}`);
  }
  installation.clock.advance(26 * 3_600_000);
  const later = await owner.signedInAgain();
  const again = await pagesFor(later);
  expect(digestIn(again)).toBe(digest);
  expect(again[0]).toContain("made 2026-06-15 11:00 UTC");
  await fly({ ...school, owner: later }, { lesson: "1" });
  expect(digestIn(await pagesFor(later))).not.toBe(digest);
});

test("what was voided stays in the file and says why; a move to another revision keeps the lessons of before", async () => {
  const school = await newInspected();
  const { owner, instructor, revision, enrollment_id, record, textFor } = school;
  const { id } = await record("1", { remarks: "Good circuits." });
  expectStatus(200, await instructor.post(`/training/lesson-records/${id}/void`, { reason: "Another student." }));
  await record("3");
  const next = await revise(school, revision.program_id, syllabus);
  const moved = { revision_id: next.id };
  expectStatus(200, await owner.post(`/training/enrollments/${enrollment_id}/migrate`, moved));
  const text = await textFor(owner);
  expect(text).toContain("VOID since 2026-06-14 09:00 UTC: Another student. 1 Item 1 ok: As required");
  expect(text).toContain("3 Briefing (revision 1)");
  expect(text).toContain("Revision 2, in effect from");
  expect(text).toContain("1 Circuits dual 0 / 2");
});

test("a student reads their own file, in their language; others who may not read the enrollment get 404", async () => {
  const school = await newInspected();
  const { owner, student, instructor, fileFor, textFor, record } = school;
  await record("3");
  const other = await school.join(["student"], "Other Student");
  const mechanic = await school.join(["mechanic"], "Mia Mechanic");
  const statuses = [];
  for (const by of [student, instructor, owner, other, mechanic]) statuses.push((await fileFor(by)).status);
  expect(statuses).toEqual([200, 200, 200, 404, 403]);
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { language: "de" }));
  const text = await textFor(student);
  for (const words of [
    "Ausbildungsakte",
    "Zugelassene Ausbildungsorganisation (ATO)",
    "Tauglichkeitszeugnis, Klasse 2",
  ])
    expect(text).toContain(words);
  expect(text).not.toContain(secret);
  // Whatever roles they have.
  expectStatus(200, await owner.patch(`/members/${student.userId}`, { roles: ["student", "instructor"] }));
  expect(await textFor(student)).not.toContain(secret);
});

test("texts of any length are whole, names of any letters are drawn, and a student without training has a file", async () => {
  const school = await newInspected();
  const { owner, student, pagesFor, textFor, record } = school;
  expect((await pagesFor(owner)).join(" ")).toContain("Lessons, in the order in which they were given");
  const name = "Zdzisława <script>alert(1)</script> Łąka-Østergård 中文";
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { name }));
  const words = Array.from({ length: 250 }, (_, at) => `word${at}`);
  const lines = Array.from({ length: 200 }, (_, at) => `line${at}`);
  const [item] = school.revision.lesson("3").items;
  await record("3", {
    remarks: lines.join("\n"),
    grades: [{ item_id: item.id, grade: "ok", remarks: words.join(" ") }],
  });
  const text = await textFor(owner);
  for (const one of [...words, ...lines]) expect(text).toContain(one);
  expect(text).toContain("Zdzisława <script>alert(1)</script> Łąka-Østergård");
});

test("a pack's PDF has the training file after its first page, without what is only for the school, and the lessons as a part", async () => {
  const school = await newInspected();
  const { owner, instructor, student, record } = school;
  const kept = await record("1", { remarks: "Good circuits." });
  const { id } = await record("3", { remarks: "Of somebody else." });
  expectStatus(200, await instructor.post(`/training/lesson-records/${id}/void`, { reason: "Another student." }));
  const pack = await issue(owner, ofPilot(student.personId));
  const zip = await contentOf(school, owner, pack.id);
  const lessons = jsonIn(zip, "lesson_records.json");
  expect(lessons).toMatchObject([
    {
      ...{ id: kept.id, remarks: "Good circuits.", lesson: { code: "1" }, instructor: { name: "Ines Instructor" } },
      ...{ signed_by_instructor: true, acknowledged_at: null, grades: [{ grade: "ok" }, { grade: "ok" }] },
    },
  ]);
  for (const content of Object.values(filesIn(zip))) expect(content.toString()).not.toContain(secret);
  const pages = await pdfText(new Uint8Array(filesIn(zip)["pack.pdf"] ?? []).buffer);
  const [first = "", ...others] = pages.map((page) => page.replaceAll(/\s+/g, " "));
  expect(first).toContain("Approval Approved training organisation (ATO), DE.ATO.123, Luftfahrt-Bundesamt");
  expect(first).toContain("Training Small, from page 2");
  expect(first).toContain(`Page 1 of ${pages.length}`);
  const text = others.join(" ");
  for (const words of [
    "Training file",
    "DE.ATO.123",
    "Remarks: Good circuits.",
    "Medical certificate, class 2",
    "25:00",
  ])
    expect(text).toContain(words);
  for (const words of [secret, "Of somebody else.", "VOID", "stays in this file"]) expect(text).not.toContain(words);
});

test("a ground session of before a move to another revision keeps the code of its lesson", async () => {
  const school = await newInspected();
  const { owner, instructor, revision, enrollment_id, textFor } = school;
  const path = `/training/enrollments/${enrollment_id}`;
  const held = { held_on: "2026-06-01", minutes: 90, remarks: null, instructor_id: instructor.personId };
  const brief = async ({ id }: { id: string }, more: object = {}) =>
    expectStatus(201, await owner.post(`${path}/ground-sessions`, { ...held, lesson_id: id, ...more }));
  await brief(revision.lesson("3"));
  const next = await revise(school, revision.program_id, syllabus);
  expectStatus(200, await owner.post(`${path}/migrate`, { revision_id: next.id }));
  const text = await textFor(owner);
  expect(text).toContain("2026-06-01 · 3 Briefing (revision 1) Ground instruction, 1:30");
  // When it was given last.
  expect(text).toContain("3 Briefing ground 0 / 1 2026-06-01");
  await brief(next.lesson("3"), { held_on: "2026-06-02" });
  expect(await textFor(owner)).toContain("2026-06-02 · 3 Briefing Ground instruction");
});

test("a lesson whose flight was reversed was not given, and is in no pack for others", async () => {
  const school = await newInspected();
  const { owner, student, record, textFor } = school;
  const flight_id = await fly(school, { lesson: "1", ago: 5 });
  const other = await fly(school, { lesson: "1", ago: 7 });
  await record("1", { flight_id, remarks: "Of another student." });
  await record("1", { flight_id, remarks: "Without grades.", grades: [] });
  const kept = await record("1", { flight_id: other, remarks: "Good circuits.", grades: [] });
  expect(await textFor(owner)).toContain("1 Circuits dual 2 / 2 2026-06-09");
  expectStatus(200, await owner.post(`/flights/${flight_id}/reverse`, { reason: "Another student." }));
  const text = await textFor(owner);
  expect(text).toContain("1 Circuits dual 0 / 2 2026-06-07");
  expect(text).toContain("– does not count: its flight was rejected or reversed Remarks: Without grades.");
  expect(text).toContain("Remarks: Of another student.");
  const pack = await issue(owner, ofPilot(student.personId));
  const zip = await contentOf(school, owner, pack.id);
  const ids = (name: string) => jsonIn(zip, name).map(({ id }: { id: string }) => id);
  expect([ids("lesson_records.json"), ids("signoffs.json")]).toEqual([[kept.id], []]);
  const pages = (await pdfText(new Uint8Array(filesIn(zip)["pack.pdf"] ?? []).buffer))
    .join(" ")
    .replaceAll(/\s+/g, " ");
  expect(pages).toContain("Remarks: Good circuits.");
  for (const words of ["Of another student.", "Without grades.", "does not count"]) expect(pages).not.toContain(words);
});

test("a document is withdrawn on a day where the school is, as in the clearance", async () => {
  const installation = await newInstallation();
  const school = await newInspected(installation);
  const { student, textFor } = school;
  // 00:30 on 15 June in Berlin.
  installation.clock.set("2026-06-14T22:30:00Z");
  const owner = await school.owner.signedInAgain();
  const [medical] = (await owner.get(`/compliance/records?person_id=${student.personId}&type=medical`)).body.data;
  const gone = { reason: "Suspended.", entered_by_mistake: false };
  expectStatus(200, await owner.post(`/compliance/records/${medical.id}/withdraw`, gone));
  expect(await textFor(owner)).toContain("Medical certificate, class 2 2026-01-15 withdrawn 2026-06-15");
});

test("the solo flights by their supervisor add up to the solo time: not in an aircraft of a class that does not count", async () => {
  const school = await newInspected();
  const { owner, instructor, textFor } = school;
  const supervised = { supervisor_id: instructor.personId };
  await fly(school, { lesson: "1", ago: 5 });
  await fly(school, { lesson: "2", function: "solo", minutes: 45, ago: 2, body: supervised });
  const glider = { registration: "D-1234", model: "ASK 21", class: "sailplane" };
  const { id } = expectStatus(201, await owner.post("/aircraft", glider)).body.data;
  const gliding = { ...supervised, aircraft_id: id };
  await fly(school, { lesson: "2", function: "solo", minutes: 30, ago: 1, body: gliding });
  const text = await textFor(owner);
  expect(text).toContain("Flight time 1:45 Dual 1:00 Solo 0:45");
  expect(text).toContain("Supervised by Ines Instructor: 1 solo flight, 0:45");
});
