/** Why a flight is made, who is on board besides the crew, what was taken on, and what the workshop should know. */
import { expect, test } from "bun:test";
import { expectStatus, newSchool, times } from "../../support/school.ts";

const particulars = {
  nature: "private",
  passengers: 2,
  fuel_uplift_litres: "62.50",
  oil_uplift_litres: "0.95",
  workshop_remarks: "The left brake feels soft.",
};

test("a flight of a pilot with passengers has its particulars for the school, in the public API and in events", async () => {
  const school = await newSchool();
  const { owner, instructor } = school;
  const pilot = expectStatus(201, await owner.post("/people", { name: "Paula", types: ["pilot"] })).body.data;
  const crew = [{ person_id: pilot.id, function: "pic" }];

  const { id, ...submitted } = await school.submitFlight(instructor, { body: { ...particulars, crew } });
  expectStatus(200, await owner.post(`/flights/${id}/approve`));

  expect(submitted).toMatchObject({ ...particulars, warnings: [] });
  const key = await school.apiKey("public.flights:read", "public.events:read");
  const shown = expectStatus(200, await school.publicGet(`/flights/${id}`, key)).body.data;
  expect(shown).toMatchObject(particulars);
  const events = expectStatus(200, await school.publicGet("/events?type=flight.approved", key)).body.data;
  expect(events[0].data.flight).toEqual(shown);
});

test("particulars may be unknown; an edit sets and clears them", async () => {
  const school = await newSchool();
  const draft = await school.draftFlight(school.student);
  const none = { ...particulars, nature: null, passengers: 0, workshop_remarks: null };
  const unknown = { ...none, fuel_uplift_litres: null, oil_uplift_litres: null };
  expect(draft).toMatchObject(unknown);
  const edit = async (change: object) =>
    expectStatus(200, await school.student.patch(`/flights/${draft.id}`, change)).body.data;
  expect(await edit(particulars)).toMatchObject(particulars);
  expect(await edit(unknown)).toMatchObject(unknown);
});

test.each([
  ["45", "45.00"],
  ["45.5", "45.50"],
  ["0.07", "0.07"],
  ["99999.99", "99999.99"],
])("%p litres are exactly %p", async (given, shown) => {
  const school = await newSchool();
  const body = { fuel_uplift_litres: given, oil_uplift_litres: given };
  expect(await school.draftFlight(school.student, { body })).toMatchObject({
    fuel_uplift_litres: shown,
    oil_uplift_litres: shown,
  });
});

test.each([
  ["fuel_uplift_litres", "1.005"],
  ["fuel_uplift_litres", "-1"],
  ["fuel_uplift_litres", "100000"],
  ["oil_uplift_litres", "1,5"],
  ["oil_uplift_litres", 1.5],
  ["passengers", -1],
  ["passengers", 1.5],
  ["nature", "joyride"],
  ["workshop_remarks", "x".repeat(2001)],
])("%s can't be %p", async (field, value) => {
  const school = await newSchool();
  const { issues } = expectStatus(
    400,
    await school.student.post("/flights", school.flightBody({ body: { [field]: value } })),
  ).body;
  expect(issues).toMatchObject([{ path: `body.${field}` }]);
});

test("more persons on board than seats cause a warning, if the seats are known", async () => {
  const school = await newSchool();
  const { owner, student, aircraftId } = school;
  const crew = [{ person_id: student.personId, function: "pic" }];
  const { id } = await school.submitFlight(student, { body: { passengers: 4, crew } });
  const warned = async (change: object) =>
    expectStatus(200, await student.patch(`/flights/${id}`, change)).body.data.warnings;
  expect(await warned({ passengers: 4 })).toEqual([]);
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { seats: 4 }));
  expect(await warned({ passengers: 4 })).toEqual(["seats_exceeded"]);
  expect(await warned({ passengers: 3 })).toEqual([]);
});

test("a distance that nobody flies in the block time causes a warning", async () => {
  const { owner, student, aircraftId, submitFlight } = await newSchool();
  const { id } = await submitFlight(student, { blockMinutes: 60 });
  const warned = async (cross_country_km: number) =>
    expectStatus(200, await student.patch(`/flights/${id}`, { cross_country_km })).body.data.warnings;
  expect(await warned(500)).toEqual([]);
  expect(await warned(501)).toEqual(["distance_implausible"]);
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { class: "SET" }));
  expect(await warned(501)).toEqual([]);
});

test("landings at night without time at night cause a warning", async () => {
  const { student, submitFlight } = await newSchool();
  const { id } = await submitFlight(student, { body: { night_landings: 1 } });
  const warned = async (change: object) =>
    expectStatus(200, await student.patch(`/flights/${id}`, change)).body.data.warnings;
  expect(await warned({ night_landings: 2 })).toEqual(["night_time_missing"]);
  expect(await warned({ night_minutes: 1 })).toEqual([]);
  expect(await warned({ night_landings: 0 })).toEqual([]);
});

test("mechanics list the flights with remarks for the workshop", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const mechanic = await school.join(["mechanic"]);
  const remarked = [];
  for (const at of times(3, (index) => index)) {
    await school.draftFlight(student);
    const [off_block_at, on_block_at] = [at + 1, at + 2].map((hour) => `2026-06-14T0${hour}:00:00Z`);
    const body = { workshop_remarks: `Remark ${at}`, off_block_at, on_block_at };
    remarked.unshift(await school.draftFlight(student, { body }));
  }
  expectStatus(200, await student.post(`/flights/${remarked[0].id}/submit`));
  const list = async (by: typeof owner, query: string) =>
    expectStatus(200, await by.get(`/flights?workshop_remarks=true${query}`)).body.data.map(
      ({ id }: { id: string }) => id,
    );
  const ids = remarked.map(({ id }) => id);

  expect(await list(mechanic, "")).toEqual(ids);
  expect(await list(student, "")).toEqual(ids);
  expect(await list(mechanic, "&status=submitted")).toEqual(ids.slice(0, 1));
  expect(await list(mechanic, `&status=draft&aircraft_id=${school.aircraftId}`)).toEqual(ids.slice(1));
  expect(await list(mechanic, "&from=2026-06-14T03:00:00Z")).toEqual(ids.slice(0, 1));
  expect(expectStatus(200, await owner.get("/flights?workshop_remarks=false")).body.data).toHaveLength(6);
});
