/** What is done counts from the counters of its day, whatever is approved, reversed or corrected, and whenever it is entered. */
import { expect, test } from "bun:test";
import { days } from "../../../src/core/clock.ts";
import { maintenanceItems, workOrders } from "../../../src/modules/maintenance/maintenance.tables.ts";
import { meta } from "../../../src/storage/tenant.tables.ts";
import { release } from "../../support/release.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { addItem, fly, itemOf, signedIn, tenantOf } from "./maintaining.ts";

/** Today is 14 June 2026 in Berlin, and the aircraft is added with 74,070 minutes and no landings. */
const opening = 74_070;

/** Flies on a day in June 2026, and approves. @returns the flight's id */
const flyOn = (school: School, day: number, minutes: number, from = "06:00") =>
  fly(school, minutes, timesOn(day, minutes, from));

function timesOn(day: number, minutes: number, from = "06:00") {
  const off = Date.parse(`2026-06-${String(day).padStart(2, "0")}T${from}:00Z`);
  const on = off + minutes * 60_000;
  return { off_block_at: new Date(off).toISOString(), on_block_at: new Date(on).toISOString() };
}

/** A work order that is in progress, and its item. */
async function inWork(school: School, body: object = {}) {
  const { owner, aircraftId } = school;
  const item = await addItem(school, { name: "100 h", interval_hours: "100.00", interval_landings: 500, ...body });
  const order = { aircraft_id: aircraftId, title: "Inspection", item_ids: [item.id] };
  const { id } = expectStatus(201, await owner.post("/maintenance/work-orders", order)).body.data;
  expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/start`));
  return { item, id };
}

const released = (school: School, { id }: { id: string }, body: object) =>
  school.owner.post(`/maintenance/work-orders/${id}/complete`, { ...release, ...body });

const orderOf = async (school: School, { id }: { id: string }) =>
  expectStatus(200, await school.owner.get(`/maintenance/work-orders/${id}`)).body.data;

const reverse = (school: School, flight: string) =>
  school.owner.post(`/flights/${flight}/reverse`, { reason: "Another aircraft." });

const readingsAt = (airframe_minutes: number, landings: number) => ({
  ...{ last_done_airframe_minutes: airframe_minutes, last_done_landings: landings },
  ...{ last_done_hobbs: "1234.50", last_done_tacho: "1100.00" },
});

test("a release that is entered three days later counts the flights since its day, and the aircraft shows overdue", async () => {
  const school = await newSchool();
  await flyOn(school, 9, 60);
  await flyOn(school, 10, 30);
  const limits = { interval_hours: "20.00", tolerance_hours: "2.00", critical: true };
  const { item, id } = await inWork(school, limits);
  for (const day of [11, 12, 13]) await flyOn(school, day, 8 * 60);

  const { data } = expectStatus(200, await released(school, { id }, { on: "2026-06-10" })).body;

  const counters = { hobbs: "1234.50", tacho: "1100.00", airframe_minutes: opening + 90, landings: 2 };
  expect(data.release).toEqual({ ...release, person_id: null, on: "2026-06-10", ...counters });
  expect(await itemOf(school, item)).toMatchObject({
    ...readingsAt(opening + 90, 2),
    ...{ last_done_on: "2026-06-10", status: "overdue", past_tolerance: true },
    ...{ remaining_hours: "-4.00", remaining_landings: 497 },
  });
  expect((await school.aircraft()).status).toBe("grounded");
});

test("a release of today has the counters of its moment: flights that end later count, also on that day", async () => {
  const school = await newOwnSchool();
  const { clock } = school.installation;
  await fly(school, 60);
  const { item, id } = await inWork(school);
  const { data } = expectStatus(200, await released(school, { id }, {})).body;
  expect(data.release).toMatchObject({ on: "2026-06-14", airframe_minutes: opening + 60, landings: 1 });
  const late = timesOn(14, 5, "09:02"); // the clock shows 09:00
  clock.advance(10 * 60_000);

  await fly(school, 5, late);
  expect(await itemOf(school, item)).toMatchObject({ ...readingsAt(opening + 60, 1), remaining_hours: "99.91" });
  // It was flown before.
  await flyOn(school, 14, 30, "05:00");
  expect(await itemOf(school, item)).toMatchObject({ ...readingsAt(opening + 90, 2), remaining_hours: "99.91" });
});

test("a day ends at midnight where the school is, and a flight belongs to the day on which it ends", async () => {
  const school = await newSchool();
  await flyOn(school, 9, 60);
  const { item, id } = await inWork(school);
  await flyOn(school, 10, 60, "21:00"); // ends at midnight in Berlin
  await flyOn(school, 10, 61, "22:00"); // the 11th in Berlin
  expectStatus(200, await released(school, { id }, { on: "2026-06-10" }));
  expect(await itemOf(school, item)).toMatchObject({
    last_done_airframe_minutes: opening + 120,
    remaining_landings: 499,
  });

  const other = await inWork(school, { name: "Oil" });
  await flyOn(school, 11, 61, "21:00"); // ends a minute after midnight
  expectStatus(200, await released(school, other, { on: "2026-06-11" }));
  expect(await itemOf(school, other.item)).toMatchObject({ remaining_landings: 499, remaining_hours: "98.98" });
});

test("flights that are approved or reversed after the release leave the hours since then as they are", async () => {
  const school = await newSchool();
  await flyOn(school, 8, 60);
  const wrong = await flyOn(school, 9, 120);
  const { item, id } = await inWork(school);
  const since = await flyOn(school, 11, 90);
  expectStatus(200, await released(school, { id }, { on: "2026-06-10" }));
  const expectReadings = async (minutes: number, landings: number, remaining: string) => {
    const found = await itemOf(school, item);
    expect(found).toMatchObject({ ...readingsAt(minutes, landings), remaining_hours: remaining });
    expect((await orderOf(school, { id })).release).toMatchObject({ airframe_minutes: minutes, landings });
  };
  await expectReadings(opening + 180, 2, "98.50");

  expectStatus(200, await reverse(school, wrong));
  await expectReadings(opening + 60, 1, "98.50");
  const { data: log } = expectStatus(200, await school.owner.get(`/audit-log?subject_id=${item.id}`)).body;
  expect(log[0]).toMatchObject({ action: "maintenance_item.readings_changed" });
  await flyOn(school, 9, 100);
  await expectReadings(opening + 160, 2, "98.50");
  await flyOn(school, 10, 30, "12:00");
  await expectReadings(opening + 190, 3, "98.50");
  await flyOn(school, 12, 30);
  await expectReadings(opening + 190, 3, "98.00");
  expectStatus(200, await reverse(school, since));
  await expectReadings(opening + 190, 3, "99.50");
});

test("a mechanic's readings stand, and must be from those at the start of the day to those at its end", async () => {
  const school = await newSchool();
  await flyOn(school, 9, 60);
  const reading = { hobbs_start: "1234.50", hobbs_end: "1236.50" };
  const within = await fly(school, 120, { ...timesOn(10, 120), ...reading });
  await flyOn(school, 11, 240);
  const { item, id } = await inWork(school);
  const refused: [path: string, code: string, body: object][] = [
    ["airframe_minutes", "too_low", { airframe_minutes: opening + 59 }],
    ["airframe_minutes", "too_high", { airframe_minutes: opening + 181 }],
    ["landings", "too_low", { landings: 0 }],
    ["landings", "too_high", { landings: 3 }],
    ["hobbs", "too_low", { hobbs: "1234.49" }],
    ["hobbs", "too_high", { hobbs: "1236.51" }],
    ["tacho", "too_high", { tacho: "1100.01" }],
  ];
  for (const [path, code, body] of refused) {
    const { issues } = expectStatus(400, await released(school, { id }, { on: "2026-06-10", ...body })).body;
    expect(issues).toEqual([{ path: `body.${path}`, code, message: expect.any(String) }]);
  }

  const given = { airframe_minutes: opening + 100, landings: 1, hobbs: "1236.00" };
  const { data } = expectStatus(200, await released(school, { id }, { on: "2026-06-10", ...given })).body;
  expect(data.release).toMatchObject({ ...given, tacho: "1100.00" });
  expect(await itemOf(school, item)).toMatchObject({ remaining_hours: "94.66", remaining_landings: 498 });

  // A flight of before that is approved later was in the reading already.
  await flyOn(school, 8, 10);
  expect(await itemOf(school, item)).toMatchObject({
    last_done_airframe_minutes: opening + 100,
    remaining_hours: "94.50",
  });
  // The aircraft did not get as far as that. The flights since then still count.
  expectStatus(200, await reverse(school, within));
  expect(await itemOf(school, item)).toMatchObject({
    ...{ last_done_airframe_minutes: opening + 70, last_done_landings: 1, last_done_hobbs: "1234.50" },
    ...{ status: "ok", remaining_hours: "96.00", remaining_landings: 498 },
  });
  await fly(school, 120, { ...timesOn(10, 120), ...reading });
  expect(await itemOf(school, item)).toMatchObject({
    last_done_airframe_minutes: opening + 100,
    last_done_hobbs: "1236.00",
  });
});

test("a release is not in the future, nor before the aircraft's records begin", async () => {
  const school = await newSchool();
  const { item, id } = await inWork(school);
  const refuse = async (on: string, code: string) => {
    const { issues } = expectStatus(400, await released(school, { id }, { on })).body;
    expect(issues).toMatchObject([{ path: "body.on", code }]);
    const done = await school.owner.post(`/maintenance/items/${item.id}/done`, {
      last_done_by: "Max",
      last_done_on: on,
    });
    expect(expectStatus(400, done).body.issues).toMatchObject([{ path: "body.last_done_on", code }]);
  };
  await refuse("2026-06-15", "in_future");
  await refuse("2026-06-13", "out_of_order"); // the aircraft was added on the 14th

  const first = await flyOn(school, 10, 60);
  await refuse("2026-06-08", "out_of_order");
  expectStatus(200, await reverse(school, first));
  await refuse("2026-06-09", "out_of_order");
  await flyOn(school, 10, 60);
  const { data } = expectStatus(200, await released(school, { id }, { on: "2026-06-09" })).body;
  expect(data.release).toMatchObject({ airframe_minutes: opening, landings: 0 });
  expect(await itemOf(school, item)).toMatchObject({ remaining_hours: "99.00" });
});

test("a correction moves the reading at which an item is due, and not the hours, whenever the release is entered", async () => {
  const meter = (from: string, to: string) => ({ hobbs_start: from, hobbs_end: to });
  for (const to of ["1264.50", "1239.50", "3.00"])
    for (const isEnteredLater of [false, true]) {
      const school = await newSchool();
      const correct = async () => {
        const counters = { hobbs: to, landings: 50, reason: "Another instrument." };
        expectStatus(200, await school.owner.patch(`/aircraft/${school.aircraftId}`, { counters }));
      };
      await fly(school, 600, { ...timesOn(9, 600), ...meter("1234.50", "1244.50") });
      const { item, id } = await inWork(school, { name: "Hobbs", hours_counter: "hobbs" });

      if (isEnteredLater) await correct();
      const { data } = expectStatus(200, await released(school, { id }, { on: "2026-06-10" })).body;
      expect(data.release).toMatchObject({ hobbs: "1244.50", landings: 1 });
      if (!isEnteredLater) await correct();
      const due = { due_hours: (Number(to) + 100).toFixed(2), due_landings: 550 };
      const full = { status: "ok", remaining_hours: "100.00", remaining_landings: 500 };
      expect(await itemOf(school, item)).toMatchObject({ ...full, ...due });

      await fly(school, 420, { ...timesOn(11, 420), ...meter(to, (Number(to) + 7).toFixed(2)) });
      const late = await fly(school, 60, { ...timesOn(5, 60), ...meter("1000.00", "1001.00") });
      expectStatus(200, await reverse(school, late));
      const used = { status: "ok", remaining_hours: "93.00", remaining_landings: 499 };
      const done = { last_done_hobbs: "1244.50", last_done_landings: 1 };
      expect(await itemOf(school, item)).toMatchObject({ ...done, ...used, ...due });
      expect((await orderOf(school, { id })).release).toMatchObject({ hobbs: "1244.50", landings: 1 });
    }
});

test("a correction changes neither what the clearance finds to be due nor what it does not", async () => {
  const school = await newSchool();
  const { owner, student, aircraftId } = school;
  const item = await addItem(school, { interval_landings: 5, last_done_landings: 0, upcoming_landings: 0 });
  const correct = async (landings: number) => {
    const counters = { landings, reason: "Counted from the logbooks." };
    expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { counters }));
  };
  const due = async () => {
    const query = `aircraft_id=${aircraftId}&person_id=${student.personId}&function=solo&at=2026-06-15T08:00:00Z`;
    const { reasons } = expectStatus(200, await owner.get(`/clearance?${query}`)).body.data;
    return reasons.filter(({ rule }: { rule: string }) => rule === "maintenance_due").length;
  };
  await correct(4000);
  expect(await itemOf(school, item)).toMatchObject({ status: "ok", remaining_landings: 5, due_landings: 4005 });
  expect(await due()).toBe(0);
  await fly(school, 30, { day_landings: 6 });
  await correct(0);
  // The reading at which it was due is not on the new counter.
  expect(await itemOf(school, item)).toMatchObject({ status: "overdue", remaining_landings: -1, due_landings: 0 });
  expect(await due()).toBe(1);
});

test("a mechanic reads what the instrument shows, also where the records were put right later", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  await fly(school, 300, { ...timesOn(10, 300), hobbs_start: "1234.50", hobbs_end: "1239.50" });
  const correct = async (readings: object) => {
    const counters = { ...readings, reason: "Read from the instruments." };
    expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { counters }));
  };
  await correct({ hobbs: "1219.50", tacho: "2.00" });
  const { item, id } = await inWork(school, { hours_counter: "hobbs" });
  const refuse = async (hobbs: string, code: string) => {
    const { issues } = expectStatus(400, await released(school, { id }, { on: "2026-06-10", hobbs })).body;
    expect(issues).toMatchObject([{ path: "body.hobbs", code }]);
  };
  await refuse("1214.49", "too_low");
  await refuse("1219.51", "too_low");
  await refuse("1234.49", "too_low");
  await refuse("1239.51", "too_high");
  // The records were 20 hours too high; the tachometer was exchanged since then.
  const read = { hobbs: "1217.50", tacho: "1100.00" };
  const { data } = expectStatus(200, await released(school, { id }, { on: "2026-06-10", ...read })).body;
  expect(data.release).toMatchObject(read);
  expect(await itemOf(school, item)).toMatchObject({ remaining_hours: "98.00", due_hours: "1317.50" });
  // Putting another reading right leaves it one of the counter as it was corrected.
  expectStatus(200, await owner.patch(`/maintenance/items/${item.id}`, { last_done_landings: 1 }));
  expect(await itemOf(school, item)).toMatchObject({ last_done_hobbs: "1217.50", remaining_hours: "98.00" });

  // Readings of before the records are compared with the counters as they are now.
  const before = { hours_counter: "hobbs", interval_hours: "50.00", last_done_hobbs: "1200.00" };
  const dated = await addItem(school, { name: "Oil", ...before, last_done_on: "2026-05-01" });
  expect(dated).toMatchObject({ remaining_hours: "30.50", last_done_hobbs: "1200.00" });
  expect(await addItem(school, { name: "Undated", ...before })).toMatchObject({ remaining_hours: "30.50" });
  const old = { hours_counter: "tacho", interval_hours: "50.00", last_done_tacho: "1090.00" };
  const tacho = await addItem(school, { name: "Tacho", ...old, last_done_on: "2026-05-01" });
  expect(tacho).toMatchObject({ remaining_hours: "40.00", due_hours: "42.00" });
  await correct({ hobbs: "5.00", tacho: "1000.00" });
  expect(await itemOf(school, dated)).toMatchObject({ remaining_hours: "30.50", due_hours: "35.50" });
  expect(await itemOf(school, tacho)).toMatchObject({ remaining_hours: "40.00", due_hours: "1040.00" });
  // What is put right is a reading of the present instrument.
  const right = { last_done_tacho: "980.00" };
  const changed = expectStatus(200, await owner.patch(`/maintenance/items/${tacho.id}`, right)).body.data;
  expect(changed).toMatchObject({ remaining_hours: "30.00", last_done_tacho: "980.00", last_done_on: "2026-05-01" });
});

test("an instrument that is exchanged on the day of the release may be read before and after that", async () => {
  const school = await newSchool();
  const { owner, aircraftId } = school;
  await fly(school, 60, { ...timesOn(14, 60, "05:00"), tacho_start: "1100.00", tacho_end: "1101.00" });
  const counters = { tacho: "0.00", reason: "Another instrument." };
  expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { counters }));
  for (const [tacho, remaining] of [
    ["1100.40", "99.40"],
    ["0.00", "100.00"],
  ]) {
    const { item, id } = await inWork(school, { name: `At ${tacho}`, hours_counter: "tacho" });
    expectStatus(400, await released(school, { id }, { tacho: "1101.01" }));
    expectStatus(400, await released(school, { id }, { tacho: "0.01" }));
    expect(expectStatus(200, await released(school, { id }, { tacho })).body.data.release).toMatchObject({ tacho });
    expect(await itemOf(school, item)).toMatchObject({ last_done_tacho: tacho, remaining_hours: remaining });
  }
});

test("between two exchanges the instrument is the one between them", async () => {
  const first = await newOwnSchool();
  const { aircraftId, installation } = first;
  const exchange = async ({ owner }: School, tacho: string) =>
    expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { counters: { tacho, reason: "Exchanged." } }));
  await exchange(first, "0.00");
  installation.clock.advance(days(4));
  const school = Object.assign(first, { owner: await first.owner.signedInAgain() });
  await exchange(school, "500.00");
  const { item, id } = await inWork(school, { hours_counter: "tacho" });

  expectStatus(400, await released(school, { id }, { on: "2026-06-16", tacho: "1.00" }));
  expectStatus(200, await released(school, { id }, { on: "2026-06-16", tacho: "0.00" }));
  expect(await itemOf(school, item)).toMatchObject({ last_done_tacho: "0.00", remaining_hours: "100.00" });
});

test("a school that moves to another time zone moves no release and no item", async () => {
  const school = await newSchool();
  const { owner } = school;
  expectStatus(200, await owner.patch("", { time_zone: "Pacific/Auckland" }));
  await flyOn(school, 10, 120, "08:00"); // ends at 22:00 in Auckland
  await flyOn(school, 11, 180, "02:00");
  await flyOn(school, 11, 240, "10:00");
  const { item, id } = await inWork(school);
  expectStatus(200, await released(school, { id }, { on: "2026-06-10" }));
  const marked = await addItem(school, { name: "Oil", interval_hours: "50.00" });
  const done = { last_done_by: "Max", last_done_on: "2026-06-10" };
  expectStatus(200, await owner.post(`/maintenance/items/${marked.id}/done`, done));
  const expectRemaining = async (hours: number) => {
    const readings = readingsAt(opening + 120, 1);
    expect(await itemOf(school, item)).toMatchObject({ ...readings, remaining_hours: `${hours}.00` });
    expect(await itemOf(school, marked)).toMatchObject({ ...readings, remaining_hours: `${hours - 50}.00` });
    expect((await orderOf(school, { id })).release).toMatchObject({ airframe_minutes: opening + 120, landings: 1 });
  };
  await expectRemaining(93);

  expectStatus(200, await owner.patch("", { time_zone: "America/Los_Angeles" }));
  await flyOn(school, 12, 60, "10:00");
  await expectRemaining(92);
  expectStatus(200, await reverse(school, await flyOn(school, 9, 60, "10:00")));
  await expectRemaining(92);
  // Its day ended at 12:00 in UTC.
  const after = await flyOn(school, 10, 60, "11:01");
  await expectRemaining(91);
  expectStatus(200, await reverse(school, after));
  expectStatus(200, await owner.patch("", { time_zone: "Pacific/Kiritimati" }));
  const before = await flyOn(school, 10, 60, "11:00");
  expect(await itemOf(school, item)).toMatchObject({ ...readingsAt(opening + 180, 2), remaining_hours: "92.00" });
  expectStatus(200, await reverse(school, before));
  await expectRemaining(92);
});

test("a reading of a day is put right within that day, in the time zone in which it was entered", async () => {
  const school = await newSchool();
  const { owner } = school;
  expectStatus(200, await owner.patch("", { time_zone: "Pacific/Kiritimati" }));
  await flyOn(school, 10, 60, "08:00");
  await flyOn(school, 10, 30, "10:10"); // the day ended at 10:00 in UTC
  const item = await addItem(school, { interval_hours: "10.00", last_done_on: "2026-06-10" });
  expectStatus(200, await owner.patch("", { time_zone: "Pacific/Pago_Pago" })); // where it begins at 11:00
  const change = (last_done_airframe_minutes: number) =>
    owner.patch(`/maintenance/items/${item.id}`, { last_done_airframe_minutes });
  expectStatus(400, await change(opening - 1));
  expectStatus(400, await change(opening + 61));
  const { data } = expectStatus(200, await change(opening + 30)).body;
  expect(data).toMatchObject({ remaining_hours: "9.00", last_done_landings: 1, last_done_on: "2026-06-10" });
});

test("the hours since a release are the same when a flight from before an exchange of the instrument is reversed", async () => {
  const school = await newOwnSchool();
  const { aircraftId, installation } = school;
  const hobbs = (start: string, end: string) => ({ hobbs_start: start, hobbs_end: end });
  const before = await fly(school, 600, { ...timesOn(9, 600), ...hobbs("1234.50", "1244.50") });
  const { item, id } = await inWork(school, { hours_counter: "hobbs" });
  const counters = { hobbs: "0.00", reason: "Another instrument." };
  expectStatus(200, await school.owner.patch(`/aircraft/${aircraftId}`, { counters }));
  expectStatus(200, await released(school, { id }, {}));
  installation.clock.advance(24 * 3_600_000);
  const owner = await signedIn(school);
  const body = school.flightBody({
    blockMinutes: 720,
    body: { ...timesOn(14, 720, "10:00"), ...hobbs("0.00", "12.00") },
  });
  const { id: since } = expectStatus(201, await owner.post("/flights", body)).body.data;
  expectStatus(200, await owner.post(`/flights/${since}/submit`));
  expectStatus(200, await owner.post(`/flights/${since}/approve`));
  const shown = async () => {
    const { data } = expectStatus(200, await owner.get(`/maintenance/items/${item.id}`)).body;
    const { release } = expectStatus(200, await owner.get(`/maintenance/work-orders/${id}`)).body.data;
    return [data.last_done_hobbs, release.hobbs, data.remaining_hours, data.due_hours];
  };
  expect(await shown()).toEqual(["0.00", "0.00", "88.00", "100.00"]);

  // Now the counter is 10 hours lower, and was below zero at the release.
  expectStatus(200, await owner.post(`/flights/${before}/reverse`, { reason: "Another aircraft." }));
  expect(await shown()).toEqual(["0.00", "0.00", "88.00", "90.00"]);
});

test("what an older version stored with its day only stays at the end of it in the time zone of then", async () => {
  const school = await newSchool();
  const { owner } = school;
  expectStatus(200, await owner.patch("", { time_zone: "Pacific/Pago_Pago" }));
  await flyOn(school, 9, 60);
  const { item, id } = await inWork(school);
  expectStatus(200, await released(school, { id }, { on: "2026-06-10" }));
  await tenantOf(school).write(async (tx) => {
    await tx.update(maintenanceItems).set({ last_done_at: null });
    await tx.update(workOrders).set({ release_at: null });
    await tx.update(meta).set({ zone_of_dates: "Pacific/Pago_Pago" });
  });
  expectStatus(200, await owner.patch("", { time_zone: "Pacific/Kiritimati" }));
  await flyOn(school, 11, 60, "10:01"); // the day ended at 11:00 in UTC
  expect(await itemOf(school, item)).toMatchObject({ ...readingsAt(opening + 60, 1), remaining_hours: "99.00" });
  await flyOn(school, 11, 60, "09:00");
  expect(await itemOf(school, item)).toMatchObject({ ...readingsAt(opening + 120, 2), remaining_hours: "99.00" });
  expect((await orderOf(school, { id })).release).toMatchObject({ airframe_minutes: opening + 120, landings: 2 });
  // A reading of that day is compared with the counters of then, and stays there.
  const change = { last_done_airframe_minutes: opening + 90 };
  const { data } = expectStatus(200, await owner.patch(`/maintenance/items/${item.id}`, change)).body;
  expect(data).toMatchObject({ last_done_landings: 2, remaining_hours: "98.50" });
  await flyOn(school, 10, 30, "10:00");
  expect(await itemOf(school, item)).toMatchObject({ last_done_landings: 3, remaining_hours: "98.00" });
});

test("a release keeps its counters, and its item counts, when the flight before it is reversed", async () => {
  const school = await newSchool();
  const { owner } = school;
  const first = await flyOn(school, 5, 120);
  const { item, id } = await inWork(school);
  expectStatus(200, await released(school, { id }, { on: "2026-06-06" }));
  const dated = await addItem(school, { name: "Dated", interval_hours: "50.00", last_done_on: "2026-06-06" });
  const expectCounted = async (minutes: number, landings: number, remaining: string) => {
    const read = { airframe_minutes: minutes, landings, hobbs: "1234.50", tacho: "1100.00" };
    expect((await orderOf(school, { id })).release).toMatchObject(read);
    const found = await itemOf(school, item);
    expect(found).toMatchObject({ ...readingsAt(minutes, landings), status: "ok", remaining_hours: remaining });
  };
  await expectCounted(opening + 120, 1, "100.00");

  expectStatus(200, await reverse(school, first));
  await expectCounted(opening, 0, "100.00");
  expect(await itemOf(school, dated)).toMatchObject({ ...readingsAt(opening, 0), remaining_hours: "50.00" });
  await flyOn(school, 12, 120);
  await expectCounted(opening, 0, "98.00");
  // Putting one reading right leaves the others known.
  const change = async (body: object) =>
    expectStatus(200, await owner.patch(`/maintenance/items/${dated.id}`, body)).body.data;
  const right = await change({ last_done_hobbs: "1234.00" });
  expect(right).toMatchObject({ last_done_airframe_minutes: opening, remaining_hours: "48.00" });
  await flyOn(school, 4, 60);
  await expectCounted(opening + 60, 1, "98.00");
  expect(await itemOf(school, dated)).toMatchObject({ last_done_hobbs: "1234.00", remaining_hours: "48.00" });
});

test("an item that is changed by hand gets the readings of its day, too", async () => {
  const school = await newSchool();
  const { owner } = school;
  await flyOn(school, 9, 60);
  await flyOn(school, 11, 30);
  const change = async (item: { id: string }, body: object, status = 200) =>
    expectStatus(status, await owner.patch(`/maintenance/items/${item.id}`, body)).body;

  const created = await addItem(school, { interval_hours: "10.00", last_done_on: "2026-06-10" });
  expect(created).toMatchObject({ ...readingsAt(opening + 60, 1), remaining_hours: "9.50" });
  const done = { last_done_by: "Max", last_done_on: "2026-06-09", last_done_landings: null };
  const marked = expectStatus(200, await owner.post(`/maintenance/items/${created.id}/done`, done)).body.data;
  expect(marked).toMatchObject({ last_done_airframe_minutes: opening + 60, last_done_landings: null });

  const item = await addItem(school, { interval_hours: "10.00" });
  expect(item).toMatchObject({ last_done_airframe_minutes: null, status: "overdue" });
  const { data: dated } = await change(item, { last_done_on: "2026-06-10" });
  expect(dated).toMatchObject({ ...readingsAt(opening + 60, 1), remaining_hours: "9.50" });
  const { issues: above } = await change(item, { last_done_airframe_minutes: opening + 61 }, 400);
  expect(above).toMatchObject([{ path: "body.last_done_airframe_minutes", code: "too_high" }]);
  const { issues: below } = await change(item, { last_done_airframe_minutes: opening + 59 }, 400);
  expect(below).toMatchObject([{ path: "body.last_done_airframe_minutes", code: "too_low" }]);
  expect((await change(item, { last_done_on: "2026-06-11" })).data).toMatchObject({ remaining_hours: "10.00" });
  // Before the records, only what somebody read is known.
  const { data: known } = await change(item, { last_done_on: "2026-05-01", last_done_airframe_minutes: opening - 60 });
  expect(known).toMatchObject({ last_done_airframe_minutes: opening - 60, remaining_hours: "7.50" });
  const { issues } = await change(item, { last_done_airframe_minutes: opening + 1 }, 400);
  expect(issues).toMatchObject([{ path: "body.last_done_airframe_minutes", code: "too_high" }]);
  // Without a date, the readings stay.
  expect((await change(item, { last_done_on: null })).data).toMatchObject({ last_done_airframe_minutes: opening - 60 });
  await flyOn(school, 8, 60);
  expect(await itemOf(school, item)).toMatchObject({
    last_done_airframe_minutes: opening - 60,
    remaining_hours: "6.50",
  });
});
