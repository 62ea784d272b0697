import { expect, test } from "bun:test";
import { expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";
import { addItem, alertNames, alertsOf, fly, itemOf } from "./maintaining.ts";

const annual = { name: "100 h or annual", critical: true, interval_hours: "100.00", interval_months: 12 };
const tolerance = { tolerance_hours: "10.00", tolerance_months: 1 };
/** 98.7 of 100 hours are used. */
const nearlyDue = { last_done_on: "2026-01-10", last_done_airframe_minutes: 74_070 - 5922 };

test("an item says when it is due: by hours, by date, and when that is expected", async () => {
  const school = await newSchool();
  const item = await addItem(school, { ...annual, ...tolerance, ...nearlyDue });
  expect(item).toMatchObject({
    status: "upcoming",
    past_tolerance: false,
    due_on: "2027-01-10",
    due_hours: "1235.80",
    remaining_hours: "1.30",
    due_landings: null,
    forecast_on: "2027-01-10",
    upcoming_days: 30,
  });
  await fly(school, 26);
  // 0.87 hours are left, and 0.43 hours were flown in 90 days.
  expect(await itemOf(school, item)).toMatchObject({
    status: "upcoming",
    remaining_hours: "0.86",
    forecast_on: "2026-12-11",
  });
});

test("an approval changes the status in its transaction, and a reversal takes that back", async () => {
  const school = await newSchool();
  const item = await addItem(school, { ...annual, ...tolerance, ...nearlyDue });
  expect(await alertsOf(school)).toMatchObject([
    { alert: "item_upcoming", item: { id: item.id, status: "upcoming", remaining_hours: "1.30" } },
  ]);

  const flight = await fly(school, 79);
  expect(await itemOf(school, item)).toMatchObject({
    status: "overdue",
    past_tolerance: false,
    remaining_hours: "-0.02",
  });
  expect((await school.aircraft()).status).toBe("available");
  expect(await alertNames(school)).toEqual(["item_upcoming", "item_overdue"]);
  await fly(school, 30);
  expect(await alertNames(school)).toEqual(["item_upcoming", "item_overdue"]);

  expectStatus(200, await school.owner.post(`/flights/${flight}/reverse`, { reason: "The wrong aircraft." }));
  expect(await itemOf(school, item)).toMatchObject({ status: "upcoming", remaining_hours: "0.80" });
  // Better is no alert; worse again is one.
  expect(await alertNames(school)).toHaveLength(2);
  await fly(school, 60);
  expect(await alertNames(school)).toEqual(["item_upcoming", "item_overdue", "item_overdue"]);
});

test("a critical item past its tolerance grounds the aircraft, once; done, it is available again", async () => {
  const school = await newSchool();
  const mechanic = await school.join(["mechanic"]);
  const item = await addItem(school, { ...annual, ...tolerance, ...nearlyDue });
  const other = await addItem(school, { name: "Oil", interval_hours: "50.00", last_done_airframe_minutes: 74_070 });

  await fly(school, 78 + 600);
  expect(await school.aircraft()).toMatchObject({ status: "available", groundings: [] });
  const last = await fly(school, 1);
  expect(await school.aircraft()).toMatchObject({
    status: "grounded",
    groundings: [{ kind: "maintenance", subject_id: item.id, note: "Overdue: 100 h or annual" }],
  });
  await fly(school, 30);
  expect(await alertNames(school)).toEqual(["item_upcoming", "item_overdue", "aircraft_grounded"]);

  const done = expectStatus(
    200,
    await mechanic.post(`/maintenance/items/${item.id}/done`, {
      last_done_by: "Max Mechanic",
      last_done_note: "No metal in the filter.",
    }),
  ).body.data;
  expect(done).toMatchObject({
    status: "ok",
    past_tolerance: false,
    last_done_on: "2026-06-14",
    last_done_by: "Max Mechanic",
    last_done_note: "No metal in the filter.",
    last_done_airframe_minutes: 74_070 + 709,
    last_done_hobbs: "1234.50",
    due_on: "2027-06-14",
    remaining_hours: "100.00",
  });
  expect(await school.aircraft()).toMatchObject({ status: "available", groundings: [] });
  expect(await itemOf(school, other)).toMatchObject({ status: "ok", last_done_airframe_minutes: 74_070 });
  const log = (await school.owner.get(`/audit-log?subject_id=${item.id}`)).body.data;
  expect(log.slice(0, 2).map(({ action }: { action: string }) => action)).toEqual([
    "maintenance_item.status_changed",
    "maintenance_item.done",
  ]);

  // A flight of before is taken back: it was done at another reading than it seemed.
  expectStatus(200, await school.owner.post(`/flights/${last}/reverse`, { reason: "A mistake." }));
  const before = { last_done_airframe_minutes: 74_070 + 708, remaining_hours: "100.00" };
  expect(await itemOf(school, item)).toMatchObject({ status: "ok", past_tolerance: false, ...before });
});

test("an item that is not critical never grounds; made critical, it does; removed, it no longer does", async () => {
  const school = await newSchool();
  const { owner } = school;
  const item = await addItem(school, { interval_months: 12, last_done_on: "2024-06-14" });
  expect(item).toMatchObject({ status: "overdue", past_tolerance: true });
  expect((await school.aircraft()).status).toBe("available");

  expectStatus(200, await owner.patch(`/maintenance/items/${item.id}`, { critical: true }));
  expect((await school.aircraft()).status).toBe("grounded");
  expectStatus(200, await owner.patch(`/maintenance/items/${item.id}`, { tolerance_months: 24 }));
  expect((await school.aircraft()).status).toBe("available");
  expectStatus(200, await owner.patch(`/maintenance/items/${item.id}`, { tolerance_months: 0 }));
  const removed = expectStatus(200, await owner.delete(`/maintenance/items/${item.id}`)).body.data;
  expect(removed.id).toBe(item.id);
  expect((await school.aircraft()).status).toBe("available");
  expectStatus(404, await owner.get(`/maintenance/items/${item.id}`));
});

test("a correction of the counters is no use: it moves the reading at which an item is due, in its transaction", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const item = await addItem(school, { interval_landings: 100, last_done_landings: 0, critical: true });
  expect(item).toMatchObject({ status: "ok", remaining_landings: 100, due_landings: 100 });
  const counters = { landings: 101, reason: "Counted from the logbooks." };
  const corrected = await owner.patch(`/aircraft/${aircraftId}`, { counters });
  expect(expectStatus(200, corrected).body.data).toMatchObject({ landings: 101, status: "available" });
  expect(await itemOf(school, item)).toMatchObject({ status: "ok", remaining_landings: 100, due_landings: 201 });

  // Landings that were forgotten count once the item is put right.
  expectStatus(200, await owner.patch(`/maintenance/items/${item.id}`, { last_done_landings: 0 }));
  expect(await itemOf(school, item)).toMatchObject({ status: "overdue", remaining_landings: -1, due_landings: 100 });
  expect((await school.aircraft()).status).toBe("grounded");
});

test("landings of flights use up an item's landings", async () => {
  const school = await newSchool();
  const item = await addItem(school, { interval_landings: 30, last_done_landings: 0 });
  await fly(school, 60, { day_landings: 7, night_landings: 4 });
  expect(await itemOf(school, item)).toMatchObject({ status: "upcoming", remaining_landings: 19 });
});

test("an item needs an interval, and can't be done in the future or beyond the counters", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const faults: [path: string, body: object][] = [
    ["interval_hours", {}],
    ["interval_hours", { interval_hours: "0.00" }],
    ["last_done_on", { interval_months: 1, last_done_on: "2026-06-15" }],
    ["last_done_hobbs", { interval_months: 1, last_done_hobbs: "1234.51" }],
    ["last_done_tacho", { interval_months: 1, last_done_tacho: "1100.01" }],
    ["last_done_airframe_minutes", { interval_months: 1, last_done_airframe_minutes: 74_071 }],
    ["last_done_landings", { interval_months: 1, last_done_landings: 1 }],
    ["aircraft_id", { interval_months: 1, aircraft_id: "01890a5d-ac96-774b-bcce-b302099a8057" }],
  ];
  for (const [path, body] of faults) {
    const answer = await owner.post("/maintenance/items", { aircraft_id: aircraftId, name: "Check", ...body });
    expect(expectStatus(400, answer).body.issues[0].path).toBe(`body.${path}`);
  }
  const item = await addItem(school, { interval_months: 1, last_done_on: "2026-06-14" });
  expectStatus(400, await owner.patch(`/maintenance/items/${item.id}`, { interval_months: null }));
  expectStatus(400, await owner.patch(`/maintenance/items/${item.id}`, { last_done_on: "2026-06-15" }));
  const future = { last_done_by: "Max", last_done_on: "2026-06-15" };
  expectStatus(400, await owner.post(`/maintenance/items/${item.id}/done`, future));
  expectStatus(400, await owner.post(`/maintenance/items/${item.id}/done`, { last_done_on: "2026-06-14" }));
});

test("items are listed by name, of one aircraft or with one status", async () => {
  const school = await newOwnSchool();
  const { owner, instructor, student } = school;
  const other = { registration: "D-EFGH", model: "PA-28", class: "SEP" };
  const { id } = expectStatus(201, await owner.post("/aircraft", other)).body.data;
  await addItem(school, { name: "Oil", interval_hours: "50.00", last_done_airframe_minutes: 74_070 });
  await addItem(school, { name: "ELT", interval_months: 60 });
  await addItem(school, { name: "Belts", aircraft_id: id, interval_months: 60, last_done_on: "2026-06-14" });
  const list = async (query: string) =>
    expectStatus(200, await instructor.get(`/maintenance/items${query}`)).body.data.map(
      ({ name }: { name: string }) => name,
    );

  expect(await list("")).toEqual(["Belts", "ELT", "Oil"]);
  expect(await list(`?aircraft_id=${school.aircraftId}`)).toEqual(["ELT", "Oil"]);
  expect(await list("?status=ok")).toEqual(["Belts", "Oil"]);
  expect(await list(`?status=ok&aircraft_id=${school.aircraftId}`)).toEqual(["Oil"]);
  expectStatus(403, await student.get("/maintenance/items"));
  expectStatus(403, await instructor.post("/maintenance/items", {}));
  expectStatus(200, await owner.patch(`/aircraft/${id}`, { status: "archived" }));
  const late = await owner.post("/maintenance/items", { aircraft_id: id, name: "Late", interval_months: 1 });
  expect(expectStatus(409, late).body.error.reason).toBe("aircraft_archived");
});

test("a template adds its items once, with what is known of the last time", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const apply = async (key: string, body: object) =>
    owner.post(`/maintenance/templates/${key}/apply`, { aircraft_id: aircraftId, ...body });
  const templates = expectStatus(200, await school.instructor.get("/maintenance/templates")).body.data;
  for (const known of [
    { name: "100-hour or annual inspection", tolerance_months: 1, tolerance_days: 0, upcoming_days: 30 },
    { name: "Engine overhaul", tolerance_months: 0, upcoming_days: 180 },
  ])
    expect(templates[0].items).toContainEqual(expect.objectContaining(known));
  const keys = templates.map(({ key }: { key: string }) => key);
  expect(keys).toEqual(["piston-aeroplane", "inspections", "sailplane"]);

  const known = { last_done_on: "2026-06-01", last_done_airframe_minutes: 74_070 };
  const inspections = expectStatus(201, await apply("inspections", known)).body.data;
  expect(inspections).toMatchObject([
    { name: "50-hour oil change", status: "ok", remaining_hours: "50.00", due_on: null },
    { name: "100-hour or annual inspection", critical: true, status: "ok", due_on: "2027-06-01" },
  ]);
  const applied = expectStatus(201, await apply("piston-aeroplane", {}));
  expect(applied.headers.get("location")).toBe(`/orgs/${school.orgId}/maintenance/items?aircraft_id=${aircraftId}`);
  const rest = applied.body.data;
  expect(rest.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
    ["Engine overhaul", "overdue"],
    ["Propeller overhaul", "overdue"],
    ["ELT battery", "overdue"],
    ["Review of airworthiness directives", "overdue"],
  ]);
  expect(expectStatus(200, await apply("piston-aeroplane", {})).body.data).toEqual([]);
  // It is not known when they were done: that alone grounds no aircraft.
  expect((await school.aircraft()).status).toBe("available");
  expectStatus(404, await apply("airship", {}));
  expectStatus(400, await apply("sailplane", { last_done_on: "2030-01-01" }));
  expect((await owner.get("/maintenance/items")).body.data).toHaveLength(6);
});

test("a template speaks the language that is asked for, and adds nothing that the aircraft has in another", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  const names = async (query: string) =>
    expectStatus(200, await owner.get(`/maintenance/templates${query}`)).body.data.map(
      ({ name }: { name: string }) => name,
    );
  expect(await names("")).toContain("Sailplane");
  expect(await names("?language=de")).toContain("Segelflugzeug");
  const apply = (body: object) =>
    owner.post("/maintenance/templates/inspections/apply", { aircraft_id: aircraftId, ...body });
  const added = expectStatus(201, await apply({ language: "de" })).body.data;
  expect(added.map(({ name }: { name: string }) => name)).toEqual([
    "50-Stunden-Ölwechsel",
    "100-Stunden- oder Jahreskontrolle",
  ]);
  expect(expectStatus(200, await apply({})).body.data).toEqual([]);
});
