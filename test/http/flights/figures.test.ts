import { expect, test } from "bun:test";
import { once } from "../../../src/core/once.ts";
import { csv, expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";

/** One for all drafts. */
const withDrafts = once(() => newSchool());

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

test("take-off may be at off-block, night and IFR may last the whole block time, and readings may stay the same", async () => {
  const school = await newSchool();
  const values = {
    off_block_at: "2026-06-14T06:00:00.000Z",
    take_off_at: "2026-06-14T06:00:00.000Z",
    landing_at: "2026-06-14T07:00:00.000Z",
    on_block_at: "2026-06-14T07:00:00.000Z",
    night_minutes: 60,
    ifr_minutes: 60,
    hobbs_start: "1234.50",
    hobbs_end: "1234.50",
    tacho_start: "1100.00",
    tacho_end: "1100.00",
  };
  expect(await school.submitFlight(school.student, { body: values })).toMatchObject(values);
});

/** One of two values that belong together, and the field that the issue names. */
const halves: [Record<string, string>, string][] = [
  [{ take_off_at: "2026-06-14T07:10:00Z" }, "landing_at"],
  [{ landing_at: "2026-06-14T07:10:00Z" }, "landing_at"],
  [{ hobbs_start: "1234.50" }, "hobbs_end"],
  [{ hobbs_end: "1235.50" }, "hobbs_end"],
  [{ tacho_start: "1100.00" }, "tacho_end"],
  [{ tacho_end: "1100.80" }, "tacho_end"],
];

test.each(halves)("a flight with %p only can be drafted, but not submitted", async (half, field) => {
  const school = await withDrafts();
  const times = { off_block_at: "2026-06-14T07:00:00Z", on_block_at: "2026-06-14T07:50:00Z" };
  const draft = await school.draftFlight(school.student, { body: { ...times, ...half } });

  const { issues } = expectStatus(400, await school.student.post(`/flights/${draft.id}/submit`)).body;

  expect(issues).toMatchObject([{ path: `body.${field}`, code: "incomplete" }]);
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
  const school = await newOwnSchool();
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
  [["instructor"], false],
];

test.each(crews)("a crew of %p is complete: %p", async (functions, isComplete) => {
  const school = await withDrafts();
  const people = [school.student.personId, school.instructor.personId];
  const crew = functions.map((name, index) => ({ person_id: people[index], function: name }));
  const draft = await school.draftFlight(school.owner, { body: { crew } });

  expect((await school.owner.post(`/flights/${draft.id}/submit`)).status).toBe(isComplete ? 200 : 400);
});

test.each(["dual", "pic", "co_pilot"])(
  "a solo flight with a second person, who is %s, is rejected as such",
  async (second) => {
    const school = await newSchool();
    const crew = [
      { person_id: school.student.personId, function: "solo" },
      { person_id: school.instructor.personId, function: second },
    ];
    const draft = await school.draftFlight(school.owner, { body: { crew } });

    const { issues } = expectStatus(400, await school.owner.post(`/flights/${draft.id}/submit`)).body;

    expect(issues).toContainEqual({
      path: "body.crew",
      code: "crew",
      message: "A solo flight has exactly one crew member.",
    });
  },
);

test("a solo flight with passengers can't be submitted, edited to be so, or imported", async () => {
  const { owner, student, draftFlight } = await newSchool();
  const alone = { path: "body.passengers", code: "crew", message: "A solo flight has no passengers (FCL.010)." };
  const { id, status } = await draftFlight(student, { body: { passengers: 1 } });
  expect(status).toBe("draft");
  expect(expectStatus(400, await student.post(`/flights/${id}/submit`)).body.issues).toEqual([alone]);
  expectStatus(200, await student.patch(`/flights/${id}`, { passengers: 0 }));
  expectStatus(200, await student.post(`/flights/${id}/submit`));
  expect(expectStatus(400, await student.patch(`/flights/${id}`, { passengers: 1 })).body.issues).toEqual([alone]);

  const pic = { crew: [{ person_id: student.personId, function: "pic" }], passengers: 1 };
  expectStatus(200, await student.patch(`/flights/${id}`, pic));
  const { issues } = expectStatus(
    400,
    await student.patch(`/flights/${id}`, { crew: [{ person_id: student.personId, function: "solo" }] }),
  ).body;
  expect(issues).toEqual([alone]);

  const file = `registration,off_block_at,on_block_at,departure,arrival,solo,passengers
D-EABC,2025-05-01T08:00:00Z,2025-05-01T09:00:00Z,EDFE,EDFE,${student.email},1
D-EABC,2025-05-02T08:00:00Z,2025-05-02T09:00:00Z,EDFE,EDFE,${student.email},0`;
  const answer = await owner.call("POST", `/orgs/${owner.orgId}/flights/import`, { body: csv(file) });
  expect(expectStatus(400, answer).body.issues).toEqual([{ ...alone, path: "body.2.passengers" }]);
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
  const second = { crew: [...stranger.crew, { person_id, function: "dual" }].reverse() };
  const { issues } = (await school.owner.post("/flights", school.flightBody({ body: second }))).body;
  expect(issues).toMatchObject([{ path: "body.crew.1.person_id", code: "unknown" }]);
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

/** Hobbs readings at the end of a flight of 60 minutes; a hundredth of an hour is 0.6 minutes. */
test.each([
  ["1235.29", ["hobbs_block_mismatch"]],
  ["1235.30", []],
  ["1235.70", []],
  ["1235.71", ["hobbs_block_mismatch"]],
])("Hobbs time may differ from block time by 12 minutes, less or more: %s", async (hobbs_end, warnings) => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student, {
    blockMinutes: 60,
    body: { hobbs_start: "1234.50", hobbs_end },
  });
  expect(flight.warnings).toEqual(warnings);
});

test("an edit can't make a submitted flight incomplete", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student);
  expect((await school.student.patch(`/flights/${flight.id}`, { arrival: null })).status).toBe(400);
  const crew = [{ person_id: school.student.personId, function: "dual" }];
  expect((await school.student.patch(`/flights/${flight.id}`, { crew })).status).toBe(400);
  const { data } = (await school.student.get(`/flights/${flight.id}`)).body;
  expect(data).toMatchObject({ arrival: "EDKB", crew: [{ function: "solo" }], revision: 1 });
});

test("an edit is rejected for the same values as a draft, and changes nothing", async () => {
  const school = await newSchool();
  const other = await newSchool(school.installation);
  const draft = await school.draftFlight(school.student);
  const changes: [Record<string, unknown>, string][] = [
    [{ night_minutes: 63 }, "night_minutes"],
    [{ on_block_at: draft.off_block_at }, "on_block_at"],
    [{ crew: [{ person_id: other.student.personId, function: "solo" }] }, "crew.0.person_id"],
    [{ aircraft_id: other.aircraftId }, "aircraft_id"],
  ];
  for (const [change, field] of changes) {
    const { issues } = expectStatus(400, await school.student.patch(`/flights/${draft.id}`, change)).body;
    expect(issues).toMatchObject([{ path: `body.${field}` }]);
  }
  expect((await school.student.get(`/flights/${draft.id}`)).body.data).toEqual(draft);
});

test("an edit of a submitted flight updates its warnings", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student);
  const edit = async (change: object) =>
    expectStatus(200, await school.student.patch(`/flights/${flight.id}`, change)).body.data.warnings;
  expect(await edit({ tacho_start: "1099.00", tacho_end: "1100.00" })).toEqual(["tacho_gap"]);
  expect(await edit({ tacho_start: "1100.00" })).toEqual([]);
});

test("a student can't remove themself from a submitted flight", async () => {
  const school = await newSchool();
  const flight = await school.submitFlight(school.student);
  const crew = [{ person_id: school.instructor.personId, function: "pic" }];

  const { error } = expectStatus(403, await school.student.patch(`/flights/${flight.id}`, { crew })).body;

  expect(error.reason).toBe("not_crew_member");
  expect((await school.student.get(`/flights/${flight.id}`)).body.data).toEqual(flight);
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
