import { expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { newSchool } from "../../support/school.ts";

/** Impossible values, with the field that the issue names. */
const impossible: [Record<string, unknown>, string][] = [
  [{ off_block_at: "2026-06-14T08:00:00Z", on_block_at: "2026-06-14T07:59:00Z" }, "on_block_at"],
  [{ off_block_at: "2026-06-14T08:00:00Z", on_block_at: "2026-06-14T08:00:59Z" }, "on_block_at"],
  [{ off_block_at: "2026-06-12T08:00:00Z", on_block_at: "2026-06-13T08:01:00Z" }, "on_block_at"],
  [{ take_off_at: "2026-06-14T06:00:00Z", landing_at: "2026-06-14T05:00:00Z" }, "take_off_at"],
  [
    { off_block_at: "2026-06-14T07:00:00Z", on_block_at: "2026-06-14T08:00:00Z", landing_at: "2026-06-14T08:01:00Z" },
    "on_block_at",
  ],
  [{ night_minutes: 63 }, "night_minutes"],
  [{ ifr_minutes: 63 }, "ifr_minutes"],
  [{ hobbs_start: "10.00", hobbs_end: "9.99" }, "hobbs_end"],
  [{ tacho_start: "10.00", tacho_end: "9.99" }, "tacho_end"],
  [{ day_landings: -1 }, "day_landings"],
  [{ hobbs_start: "10.5" }, "hobbs_start"],
  [{ departure: "Frankfurt" }, "departure"],
  [{ off_block_at: "2026-02-30T08:00:00Z" }, "off_block_at"],
];

test.each(impossible)("a draft with %p is rejected at %s, and no flight is written", async (body, field) => {
  const school = await newSchool();

  const answer = await school.student.post("/flights", school.flightBody({ body }));

  expect(answer.status).toBe(400);
  expect(answer.body.issues.map(({ path }: { path: string }) => path)).toContain(`body.${field}`);
  expect((await school.owner.get("/flights")).body.data).toEqual([]);
});

test("a flight of exactly 24 hours over midnight UTC is possible", async () => {
  const school = await newSchool();
  const body = { off_block_at: "2026-06-12T23:30:00+02:00", on_block_at: "2026-06-13T21:30:00Z" };
  const flight = await school.submitFlight(school.student, { body });
  expect(flight).toMatchObject({ off_block_at: "2026-06-12T21:30:00.000Z", block_minutes: 1440 });
});

test("a draft may be incomplete, a submitted flight may not", async () => {
  const school = await newSchool();
  const draft = await school.student.post("/flights", { aircraft_id: school.aircraftId });
  expect(draft.status).toBe(201);

  const answer = await school.student.post(`/flights/${draft.body.data.id}/submit`);
  expect(answer.status).toBe(403); // the crew is empty, so the student did not fly it

  const forStaff = await school.instructor.post(`/flights/${draft.body.data.id}/submit`);
  expect(forStaff.status).toBe(400);
  expect(forStaff.body.issues.map(({ path }: { path: string }) => path)).toEqual([
    "body.off_block_at",
    "body.on_block_at",
    "body.departure",
    "body.arrival",
    "body.crew",
  ]);
});

test("a flight can't be submitted before it has ended", async () => {
  const school = await newSchool(await newInstallation());
  const draft = await school.draftFlight(school.student, {
    body: { off_block_at: "2026-06-14T08:30:00Z", on_block_at: "2026-06-14T09:00:01Z" },
  });
  expect((await school.student.post(`/flights/${draft.id}/submit`)).body.issues[0].path).toBe("body.on_block_at");
  school.installation.clock.advance(1000);
  expect((await school.student.post(`/flights/${draft.id}/submit`)).status).toBe(200);
});

/** Functions on board, and whether they make a complete crew. */
const crews: [string[], boolean][] = [
  [["pic"], true],
  [["instructor", "dual"], true],
  [["instructor", "spic"], true],
  [["pic", "picus"], true],
  [["pic", "co_pilot"], true],
  [["solo"], true],
  [["dual"], false],
  [["spic"], false],
  [["pic", "dual"], false],
  [["instructor", "picus"], false],
  [["pic", "instructor"], false],
  [["pic", "pic"], false],
  [["solo", "dual"], false],
  [["co_pilot"], false],
];

test.each(crews)("a crew of %p is complete: %p", async (functions, isComplete) => {
  const school = await newSchool();
  const people = [school.student.personId, school.instructor.personId];
  const crew = functions.map((name, index) => ({ person_id: people[index], function: name }));
  const draft = await school.draftFlight(school.owner, { body: { crew } });

  expect((await school.owner.post(`/flights/${draft.id}/submit`)).status).toBe(isComplete ? 200 : 400);
});

test("a crew can't contain a person twice or a person of another school", async () => {
  const school = await newSchool();
  const person_id = school.student.personId;
  const twice = {
    crew: [
      { person_id, function: "solo" },
      { person_id, function: "dual" },
    ],
  };
  expect((await school.owner.post("/flights", school.flightBody({ body: twice }))).status).toBe(400);

  const other = await newSchool(school.installation);
  const stranger = { crew: [{ person_id: other.student.personId, function: "solo" }] };
  const answer = await school.owner.post("/flights", school.flightBody({ body: stranger }));
  expect(answer.body.issues[0]).toMatchObject({ path: "body.crew.0.person_id", code: "unknown" });
  const aircraft = await school.owner.post("/flights", school.flightBody({ body: { aircraft_id: other.aircraftId } }));
  expect(aircraft.body.issues[0]).toMatchObject({ path: "body.aircraft_id", code: "unknown" });
});

test("an archived aircraft accepts no drafts and no submissions", async () => {
  const school = await newSchool();
  const draft = await school.draftFlight(school.student);
  await school.owner.patch(`/aircraft/${school.aircraftId}`, { status: "archived" });
  expect((await school.student.post("/flights", school.flightBody())).status).toBe(409);
  expect((await school.student.post(`/flights/${draft.id}/submit`)).status).toBe(409);
});

test("gaps between readings, and Hobbs time that differs from block time, cause warnings, not errors", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student, {
    blockMinutes: 60,
    body: { hobbs_start: "1240.00", hobbs_end: "1241.50", tacho_start: "1099.00", tacho_end: "1100.00" },
  });
  expect(flight.warnings).toEqual(["hobbs_gap", "tacho_gap", "hobbs_block_mismatch"]);
});

test("an edit can't make a submitted flight incomplete", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student);
  expect((await school.student.patch(`/flights/${flight.id}`, { arrival: null })).status).toBe(400);
  const { data } = (await school.student.get(`/flights/${flight.id}`)).body;
  expect(data).toMatchObject({ arrival: "EDKB", revision: 1 });
});

test("the posted block time equals the block time in the API, despite fractions of a second", async () => {
  const school = await newSchool();
  const { airframe_minutes: before } = await school.aircraft();
  const flight = await school.submitFlight(school.student, {
    body: { off_block_at: "2026-06-14T07:00:00.900Z", on_block_at: "2026-06-14T08:00:00.000Z" },
  });
  await school.instructor.post(`/flights/${flight.id}/approve`);
  expect((await school.aircraft()).airframe_minutes - before).toBe(flight.block_minutes);
});

test("a student who removes themself from a rejected flight gets the changed flight", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.instructor);
  await school.owner.post(`/flights/${flight.id}/reject`, { reason: "Not Sam." });
  const crew = [{ person_id: school.instructor.personId, function: "pic" }];
  const answer = await school.student.patch(`/flights/${flight.id}`, { crew });
  expect([answer.status, answer.body.data.crew.length]).toEqual([200, 1]);
});
