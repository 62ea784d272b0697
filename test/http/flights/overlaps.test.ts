/** An aircraft and a person are in one flight at a time: submissions that overlap are refused, drafts say so. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { toInstant } from "../../../src/core/clock.ts";
import { isId } from "../../../src/core/ids.ts";
import { overlapOf } from "../../../src/modules/flights/overlaps.queries.ts";
import { planOf } from "../../support/query-plans.ts";
import {
  csv,
  expectStatus,
  type Member,
  newOwnSchool,
  newSchool,
  type School,
  statuses,
  times,
} from "../../support/school.ts";

const at = (time: string) => `2026-01-10T${time}Z`;
const by = (member: { personId: string }, onBoard = "pic") => [{ person_id: member.personId, function: onBoard }];

/** A flight of the instructor from 10:00 to 11:00, with other fields. */
const body = (school: School, other: object = {}) => ({
  ...school.flightBody(),
  ...{ off_block_at: at("10:00:00"), on_block_at: at("11:00:00"), crew: by(school.instructor) },
  ...other,
});

const draft = async (school: School, other: object = {}, drafter: Member = school.instructor) =>
  expectStatus(201, await drafter.post("/flights", body(school, other))).body.data;
const submitted = async (school: School, other: object = {}): Promise<string> => {
  const { id } = await draft(school, other);
  expectStatus(200, await school.owner.post(`/flights/${id}/submit`));
  return id;
};
const submit = async (school: School, other: object = {}) =>
  school.owner.post(`/flights/${(await draft(school, other)).id}/submit`);

/** The flight of a refusal. */
const refused = (answer: Awaited<ReturnType<typeof submit>>): string => {
  const { error } = expectStatus(409, answer).body;
  expect(error).toMatchObject({ code: "CONFLICT", reason: "flight_overlaps" });
  return error.flight_id;
};

const newAircraft = async ({ owner }: School, other: object = {}): Promise<string> =>
  expectStatus(201, await owner.post("/aircraft", { registration: "D-EXYZ", model: "C152", class: "SEP", ...other }))
    .body.data.id;

test("one flight that two people enter is submitted once; the draft of the second warns", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const crew = [...by(instructor, "instructor"), ...by(student, "dual")];
  const first = await submitted(school, { crew });

  const second = await draft(school, { crew }, student);

  expect(second.warnings).toEqual(["flight_overlaps"]);
  expect(refused(await student.post(`/flights/${second.id}/submit`))).toBe(first);
  expect(expectStatus(200, await owner.get(`/flights/${second.id}`)).body.data.status).toBe("draft");
  expectStatus(200, await owner.post(`/flights/${first}/approve`));
  expect(refused(await student.post(`/flights/${second.id}/submit`))).toBe(first);
});

test("what is wrong with a flight itself is told before the flight that it overlaps", async () => {
  const school = await newSchool();
  const { owner, instructor } = school;
  await submitted(school);
  const incomplete = await draft(school, { crew: by(instructor, "dual") });
  expect(incomplete.warnings).toContain("flight_overlaps");
  const { issues } = expectStatus(400, await owner.post(`/flights/${incomplete.id}/submit`)).body;
  expect(issues).toContainEqual(expect.objectContaining({ path: "body.crew", code: "crew" }));
});

test.each([
  ["09:00:00", "10:00:00", false],
  ["11:00:00", "12:00:00", false],
  ["09:00:00", "10:00:00.001", true],
  ["10:59:59.999", "12:00:00", true],
  ["10:20:00", "10:30:00", true],
  ["09:00:00", "12:00:00", true],
  ["10:00:00", "11:00:00", true],
])("a flight from %s to %s beside one from 10:00 to 11:00: overlaps %p", async (off, on, overlaps) => {
  for (const status of ["submitted", "approved"]) {
    const school = await newSchool();
    const id = await submitted(school);
    if (status === "approved") expectStatus(200, await school.owner.post(`/flights/${id}/approve`));
    const other = { off_block_at: at(off), on_block_at: at(on) };

    const sameAircraft = await submit(school, { ...other, crew: by(school.student) });
    if (overlaps) expect(refused(sameAircraft)).toBe(id);
    else expectStatus(200, sameAircraft);

    const samePerson = await submit(school, { ...other, aircraft_id: await newAircraft(school) });
    if (overlaps) expect(refused(samePerson)).toBe(id);
    else expectStatus(200, samePerson);
  }
});

test("a session in a simulator takes up its people and the device", async () => {
  const school = await newSchool();
  const { instructor, student, owner } = school;
  const device = await newAircraft(school, { registration: "FNPT-1", class: "FSTD" });
  const session = {
    ...{ aircraft_id: device, nature: "simulator", day_landings: 0, departure: null, arrival: null },
    crew: [...by(instructor, "instructor"), ...by(student, "dual")],
  };
  const first = await submitted(school, session);
  expect(refused(await submit(school))).toBe(first);
  expect(refused(await submit(school, { crew: by(student) }))).toBe(first);
  expect(refused(await submit(school, { ...session, crew: by(owner) }))).toBe(first);
  expectStatus(200, await submit(school, { crew: by(owner) }));
});

test("drafts, rejected and reversed flights take up nothing, and a flight does not overlap itself", async () => {
  const school = await newSchool();
  const { owner } = school;
  await draft(school);
  const rejected = await submitted(school);
  expectStatus(200, await owner.post(`/flights/${rejected}/reject`, { reason: "Twice." }));
  const reversed = await submitted(school);
  expectStatus(200, await owner.post(`/flights/${reversed}/approve`));
  expectStatus(200, await owner.post(`/flights/${reversed}/reverse`, { reason: "A mistake." }));

  const { id, warnings } = await draft(school);
  expect(warnings).toEqual([]);
  expectStatus(200, await owner.post(`/flights/${id}/submit`));
  expectStatus(200, await owner.patch(`/flights/${id}`, { remarks: "Gusty." }));
  expectStatus(200, await owner.post(`/flights/${id}/approve`));

  expect(refused(await owner.post(`/flights/${rejected}/submit`))).toBe(id);
});

test("a draft without its times overlaps nothing until it has them", async () => {
  const school = await newSchool();
  const { owner } = school;
  const id = await submitted(school);
  const unknown = await draft(school, { on_block_at: null });
  expect(unknown.warnings).toEqual([]);

  const edit = async (change: object) =>
    expectStatus(200, await owner.patch(`/flights/${unknown.id}`, change)).body.data.warnings;
  expect(await edit({ on_block_at: at("10:30:00") })).toEqual(["flight_overlaps"]);
  expect(refused(await owner.post(`/flights/${unknown.id}/submit`))).toBe(id);
  expect(await edit({ off_block_at: null })).toEqual([]);
  expect(await edit({ off_block_at: at("11:00:00"), on_block_at: at("11:30:00") })).toEqual([]);
  expectStatus(200, await owner.post(`/flights/${unknown.id}/submit`));
});

test("an edit of a submitted flight may not make it overlap; that of a rejected one warns", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const first = await submitted(school);
  const other = await newAircraft(school);
  const later = { off_block_at: at("11:00:00"), on_block_at: at("12:00:00") };
  const second = await submitted(school, later);
  const third = await submitted(school, { aircraft_id: other, crew: by(student) });

  const before = expectStatus(200, await owner.get(`/flights/${second}`)).body.data;
  expect(refused(await owner.patch(`/flights/${second}`, { off_block_at: at("10:59:59") }))).toBe(first);
  expect(refused(await owner.patch(`/flights/${third}`, { crew: by(school.instructor) }))).toBe(first);
  expect(refused(await owner.patch(`/flights/${third}`, { aircraft_id: school.aircraftId }))).toBe(first);
  expect(expectStatus(200, await owner.get(`/flights/${second}`)).body.data).toEqual(before);

  expectStatus(200, await owner.post(`/flights/${second}/reject`, { reason: "Wrong times." }));
  const edited = await owner.patch(`/flights/${second}`, { off_block_at: at("10:59:59") });
  expect(expectStatus(200, edited).body.data).toMatchObject({ status: "rejected", warnings: ["flight_overlaps"] });
  expect(refused(await owner.post(`/flights/${second}/submit`))).toBe(first);
});

test("of submissions of overlapping flights at the same time, one succeeds", async () => {
  const school = await newSchool();
  const drafts = await Promise.all(times(8, () => draft(school)));

  const answers = await Promise.all(drafts.map(({ id }) => school.owner.post(`/flights/${id}/submit`)));

  expect(statuses(answers)).toEqual([200, ...times(7, () => 409)]);
  const [winner] = answers.filter(({ status }) => status === 200);
  for (const loser of answers.filter(({ status }) => status === 409)) expect(refused(loser)).toBe(winner?.body.data.id);
});

test("the refusal tells the flight's id and what is taken, and nothing else of another's flight", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const secret = { departure: "EDMA", remarks: "Secret.", off_block_at: at("09:17:00") };
  const first = await submitted(school, { ...secret, crew: by(instructor) });
  const other = await newAircraft(school);
  const mine = async (own: object) => {
    const { id } = await draft(school, own, student);
    const { error } = expectStatus(409, await student.post(`/flights/${id}/submit`)).body;
    const { request_id, ...said } = error;
    return said;
  };
  const advice = "Put the times, the aircraft or the crew right. If it is the same flight, one of the two is enough.";

  expect(await mine({ crew: by(student) })).toEqual({
    ...{ code: "CONFLICT", reason: "flight_overlaps", flight_id: first },
    message: `The aircraft is in another flight at this time. ${advice}`,
  });
  expect(await mine({ aircraft_id: other, crew: [...by(instructor, "instructor"), ...by(student, "dual")] })).toEqual({
    ...{ code: "CONFLICT", reason: "flight_overlaps", flight_id: first },
    message: `A crew member is in another flight at this time. ${advice}`,
  });
  expectStatus(404, await student.get(`/flights/${first}`));
  expectStatus(200, await owner.get(`/flights/${first}`));
});

test("of flights that overlapped before, none is approved until the other is rejected", async () => {
  const school = await newOwnSchool();
  const { owner, installation, orgId } = school;
  const first = await submitted(school);
  const second = await submitted(school, { off_block_at: at("11:00:00"), on_block_at: at("12:00:00") });
  if (!isId<"organization">(orgId)) throw new Error("It is an id.");
  await installation.storage.tenants
    .tenant(orgId)
    .write((tx) => tx.run(sql`update flights set off_block_at = ${at("10:30:00.000")} where id = ${second}`));

  expect(refused(await owner.post(`/flights/${first}/approve`))).toBe(second);
  expect(refused(await owner.post(`/flights/${second}/approve`))).toBe(first);
  expectStatus(200, await owner.post(`/flights/${second}/reject`, { reason: "The same flight." }));
  expectStatus(200, await owner.post(`/flights/${first}/approve`));
});

test("the import has the same rule, also for people", async () => {
  const school = await newSchool();
  const { owner, instructor, student } = school;
  await newAircraft(school);
  await submitted(school);
  const file = [
    "registration,off_block_at,on_block_at,departure,arrival,instructor,dual,pic",
    `D-EXYZ,${at("10:59:59")},${at("11:30:00")},EDFE,EDKB,${instructor.email},${student.email},`,
    `D-EXYZ,${at("11:30:00")},${at("11:40:00")},EDFE,EDKB,${instructor.email},${student.email},`,
    `D-EABC,${at("11:39:00")},${at("11:50:00")},EDFE,EDKB,,,${instructor.email}`,
    `D-EABC,${at("10:30:00")},${at("10:31:00")},EDFE,EDKB,,,${owner.email}`,
  ].join("\n");

  const { issues } = expectStatus(
    400,
    await owner.call("POST", `/orgs/${school.orgId}/flights/import`, { body: csv(file) }),
  ).body;

  const during = (from: string, to: string) => `has another flight from ${at(from)} to ${at(to)}.`;
  expect(issues).toEqual([
    { path: "body.2.instructor", code: "overlap", message: `The person ${during("10:00:00.000", "11:00:00.000")}` },
    { path: "body.4.pic", code: "overlap", message: `The person ${during("11:30:00.000", "11:40:00.000")}` },
    { path: "body.5.off_block_at", code: "overlap", message: `The aircraft ${during("10:00:00.000", "11:00:00.000")}` },
  ]);
});

test("a flight of a day, the longest, is found from its first to its last minute", async () => {
  const school = await newSchool();
  const day = { off_block_at: at("00:00:00"), on_block_at: "2026-01-11T00:00:59Z" };
  const id = await submitted(school, day);
  expect(
    refused(await submit(school, { off_block_at: "2026-01-11T00:00:00Z", on_block_at: "2026-01-11T00:30:00Z" })),
  ).toBe(id);
  expect(refused(await submit(school, { off_block_at: "2026-01-09T23:30:00Z", on_block_at: at("00:00:01") }))).toBe(id);
});

const flown = fc.record({
  plane: fc.nat({ max: 1 }),
  pilot: fc.nat({ max: 2 }),
  from: fc.nat({ max: 11 }),
  minutes: fc.integer({ min: 1, max: 4 }),
});

test("flights are submitted exactly if none before has their aircraft or pilot in a minute of theirs", async () => {
  const school = await newSchool();
  const planes = [school.aircraftId, await newAircraft(school)];
  const pilots = [school.owner, school.instructor, school.student];
  let day = Date.parse("2025-01-01T00:00:00Z");
  const run = fc.asyncProperty(fc.array(flown, { minLength: 2, maxLength: 12 }), async (tries) => {
    day += 3 * 24 * 60 * 60_000;
    const taken = new Set<string>();
    for (const { plane, pilot, from, minutes } of tries) {
      const minute = (offset: number) => new Date(day + (from + offset) * 60_000).toISOString();
      const answer = await submit(school, {
        ...{ off_block_at: minute(0), on_block_at: minute(minutes), aircraft_id: planes[plane] },
        crew: by(pilots[pilot] ?? school.owner),
      });
      const own = times(minutes, (i) => [`plane ${plane} ${from + i}`, `pilot ${pilot} ${from + i}`]).flat();
      const isFree = own.every((minute) => !taken.has(minute));
      expect(answer.status).toBe(isFree ? 200 : 409);
      if (isFree) for (const minute of own) taken.add(minute);
    }
  });
  await fc.assert(run, { numRuns: 20 });
});

test("flights at the same time are looked up in indexes", async () => {
  const { installation, orgId, aircraftId, student } = await newSchool();
  const now = toInstant(installation.clock.now());
  if (!(isId<"organization">(orgId) && isId<"aircraft">(aircraftId) && isId<"person">(student.personId)))
    throw new Error("They are ids.");
  const flight = {
    ...{ aircraft_id: aircraftId, crew: [{ person_id: student.personId, function: "pic" as const }] },
    ...{ off_block_at: now, on_block_at: now },
  };
  const plan = await installation.storage.tenants
    .tenant(orgId)
    .read((reader) => planOf(reader, (reader) => overlapOf(reader, flight)));
  const ofTables = plan.filter((line) => /^(SEARCH|SCAN) (flights|flight_crew)\b/.test(line));
  expect(ofTables).toEqual([
    "SEARCH flights USING INDEX flights_aircraft_status_off_block (aircraft_id=? AND status=? AND <expr>>? AND <expr><?)",
    "SEARCH flight_crew USING COVERING INDEX flight_crew_logbook (person_id=? AND logged_at>? AND logged_at<?)",
    "SEARCH flights USING INDEX sqlite_autoindex_flights_1 (id=?)",
    "SEARCH flights USING INDEX flights_status_off_block (status=? AND <expr>>? AND <expr><?)",
    "SEARCH flight_crew USING INDEX sqlite_autoindex_flight_crew_1 (flight_id=?)",
  ]);
});
