import { expect, test } from "bun:test";
import { csv, expectStatus, type Member, newSchool } from "../../support/school.ts";

const send = (by: Member, file: string, query = "") =>
  by.call("POST", `/orgs/${by.orgId}/aircraft/import${query}`, { body: csv(file) });
const imported = async (by: Member, file: string, query = "") =>
  expectStatus(200, await send(by, file, query)).body.data;

test("an import adds aircraft with every column, and changes those whose registration matches", async () => {
  const school = await newSchool();
  const { owner } = school;
  const before = await school.aircraft();
  const file = [
    "registration,model,icao_type,serial_number,class,mtom_kg,seats,multi_pilot,hourly_rate_minor,billing_basis,hobbs,tacho,airframe_minutes",
    "d-efgh,Piper PA-28,P28A,28-8116001,SEP,1055,4,true,20500,tacho,12.50,10.00,750",
    "D-EABC,Cessna 172S,,,SEP,1157,,,22500,,99.00,,",
  ].join("\n");

  const report = await imported(owner, file);

  expect(report).toMatchObject({
    created: 1,
    updated: 1,
    lines: [
      { line: 2, action: "created" },
      { line: 3, action: "updated", changed: ["mtom_kg", "hourly_rate_minor"] },
    ],
  });
  const { data } = expectStatus(200, await owner.get(`/aircraft/${report.lines[0].id}`)).body;
  expect(data).toEqual({
    landings: 0,
    groundings: [],
    ...{ id: report.lines[0].id, registration: "D-EFGH", model: "Piper PA-28", icao_type: "P28A", class: "SEP" },
    ...{
      serial_number: "28-8116001",
      mtom_kg: 1055,
      seats: 4,
      multi_pilot: true,
      hourly_rate_minor: 20_500,
      currency: "EUR",
      billing_basis: "tacho",
    },
    ...{ hobbs: "12.50", tacho: "10.00", airframe_minutes: 750, status: "available" },
    ...{ created_at: expect.any(String), updated_at: expect.any(String) },
  });
  // Flights and corrections change counters; an import does not.
  const after = await school.aircraft();
  expect(after).toEqual({
    ...before,
    ...{ mtom_kg: 1157, hourly_rate_minor: 22_500, currency: "EUR", updated_at: after.updated_at },
  });
  const entries = expectStatus(200, await owner.get("/audit-log?limit=2")).body.data;
  expect(entries).toMatchObject([{ action: "aircraft.updated", before, after }, { action: "aircraft.created" }]);
  expect(await imported(owner, file)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
});

test("an approved flight adds to the readings that an import started with", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const file = "registration,model,class,hobbs\nD-EFGH,PA-28,SEP,12.50\n";
  const { lines } = await imported(owner, file);
  const body = { aircraft_id: lines[0].id, hobbs_start: "12.50", hobbs_end: "13.50" };
  const { id } = await school.submitFlight(student, { body });
  expectStatus(200, await instructor.post(`/flights/${id}/approve`));

  expect(await imported(owner, file)).toMatchObject({ unchanged: 1 });
  expect((await owner.get(`/aircraft/${lines[0].id}`)).body.data.hobbs).toBe("13.50");
});

test("an import names the faults of aircraft", async () => {
  const { owner, aircraftId } = await newSchool();
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { status: "archived" }));
  const file = [
    "registration,model,class,seats,hobbs,hourly_rate_minor",
    "D-EABC,Another,SEP,,,",
    "D-EFGH,PA-28,SEP,four,12,-1",
    "D-EIJK,,,,,",
    ",PA-28,SEP,,,",
    "D-EIJK,DA40,SEP,,,",
    "d-eijk,DA40,SEP,,,",
  ].join("\n");

  const { issues } = expectStatus(400, await send(owner, file)).body;

  expect(issues.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)).toEqual([
    ...["body.2 conflict", "body.3.seats invalid_type", "body.3.hourly_rate_minor too_small"],
    ...["body.3.hobbs invalid_format", "body.4.model required", "body.4.class required"],
    ...["body.5.registration required", "body.7 duplicate"],
  ]);
  expect((await owner.get("/aircraft")).body.data).toHaveLength(1);
});

test("the exported aircraft are unchanged by an import", async () => {
  const { owner } = await newSchool();
  const { data } = expectStatus(200, await owner.get("/aircraft")).body;
  const names = Object.keys(data[0]);
  const file = [names.join(";"), ...data.map((one: object) => Object.values(one).join(";"))].join("\r\n");

  expect(await imported(owner, file)).toMatchObject({
    unchanged: 1,
    ignored_columns: ["id", "currency", "status", "groundings", "created_at", "updated_at"],
  });
});

test("an import that changes what lists show of an aircraft brings its flights to mirrors again", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const { id } = await school.submitFlight(student);
  expectStatus(200, await instructor.post(`/flights/${id}/approve`));
  const key = await school.apiKey("public.flights:read");
  const read = async (query: string) => expectStatus(200, await school.publicGet(`/flights?${query}`, key)).body;
  const { page } = await read("updated_since=2000-01-01T00:00:00Z");
  const later = `updated_since=2000-01-01T00:00:00Z&cursor=${page.last_cursor}`;

  await imported(owner, "registration,hourly_rate_minor\nD-EABC,23000\n");
  expect((await read(later)).data).toEqual([]);
  await imported(owner, "registration,model\nD-EABC,Cessna 172R\n");
  expect((await read(later)).data).toMatchObject([{ id, aircraft: { model: "Cessna 172R" } }]);
});
