import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { OrgId } from "../../../src/core/ids.ts";
import { expectStatus, type Member, newOwnSchool, newSchool } from "../../support/school.ts";

const paths = (answer: { body: { issues: { path: string }[] } }) => answer.body.issues.map(({ path }) => path);
const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";

const piper = { registration: "D-EFGH", model: "Piper PA-28-161", class: "SEP" };
const add = async (by: Member, body: object = {}) =>
  expectStatus(201, await by.post("/aircraft", { ...piper, ...body })).body.data;

test("createAircraft stores the body with the organization's currency and writes an audit row", async () => {
  const { owner } = await newSchool();
  const sent = {
    ...piper,
    icao_type: "P28A",
    serial_number: "28-8116001",
    mtom_kg: 1055,
    seats: 4,
    multi_pilot: true,
    hourly_rate_minor: 20_500,
    billing_basis: "hobbs",
    hobbs: "4711.05",
    tacho: "4200.00",
    airframe_minutes: 282_663,
    landings: 5120,
  };

  const created = await add(owner, { ...sent, registration: " d-efgh " });

  expect(created).toEqual({
    ...sent,
    id: created.id,
    currency: "EUR",
    status: "available",
    groundings: [],
    created_at: "2026-06-14T09:00:00.000Z",
    updated_at: "2026-06-14T09:00:00.000Z",
  });
  expect(expectStatus(200, await owner.get(`/aircraft/${created.id}`)).body.data).toEqual(created);
  const [entry] = (await owner.get(`/audit-log?subject_id=${created.id}`)).body.data;
  expect(entry).toMatchObject({ action: "aircraft.created", before: null, after: created });
});

test("createAircraft defaults to counters at zero, billing by block time and no price", async () => {
  const { owner } = await newSchool();

  expect(await add(owner)).toMatchObject({
    hobbs: "0.00",
    tacho: "0.00",
    airframe_minutes: 0,
    landings: 0,
    multi_pilot: false,
    billing_basis: "block",
    hourly_rate_minor: null,
    currency: null,
    icao_type: null,
  });
});

test("createAircraft rejects an invalid field and names it", async () => {
  const { owner } = await newSchool();
  const faults: [path: string, change: object][] = [
    ["body.registration", { registration: "D EFGH" }],
    ["body.registration", { registration: "-EFGH" }],
    ["body.class", { class: "UFO" }],
    ["body.icao_type", { icao_type: "CESSNA" }],
    ["body.mtom_kg", { mtom_kg: 0 }],
    ["body.seats", { seats: 1.5 }],
    ["body.hourly_rate_minor", { hourly_rate_minor: -1 }],
    ["body.hobbs", { hobbs: 12.5 }],
    ["body.hobbs", { hobbs: "12.5" }],
    ["body.airframe_minutes", { airframe_minutes: -1 }],
    ["body.status", { status: "grounded" }],
  ];
  for (const [path, change] of faults)
    expect(paths(expectStatus(400, await owner.post("/aircraft", { ...piper, ...change })))).toEqual([path]);
  expect((await owner.get("/aircraft")).body.data).toHaveLength(1);
});

test("a registration is unique regardless of case", async () => {
  const { owner, aircraftId } = await newSchool();
  const other = await add(owner);

  expectStatus(409, await owner.post("/aircraft", { ...piper, registration: "d-eabc" }));
  expectStatus(409, await owner.patch(`/aircraft/${other.id}`, { registration: "D-EABC" }));
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { registration: "D-EABC", seats: 4 }));
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { registration: "D-EXYZ" }));
  expectStatus(200, await owner.patch(`/aircraft/${other.id}`, { registration: "D-EABC" }));
});

test("the fleet is listed by registration, by model or by the hours flown, the most first", async () => {
  const { owner, installation } = await newOwnSchool();
  for (const one of [
    { registration: "D-EAAA", model: "Robin DR400", airframe_minutes: 100 },
    { registration: "D-EZZZ", model: "Piper PA-28-161", airframe_minutes: 100_000 },
    { registration: "D-EFFF", model: "Piper PA-28-161", airframe_minutes: 100 },
  ]) {
    installation.clock.advance(1);
    await add(owner, one);
  }
  const listed = async (query: string) =>
    expectStatus(200, await owner.get(`/aircraft${query}`)).body.data.map(
      ({ registration }: { registration: string }) => registration,
    );
  const byRegistration = ["D-EAAA", "D-EABC", "D-EFFF", "D-EZZZ"];
  expect(await listed("")).toEqual(byRegistration);
  expect(await listed("?order=registration")).toEqual(byRegistration);
  expect(await listed("?order=-registration")).toEqual(byRegistration.toReversed());
  expect(await listed("?order=model")).toEqual(["D-EABC", "D-EZZZ", "D-EFFF", "D-EAAA"]);
  // D-EABC has 74,070 minutes. Of two that have flown the same, the newer one comes first.
  expect(await listed("?order=-airframe_minutes")).toEqual(["D-EZZZ", "D-EABC", "D-EFFF", "D-EAAA"]);
});

test("flights are new to who mirrors them when what they show of the aircraft changes, and only then", async () => {
  const school = await newOwnSchool();
  const { owner, instructor, student, aircraftId, installation } = school;
  const { id } = await school.submitFlight(student);
  expectStatus(200, await instructor.post(`/flights/${id}/approve`));
  const key = await school.apiKey("public.flights:read");
  const changedBy = async (body: object) => {
    installation.clock.advance(1000);
    const since = installation.clock.now().toISOString();
    expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, body));
    return expectStatus(200, await school.publicGet(`/flights?updated_since=${since}`, key)).body.data;
  };
  expect(await changedBy({ seats: 2, hourly_rate_minor: 1 })).toEqual([]);
  expect(await changedBy({ registration: "D-EABC", model: "Cessna 172S" })).toEqual([]);
  expect(await changedBy({ registration: "D-ENEW" })).toMatchObject([{ id, aircraft: { registration: "D-ENEW" } }]);
  expect(await changedBy({ model: "Cessna 172R" })).toMatchObject([{ id }]);
  expect(await changedBy({ icao_type: "C72R" })).toMatchObject([{ id }]);
});

test("updateAircraft changes only the given fields, and null clears a field", async () => {
  const { owner, installation } = await newOwnSchool();
  const before = await add(owner, { seats: 4, hourly_rate_minor: 20_500 });
  installation.clock.advance(1000);

  const priceless = expectStatus(200, await owner.patch(`/aircraft/${before.id}`, { hourly_rate_minor: null })).body
    .data;

  expect(priceless).toEqual({
    ...before,
    hourly_rate_minor: null,
    currency: null,
    updated_at: "2026-06-14T09:00:01.000Z",
  });
  const [entry] = (await owner.get(`/audit-log?subject_id=${before.id}`)).body.data;
  expect(entry).toMatchObject({ action: "aircraft.updated", before, after: priceless });
  expect(paths(expectStatus(400, await owner.patch(`/aircraft/${before.id}`, {})))).toEqual(["body"]);
  expectStatus(404, await owner.patch(`/aircraft/${nobody}`, { seats: 2 }));
});

test("a correction sets counters to a reading and puts its reason into the audit log", async () => {
  const { owner, aircraftId } = await newSchool();
  const before = (await owner.get(`/aircraft/${aircraftId}`)).body.data;
  const counters = { tacho: "0.00", airframe_minutes: 74_071, landings: 77, reason: "The tachometer was replaced." };

  const after = expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { counters })).body.data;

  expect(after).toEqual({ ...before, tacho: "0.00", airframe_minutes: 74_071, landings: 77 });
  const [entry] = (await owner.get(`/audit-log?subject_id=${aircraftId}`)).body.data;
  expect(entry).toMatchObject({
    action: "aircraft.counters_corrected",
    before: { hobbs: "1234.50", tacho: "1100.00", airframe_minutes: 74_070, landings: 0 },
    after: { hobbs: "1234.50", ...counters },
  });
});

test("the list of corrections says by how much, why and by whom, and no other aircraft's", async () => {
  const { owner, student, aircraftId } = await newSchool();
  const other = expectStatus(201, await owner.post("/aircraft", { registration: "D-EXYZ", model: "X", class: "SEP" }));
  const counters = { hobbs: "1230.25", airframe_minutes: 74_100, reason: "Another instrument." };
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { counters }));
  const listed = expectStatus(200, await student.get(`/aircraft/${aircraftId}/counter-corrections`)).body.data;
  expect(listed).toMatchObject([
    {
      ...{ aircraft_id: aircraftId, hobbs: "-4.25", tacho: "0.00", airframe_minutes: 30, landings: 0 },
      ...{ reason: "Another instrument.", corrected_by: owner.userId },
    },
  ]);
  const others = `/aircraft/${other.body.data.id}/counter-corrections`;
  expect(expectStatus(200, await owner.get(others)).body.data).toEqual([]);
  expectStatus(404, await owner.get(`/aircraft/${owner.userId}/counter-corrections`));
});

test("a correction needs a counter and a reason, and a PATCH without a correction can't change counters", async () => {
  const { owner, aircraftId } = await newSchool();
  const faults: [path: string, change: object][] = [
    ["body.counters.reason", { counters: { hobbs: "1.00" } }],
    ["body.counters.reason", { counters: { hobbs: "1.00", reason: " " } }],
    ["body.counters", { counters: { reason: "No idea." } }],
    ["body.counters.hobbs", { counters: { hobbs: "-1.00", reason: "Typo." } }],
    ["body.hobbs", { seats: 4, hobbs: "1.00" }],
  ];
  for (const [path, change] of faults)
    expect(paths(expectStatus(400, await owner.patch(`/aircraft/${aircraftId}`, change)))).toEqual([path]);
  expect((await owner.get(`/aircraft/${aircraftId}`)).body.data).toMatchObject({ hobbs: "1234.50" });
});

test("an archived aircraft can't be changed and keeps its registration", async () => {
  const { owner } = await newSchool();
  const { id } = await add(owner);

  const archived = expectStatus(200, await owner.patch(`/aircraft/${id}`, { status: "archived" })).body.data;

  expect(archived.status).toBe("archived");
  const [entry] = (await owner.get(`/audit-log?subject_id=${id}`)).body.data;
  expect(entry).toMatchObject({ action: "aircraft.archived", before: { status: "available" }, after: archived });
  for (const change of [
    { status: "archived" },
    { seats: 2 },
    { counters: { hobbs: "1.00", reason: "Late reading." } },
  ]) {
    const answer = expectStatus(409, await owner.patch(`/aircraft/${id}`, change));
    expect(answer.body.error.message).toContain("archived");
  }
  expectStatus(409, await owner.post("/aircraft", piper));
  expect((await owner.get(`/aircraft/${id}`)).body.data).toEqual(archived);
});

test("archiving is undone by the status available, also together with other changes", async () => {
  const { owner } = await newSchool();
  const { id } = await add(owner);
  expectStatus(200, await owner.patch(`/aircraft/${id}`, { status: "archived" }));

  const restored = expectStatus(200, await owner.patch(`/aircraft/${id}`, { status: "available", seats: 3 })).body.data;
  expect(restored).toMatchObject({ status: "available", seats: 3 });
  const log = (await owner.get(`/audit-log?subject_id=${id}`)).body.data;
  expect(log.map(({ action }: { action: string }) => action)).toEqual([
    "aircraft.restored",
    "aircraft.updated",
    "aircraft.archived",
    "aircraft.created",
  ]);
  expect(log[0]).toMatchObject({ before: { status: "archived" }, after: restored });
  expectStatus(200, await owner.patch(`/aircraft/${id}`, { seats: 2 }));
});

test("the status available changes nothing on an available aircraft, and does not release a grounded one", async () => {
  const school = await newSchool();
  const { owner } = school;
  const { id } = await add(owner);
  expectStatus(200, await owner.patch(`/aircraft/${id}`, { status: "available" }));
  expect((await owner.get(`/audit-log?subject_id=${id}`)).body.data).toMatchObject([{ action: "aircraft.created" }]);

  const tenant = school.installation.storage.tenants.tenant(school.orgId as OrgId);
  await tenant.write((tx) => tx.run(sql`update aircraft set status = 'grounded' where id = ${id}`));
  const refused = expectStatus(409, await owner.patch(`/aircraft/${id}`, { status: "available" }));
  expect(refused.body.error.reason).toBe("wrong_status");
});

test("a taken registration says which aircraft has it, and whether that is archived", async () => {
  const { owner } = await newSchool();
  const { id, model } = await add(owner);
  const taken = expectStatus(409, await owner.post("/aircraft", piper)).body.error;
  expect(taken).toMatchObject({
    reason: "registration_taken",
    message: `Another aircraft has the registration D-EFGH: a ${model} with the id ${id}.`,
  });
  expectStatus(200, await owner.patch(`/aircraft/${id}`, { status: "archived" }));
  const archived = expectStatus(409, await owner.post("/aircraft", piper)).body.error;
  expect(archived.message).toContain(`${id}, which is archived. Change its status to "available"`);
});

test("listAircraft sorts by registration, returns pages and filters by status", async () => {
  const { owner } = await newSchool();
  const gone = await add(owner);
  expectStatus(200, await owner.patch(`/aircraft/${gone.id}`, { status: "archived" }));
  await add(owner, { registration: "D-EAAA" });
  const list = async (query: string) =>
    expectStatus(200, await owner.get(`/aircraft${query}`)).body.data.map(
      (a: { registration: string }) => a.registration,
    );

  expect(await list("")).toEqual(["D-EAAA", "D-EABC", "D-EFGH"]);
  expect(await list("?status=archived")).toEqual(["D-EFGH"]);
  expect(await list("?status=available&limit=1&offset=1")).toEqual(["D-EABC"]);
  expect((await owner.get("/aircraft?limit=2&with_total=true")).body.page).toEqual({
    limit: 2,
    offset: 0,
    has_more: true,
    next_cursor: expect.any(String),
    total: 3,
  });
  expectStatus(400, await owner.get("/aircraft?status=flying"));
});

test("every member can read aircraft, and only aircraft:manage can change them", async () => {
  const school = await newSchool();
  const mechanic = await school.join(["mechanic"]);
  const url = `/aircraft/${school.aircraftId}`;

  for (const member of [school.student, school.instructor]) {
    expectStatus(200, await member.get(url));
    expectStatus(200, await member.get("/aircraft"));
    expectStatus(403, await member.post("/aircraft", piper));
    expectStatus(403, await member.patch(url, { counters: { hobbs: "1.00", reason: "I'd like that." } }));
  }
  expectStatus(200, await mechanic.patch(url, { counters: { hobbs: "1300.00", reason: "Read after the test run." } }));
  expectStatus(404, await mechanic.get(`/aircraft/${nobody}`));
});

test("only members can access aircraft", async () => {
  const { installation, orgId, aircraftId } = await newOwnSchool();
  const stranger = (await newSchool(installation)).owner;

  for (const [method, path] of [
    ["GET", ""],
    ["POST", ""],
    ["GET", `/${aircraftId}`],
    ["PATCH", `/${aircraftId}`],
  ] as const) {
    const url = `/orgs/${orgId}/aircraft${path}`;
    const body = method === "GET" ? {} : { body: piper };
    expectStatus(401, await installation.call(method, url, body));
    expectStatus(404, await stranger.call(method, url, body));
  }
});
