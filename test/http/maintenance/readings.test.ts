/** Work that is entered later counts from the counters of its day, whatever is approved, reversed or corrected afterwards. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, newSchool, type School } from "../../support/school.ts";
import { addItem, fly, itemOf } from "./maintaining.ts";

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

const by = { by: "Max Mechanic", licence_number: "DE.66.4711" };

const release = (school: School, { id }: { id: string }, body: object) =>
  school.owner.post(`/maintenance/work-orders/${id}/complete`, { ...by, ...body });

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

  const { data } = expectStatus(200, await release(school, { id }, { on: "2026-06-10" })).body;

  const counters = { hobbs: "1234.50", tacho: "1100.00", airframe_minutes: opening + 90, landings: 2 };
  expect(data.release).toEqual({ ...by, on: "2026-06-10", ...counters });
  expect(await itemOf(school, item)).toMatchObject({
    ...readingsAt(opening + 90, 2),
    ...{ last_done_on: "2026-06-10", status: "overdue", past_tolerance: true },
    ...{ remaining_hours: "-4.00", remaining_landings: 497 },
  });
  expect((await school.aircraft()).status).toBe("grounded");
});

test("a release of today has the counters of its moment: flights that end later count, also on that day", async () => {
  const school = await newSchool(await newInstallation());
  const { clock } = school.installation;
  await fly(school, 60);
  const { item, id } = await inWork(school);
  const { data } = expectStatus(200, await release(school, { id }, {})).body;
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
  expectStatus(200, await release(school, { id }, { on: "2026-06-10" }));
  expect(await itemOf(school, item)).toMatchObject({
    last_done_airframe_minutes: opening + 120,
    remaining_landings: 499,
  });

  const other = await inWork(school, { name: "Oil" });
  await flyOn(school, 11, 61, "21:00"); // ends a minute after midnight
  expectStatus(200, await release(school, other, { on: "2026-06-11" }));
  expect(await itemOf(school, other.item)).toMatchObject({ remaining_landings: 499, remaining_hours: "98.98" });
});

test("flights that are approved or reversed after the release leave the hours since then as they are", async () => {
  const school = await newSchool();
  await flyOn(school, 8, 60);
  const wrong = await flyOn(school, 9, 120);
  const { item, id } = await inWork(school);
  const since = await flyOn(school, 11, 90);
  expectStatus(200, await release(school, { id }, { on: "2026-06-10" }));
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
    ["airframe_minutes", "too_small", { airframe_minutes: opening + 59 }],
    ["airframe_minutes", "too_big", { airframe_minutes: opening + 181 }],
    ["landings", "too_small", { landings: 0 }],
    ["landings", "too_big", { landings: 3 }],
    ["hobbs", "too_small", { hobbs: "1234.49" }],
    ["hobbs", "too_big", { hobbs: "1236.51" }],
    ["tacho", "too_big", { tacho: "1100.01" }],
  ];
  for (const [path, code, body] of refused) {
    const { issues } = expectStatus(400, await release(school, { id }, { on: "2026-06-10", ...body })).body;
    expect(issues).toEqual([{ path: `body.${path}`, code, message: expect.any(String) }]);
  }

  const given = { airframe_minutes: opening + 100, landings: 1, hobbs: "1236.00" };
  const { data } = expectStatus(200, await release(school, { id }, { on: "2026-06-10", ...given })).body;
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
    const { issues } = expectStatus(400, await release(school, { id }, { on })).body;
    expect(issues).toMatchObject([{ path: "body.on", code }]);
    const done = await school.owner.post(`/maintenance/items/${item.id}/done`, {
      last_done_by: "Max",
      last_done_on: on,
    });
    expect(expectStatus(400, done).body.issues).toMatchObject([{ path: "body.last_done_on", code }]);
  };
  await refuse("2026-06-15", "too_big");
  await refuse("2026-06-13", "too_small"); // the aircraft was added on the 14th

  const first = await flyOn(school, 10, 60);
  await refuse("2026-06-08", "too_small");
  expectStatus(200, await reverse(school, first));
  await refuse("2026-06-09", "too_small");
  await flyOn(school, 10, 60);
  const { data } = expectStatus(200, await release(school, { id }, { on: "2026-06-09" })).body;
  expect(data.release).toMatchObject({ airframe_minutes: opening, landings: 0 });
  expect(await itemOf(school, item)).toMatchObject({ remaining_hours: "99.00" });
});

test("a correction counts from its moment", async () => {
  const school = await newSchool();
  await flyOn(school, 9, 60);
  const first = await inWork(school);
  const counters = { landings: 41, tacho: "3.00", reason: "Counted from the logbooks; the tachometer was replaced." };
  expectStatus(200, await school.owner.patch(`/aircraft/${school.aircraftId}`, { counters }));

  const { data } = expectStatus(200, await release(school, first, { on: "2026-06-10" })).body;
  expect(data.release).toMatchObject({ landings: 1, tacho: "1100.00" });
  expect(await itemOf(school, first.item)).toMatchObject({ remaining_landings: 460, remaining_hours: "100.00" });
  // Work by the tachometer has to be put right by hand, as after each replacement.
  const tacho = { name: "Oil", hours_counter: "tacho", interval_hours: "50.00", last_done_on: "2026-06-10" };
  const oil = await addItem(school, tacho);
  expect(oil).toMatchObject({
    last_done_tacho: "1100.00",
    status: "overdue",
    past_tolerance: false,
    remaining_hours: null,
  });
  const right = await school.owner.patch(`/maintenance/items/${oil.id}`, { last_done_tacho: "0.00" });
  expect(expectStatus(200, right).body.data).toMatchObject({ status: "ok", remaining_hours: "47.00" });
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
  expect(above).toMatchObject([{ path: "body.last_done_airframe_minutes", code: "too_big" }]);
  const { issues: below } = await change(item, { last_done_airframe_minutes: opening + 59 }, 400);
  expect(below).toMatchObject([{ path: "body.last_done_airframe_minutes", code: "too_small" }]);
  expect((await change(item, { last_done_on: "2026-06-11" })).data).toMatchObject({ remaining_hours: "10.00" });
  // Before the records, only what somebody read is known.
  const { data: known } = await change(item, { last_done_on: "2026-05-01", last_done_airframe_minutes: opening - 60 });
  expect(known).toMatchObject({ last_done_airframe_minutes: opening - 60, remaining_hours: "7.50" });
  const { issues } = await change(item, { last_done_airframe_minutes: opening + 1 }, 400);
  expect(issues).toMatchObject([{ path: "body.last_done_airframe_minutes", code: "too_big" }]);
  // Without a date, the readings stay.
  expect((await change(item, { last_done_on: null })).data).toMatchObject({ last_done_airframe_minutes: opening - 60 });
  await flyOn(school, 8, 60);
  expect(await itemOf(school, item)).toMatchObject({
    last_done_airframe_minutes: opening - 60,
    remaining_hours: "6.50",
  });
});

const step = fc.record({
  kind: fc.constantFrom("fly", "fly", "fly", "reverse", "release", "release", "read", "done", "correct"),
  /** Of three hours. */
  slot: fc.integer({ min: 1, max: 100 }),
  minutes: fc.integer({ min: 1, max: 170 }),
  /** Of the interval of readings that fit, in per cent. */
  part: fc.nat({ max: 100 }),
});

interface Flown {
  id: string;
  ends: number;
  minutes: number;
}

/** The first flight begins on 1 June, so the records begin on 31 May. */
const begin = Date.parse("2026-06-01T00:10:00Z");
const slotAt = (slot: number) => begin + slot * 3 * 3_600_000;

/** In Berlin, in summer. */
const endOfDay = (date: string) => Date.parse(`${date}T22:00:00Z`);
const dateAt = (at: number) => new Date(at + 2 * 3_600_000).toISOString().slice(0, 10);

test("the hours since a release are those of the flights after its day, in whatever order all of it is entered", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
      const school = await newSchool(await newInstallation());
      const { owner, aircraftId, installation } = school;
      const { clock } = installation;
      const flights: Flown[] = [];
      const corrections: { at: number; minutes: number }[] = [];
      const taken = new Set<number>();
      const flyIn = async (slot: number, minutes: number) => {
        taken.add(slot);
        const ends = slotAt(slot) + minutes * 60_000;
        const times = { off_block_at: new Date(slotAt(slot)).toISOString(), on_block_at: new Date(ends).toISOString() };
        flights.push({ id: await fly(school, minutes, times), ends, minutes });
      };
      const sum = (list: { minutes: number }[]) => list.reduce((total, { minutes }) => total + minutes, 0);
      const countersBy = (at: number) =>
        opening + sum(flights.filter(({ ends }) => ends <= at)) + sum(corrections.filter((one) => one.at <= at));
      /** The moment of what was done last, and what was read. */
      let last: { moment: number; date: string; reading: number } | undefined;

      await flyIn(0, 60);
      const item = await addItem(school, { interval_hours: "5000.00" });
      for (const { kind, slot, minutes, part } of steps) {
        clock.advance(1000);
        const now = clock.now().getTime();
        const date = dateAt(slotAt(slot));
        const moment = date === dateAt(now) ? now : endOfDay(date);
        if (kind === "fly" && !taken.has(slot)) await flyIn(slot, minutes);
        else if (kind === "reverse" && flights.length > 1) {
          const [flight] = flights.splice(1 + (slot % (flights.length - 1)), 1);
          if (flight) expectStatus(200, await reverse(school, flight.id));
        } else if (kind === "correct") {
          const airframe_minutes = countersBy(now) + minutes;
          const counters = { airframe_minutes, reason: "Flights that were forgotten." };
          expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { counters }));
          corrections.push({ at: now, minutes });
        } else if (kind === "done") {
          const body = { last_done_by: "Max", last_done_on: date };
          expectStatus(200, await owner.post(`/maintenance/items/${item.id}/done`, body));
          last = { moment, date, reading: Number.POSITIVE_INFINITY };
        } else if (kind === "release" || kind === "read") {
          const order = { aircraft_id: aircraftId, title: "Inspection", item_ids: [item.id] };
          const { id } = expectStatus(201, await owner.post("/maintenance/work-orders", order)).body.data;
          expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/start`));
          const lowest = countersBy(endOfDay(date) - 24 * 3_600_000);
          const airframe_minutes = lowest + Math.floor(((countersBy(moment) - lowest) * part) / 100);
          const read = kind === "read" ? { airframe_minutes } : {};
          expectStatus(200, await release(school, { id }, { on: date, ...read }));
          const reading = kind === "read" ? airframe_minutes : Number.POSITIVE_INFINITY;
          if (last === undefined || date >= last.date) last = { moment, date, reading };
        }
        const counters = countersBy(now);
        expect((await school.aircraft()).airframe_minutes).toBe(counters);
        const { last_done_airframe_minutes, remaining_hours } = await itemOf(school, item);
        if (last === undefined) {
          expect(last_done_airframe_minutes).toBeNull();
          continue;
        }
        const doneAt = Math.min(last.reading, countersBy(last.moment));
        expect(last_done_airframe_minutes).toBe(doneAt);
        const hundredths = 500_000 - ((counters - doneAt) * 100) / 60;
        expect(Number(remaining_hours)).toBeCloseTo(Math.floor(Number(hundredths.toFixed(6))) / 100, 6);
        if (last.reading === Number.POSITIVE_INFINITY) {
          const { moment } = last;
          const after = (at: number) => at > moment;
          const flownSince =
            sum(flights.filter(({ ends }) => after(ends))) + sum(corrections.filter(({ at }) => after(at)));
          expect(counters - doneAt).toBe(flownSince);
        }
      }
    }),
    { numRuns: 25 },
  );
}, 120_000);
