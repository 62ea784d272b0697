/** What flights and ground sessions add to a student's progress, and what takes it back. */
import { expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { csv, expectStatus } from "../../support/school.ts";
import { doneOf, enroll, everyMinimum, flightOf, fly, newTrainingSchool, progressOf, revise, small } from "./school.ts";

const measured = { ...small, minima: everyMinimum };

test("an approved flight adds its times to the progress, and its reversal takes them back", async () => {
  const school = await newTrainingSchool(measured);
  const id = await enroll(school);
  const nothing = doneOf(await progressOf(school, id));
  expect(Object.entries(nothing).filter(([, done]) => done !== 0)).toEqual([["age", null]]);
  const flight = await fly(school, {
    lesson: "1",
    minutes: 90,
    body: { night_minutes: 20, ifr_minutes: 10, day_landings: 3, night_landings: 1, cross_country_km: 120 },
  });
  const flown = {
    ...{ ...nothing, total_minutes: 90, dual_minutes: 90, cross_country_minutes: 90, dual_cross_country_minutes: 90 },
    ...{ night_minutes: 20, dual_night_minutes: 20, instrument_minutes: 10, landings: 4 },
  };
  const progress = await progressOf(school, id);
  expect(doneOf(progress)).toEqual(flown);
  expect(progress.last_flown_at).toBe("2026-06-13T07:30:00.000Z");
  expectStatus(200, await school.owner.post(`/flights/${flight}/reverse`, { reason: "Wrong student." }));
  const reversed = await progressOf(school, id);
  expect(doneOf(reversed)).toEqual(nothing);
  expect(reversed.last_flown_at).toBeNull();
});

test("minima of the PPL(A) sum flights in aeroplanes and touring motor gliders, others count as credits", async () => {
  const school = await newTrainingSchool(measured);
  const { owner } = school;
  const id = await enroll(school);
  const solo = { lesson: "2", function: "solo", minutes: 60 } as const;
  const body = { day_landings: 2, cross_country_km: 300, full_stops_elsewhere: 2 };
  const all = {
    total_minutes: 0,
    solo_minutes: 0,
    solo_cross_country_minutes: 0,
    solo_landings: 0,
    long_cross_country: 0,
  };
  for (const [at, [name, counts]] of Object.entries({
    SEP: true,
    MEP: true,
    TMG: true,
    SET: true,
    sailplane: false,
    helicopter: false,
    other: false,
  }).entries()) {
    const plane = { registration: `D-T${name.slice(0, 3).toUpperCase()}`, model: "Test", class: name };
    const aircraft_id = expectStatus(201, await owner.post("/aircraft", plane)).body.data.id;
    await fly(school, { ...solo, ago: 10 - at, body: { ...body, aircraft_id } });
    if (counts) {
      for (const key of ["total_minutes", "solo_minutes", "solo_cross_country_minutes"] as const) all[key] += 60;
      all.solo_landings += 2;
      all.long_cross_country += 1;
    }
    expect([name, doneOf(await progressOf(school, id))]).toMatchObject([name, all]);
  }
  // It was training all the same.
  expect((await progressOf(school, id)).last_flown_at).toBe("2026-06-10T08:00:00.000Z");
  const credits = [{ measure: "solo_minutes", amount: 40, reason: "FCL.210.A: on sailplanes." }];
  expectStatus(200, await owner.patch(`/training/enrollments/${id}`, { credits }));
  expect(doneOf(await progressOf(school, id)).solo_minutes).toBe(280);
  // A program of the school's own counts what it says: here all of them.
  const own = await newTrainingSchool({ ...measured, kind: "other" });
  const glider = { registration: "D-1234", model: "ASK 21", class: "sailplane" };
  const aircraft_id = expectStatus(201, await own.owner.post("/aircraft", glider)).body.data.id;
  const enrolled = await enroll(own);
  await fly(own, { ...solo, body: { aircraft_id } });
  expect(doneOf(await progressOf(own, enrolled)).solo_minutes).toBe(60);
});

test("solo, SPIC and simulator count each in their own way, and a submitted flight not yet", async () => {
  const school = await newTrainingSchool(measured);
  const { owner } = school;
  const id = await enroll(school);
  const solo = { day_landings: 2, night_landings: 1, cross_country_km: 300, full_stops_elsewhere: 2 };
  await fly(school, { lesson: "2", function: "solo", minutes: 100, ago: 2, body: solo });
  await fly(school, { lesson: "1", function: "spic", minutes: 40, ago: 3 });
  const fstd = { registration: "FNPT-1", model: "ALSIM", class: "FSTD" };
  const simulator = expectStatus(201, await owner.post("/aircraft", fstd)).body.data.id;
  const session = { aircraft_id: simulator, nature: "simulator", departure: null, arrival: null, day_landings: 0 };
  await fly(school, { lesson: "4", minutes: 50, ago: 4, body: session });
  expectStatus(201, await owner.post("/flights", flightOf(school, { lesson: "1", minutes: 70 })));
  expect(doneOf(await progressOf(school, id))).toMatchObject({
    ...{ total_minutes: 140, dual_minutes: 0, solo_minutes: 100, simulator_minutes: 50, long_cross_country: 1 },
    ...{ cross_country_minutes: 100, solo_cross_country_minutes: 100, landings: 4, solo_landings: 3 },
    ...{ solo_night_landings: 1 },
  });
});

test("the time in a simulator counts in total up to the most of the minimum", async () => {
  const minima = [{ ...everyMinimum[0], required: 100, simulator_minutes_at_most: 30 }];
  const school = await newTrainingSchool({ ...small, minima });
  const id = await enroll(school, { credits: [{ measure: "simulator_minutes", amount: 50, reason: "Elsewhere." }] });
  const total = async () => (await progressOf(school, id)).minima[0];
  expect(await total()).toEqual({ name: "total_minutes", required: 100, done: 30, missing: 70 });
  await fly(school, { lesson: "1", minutes: 80 });
  expect(await total()).toEqual({ name: "total_minutes", required: 100, done: 110, missing: 0 });
});

test("a flight names a lesson only of the revision in which a student on board is enrolled", async () => {
  const school = await newTrainingSchool();
  const { owner, revision } = school;
  const refused = async (flown: Parameters<typeof flightOf>[1], change: object = {}) => {
    const { status, body } = await owner.post("/flights", { ...flightOf(school, flown), ...change });
    return status === 400 ? body.issues[0] : body.data;
  };
  const notEnrolled = { path: "body.lesson_id", code: "not_enrolled" };
  expect(await refused({ lesson: "1" })).toMatchObject(notEnrolled);
  const id = await enroll(school);
  expect(await refused({ lesson: "1" })).toMatchObject({ enrollment_id: id, lesson_id: revision.lesson("1").id });
  expect(await refused({ lesson: "3" })).toMatchObject({ code: "impossible" });
  expect(await refused({ lesson: "1" }, { lesson_id: owner.orgId })).toMatchObject({ code: "unknown" });
  const alone = { crew: [{ person_id: school.instructor.personId, function: "pic" }] };
  expect(await refused({ lesson: "1" }, { crew: [] })).toMatchObject({ enrollment_id: null });
  expect(await refused({}, alone)).toMatchObject({ enrollment_id: null, lesson_id: null });
  expectStatus(200, await owner.post(`/training/enrollments/${id}/suspend`, { reason: "Ill." }));
  expect(await refused({ lesson: "1" })).toMatchObject(notEnrolled);
  // A draft without a crew can't be submitted like that.
  const { id: draft } = await refused({ lesson: "1" }, { crew: [] });
  expectStatus(200, await owner.patch(`/flights/${draft}`, { lesson_id: null, ...alone }));
  expect((await owner.patch(`/flights/${draft}`, { lesson_id: revision.lesson("1").id, crew: [] })).status).toBe(200);
  expect((await owner.post(`/flights/${draft}/submit`)).status).toBe(400);
});

test("a complete flight is of the kind of its lesson", async () => {
  const school = await newTrainingSchool();
  const { owner } = school;
  await enroll(school);
  const fstd = { registration: "FNPT-1", model: "ALSIM", class: "FSTD" };
  const aircraft_id = expectStatus(201, await owner.post("/aircraft", fstd)).body.data.id;
  const session = { aircraft_id, nature: "simulator", departure: null, arrival: null, day_landings: 0 };
  let ago = 0;
  const submitted = async (flown: Parameters<typeof flightOf>[1]) => {
    const draft = await owner.post("/flights", flightOf(school, { ago: ++ago, ...flown }));
    const { status, body } = await owner.post(`/flights/${expectStatus(201, draft).body.data.id}/submit`);
    return status === 200 ? status : body.issues[0];
  };
  const refused = { path: "body.lesson_id", code: "impossible" };
  expect(await submitted({ lesson: "1", function: "solo" })).toMatchObject(refused);
  expect(await submitted({ lesson: "2" })).toMatchObject(refused);
  expect(await submitted({ lesson: "2", function: "spic" })).toMatchObject(refused);
  expect(await submitted({ lesson: "4" })).toMatchObject(refused);
  expect(await submitted({ lesson: "2", function: "solo", body: session })).toMatchObject(refused);
  expect(await submitted({ lesson: "1" })).toBe(200);
  expect(await submitted({ lesson: "1", function: "spic" })).toBe(200);
  expect(await submitted({ lesson: "1", body: session })).toBe(200);
  expect(await submitted({ lesson: "2", function: "solo" })).toBe(200);
  expect(await submitted({ lesson: "4", body: session })).toBe(200);
});

test("the progress of an ended training is that of its last day", async () => {
  const installation = await newInstallation();
  const minima = [{ ...everyMinimum[0], required: 60 }];
  const theory = { pass_percent: 75, attempts: 4, months: 18, valid_months: 24, legal_basis: "FCL.025" };
  const subjects = [{ code: "law", name: "Air law" }];
  const school = await newTrainingSchool(
    { ...small, minima, theory, subjects, lessons: [small.lessons[2]] },
    installation,
  );
  const { owner, instructor, revision } = school;
  const id = await enroll(school, { credits: [{ measure: "total_minutes", amount: 60, reason: "Elsewhere." }] });
  const exam = { kind: "theory", subject: "law", percent: 80, taken_on: "2026-06-01" };
  expectStatus(201, await instructor.post(`/training/enrollments/${id}/exams`, exam));
  const signoff = { enrollment_id: id, item_id: revision.lesson("3").items[0].id, grade: "ok" };
  expectStatus(201, await instructor.post("/training/signoffs", signoff));
  expectStatus(200, await owner.post(`/training/enrollments/${id}/complete`));
  // The theory is no longer valid.
  installation.clock.set("2028-07-01T12:00:00.000Z");
  const later = await owner.signedInAgain();
  const { data } = expectStatus(200, await later.get(`/training/enrollments/${id}/progress`)).body;
  expect(data).toMatchObject({ status: "completed", complete: true, missing: [] });
});

test("a flight that was submitted keeps its enrollment when the student moves to another revision", async () => {
  const school = await newTrainingSchool(measured);
  const { owner } = school;
  const id = await enroll(school);
  const { id: flight } = expectStatus(201, await owner.post("/flights", flightOf(school, { lesson: "1" }))).body.data;
  const next = await revise(school, school.revision.program_id, measured);
  expectStatus(200, await owner.post(`/training/enrollments/${id}/migrate`, { revision_id: next.id }));
  expectStatus(200, await owner.post(`/flights/${flight}/submit`));
  expectStatus(200, await owner.patch(`/flights/${flight}`, { remarks: "Windy." }));
  expectStatus(200, await owner.post(`/flights/${flight}/approve`));
  expect(doneOf(await progressOf(school, id)).total_minutes).toBe(60);
  // The lesson of the old revision is none of theirs any more.
  expect((await owner.post("/flights", flightOf(school, { lesson: "1", ago: 3 }))).status).toBe(400);
});

test("only a cross-country flight has full stops elsewhere, and no more than landings", async () => {
  const school = await newTrainingSchool();
  await enroll(school);
  const paths = async (body: object) => {
    const answer = await school.owner.post("/flights", flightOf(school, { lesson: "1", body }));
    return answer.body.issues?.map(({ path }: { path: string }) => path);
  };
  expect(await paths({ full_stops_elsewhere: 1 })).toEqual(["body.full_stops_elsewhere"]);
  expect(await paths({ full_stops_elsewhere: 2, cross_country_km: 200, day_landings: 1 })).toEqual([
    "body.full_stops_elsewhere",
  ]);
  expect(await paths({ full_stops_elsewhere: 2, cross_country_km: 200, day_landings: 3 })).toBeUndefined();
});

test("an imported flight with a lesson counts as one that was approved here", async () => {
  const school = await newTrainingSchool(measured);
  const { owner, student, instructor, revision } = school;
  const id = await enroll(school);
  const file = (lesson: string) =>
    csv(
      `registration,off_block_at,on_block_at,departure,arrival,day_landings,dual,instructor,lesson_id,cross_country_km
D-EABC,2026-03-03T08:30:00Z,2026-03-03T09:32:00Z,EDFE,EDKB,1,${student.email},${instructor.email},${lesson},110
`,
    );
  const refused = await owner.call("POST", `/orgs/${owner.orgId}/flights/import`, { body: file(owner.orgId) });
  expect(refused.text).toContain("There is no such lesson.");
  const lesson = revision.lesson("1").id;
  expectStatus(200, await owner.call("POST", `/orgs/${owner.orgId}/flights/import`, { body: file(lesson) }));
  expect(doneOf(await progressOf(school, id))).toMatchObject({ dual_minutes: 62, dual_cross_country_minutes: 62 });
});

test("a ground session counts until it is voided", async () => {
  const school = await newTrainingSchool(measured);
  const { instructor, student, owner, revision } = school;
  const id = await enroll(school);
  const path = `/training/enrollments/${id}/ground-sessions`;
  const body = { lesson_id: revision.lesson("3").id, held_on: "2026-06-10", minutes: 45 };
  const made = expectStatus(201, await instructor.post(path, body)).body.data;
  expect(made).toMatchObject({ instructor_id: instructor.personId, student_id: student.personId, status: "recorded" });
  expect(doneOf(await progressOf(school, id)).ground_minutes).toBe(45);
  expect((await student.get(path)).body.data).toHaveLength(1);
  expect((await student.post(path, body)).status).toBe(403);
  expect((await owner.post(path, body)).body.issues[0].path).toBe("body.instructor_id");
  expectStatus(201, await owner.post(path, { ...body, instructor_id: instructor.personId, minutes: 30 }));
  expect((await instructor.post(path, { ...body, instructor_id: owner.personId })).status).toBe(403);
  expect((await instructor.post(path, { ...body, held_on: "2026-06-15" })).status).toBe(400);
  expect((await instructor.post(path, { ...body, lesson_id: owner.orgId })).status).toBe(400);
  const reason = "Another student.";
  expectStatus(200, await instructor.post(`${path}/${made.id}/void`, { reason }));
  expect((await instructor.post(`${path}/${made.id}/void`, { reason })).body.error.reason).toBe("wrong_status");
  expect(doneOf(await progressOf(school, id)).ground_minutes).toBe(30);
});

test("training stalls when an active student was not trained for more than 30 days", async () => {
  const installation = await newInstallation();
  const school = await newTrainingSchool(small, installation);
  const id = await enroll(school, { started_on: "2026-06-14" });
  const stalledAt = async (now: string) => {
    installation.clock.set(now);
    const later = await school.owner.signedInAgain();
    return expectStatus(200, await later.get(`/training/enrollments/${id}/progress`)).body.data.stalled;
  };
  expect(await stalledAt("2026-07-14T12:00:00.000Z")).toBe(false);
  expect(await stalledAt("2026-07-15T12:00:00.000Z")).toBe(true);
});
