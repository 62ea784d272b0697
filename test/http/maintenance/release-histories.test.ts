/** The hours since a release, or a deferral, are those of the flights since then, whatever is approved, reversed or corrected, and when. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { release as certificate } from "../../support/release.ts";
import { expectStatus, newOwnSchool } from "../../support/school.ts";
import { addItem, signedIn } from "./maintaining.ts";
import { type Counters, type Flown, names, ReleaseHistory } from "./release-history.ts";

/** Of the aircraft of `newSchool`. */
const opening: Counters = { hobbs: 123_450, airframe_minutes: 74_070, landings: 0 };

const step = fc.record({
  kind: fc.constantFrom(
    "fly",
    "fly",
    "fly",
    "reverse",
    "reverse",
    "release",
    "release",
    "read",
    "done",
    "defer",
    "correct",
    "day",
  ),
  /** Of three hours, counted back from now. */
  slot: fc.nat({ max: 24 }),
  minutes: fc.integer({ min: 1, max: 170 }),
  landings: fc.nat({ max: 9 }),
  counter: fc.constantFrom(...names),
  /** Up or down by so much; or the instrument was exchanged for one that shows so much. */
  by: fc.integer({ min: -3000, max: 3000 }),
  exchanged: fc.boolean(),
  daysAgo: fc.nat({ max: 3 }),
  /** Of the interval of readings that fit, in per cent. */
  part: fc.nat({ max: 100 }),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** After some of the steps, the school moves to another time zone. */
const story = fc.record({
  steps: fc.array(step, { minLength: 8, maxLength: 18 }),
  movesAfter: fc.integer({ min: 3, max: 9 }),
  zone: fc.constantFrom("Pacific/Auckland", "America/Los_Angeles"),
});

const hour = 3_600_000;
const begin = Date.parse("2026-06-08T00:10:00Z");
const interval = { hours: 500_000, landings: 5000 };

const hundredths = (text: string) => Number(text.replace(".", ""));
const reading = (value: number) => (value / 100).toFixed(2);
const onWire = (counters: Partial<Counters>) => ({
  ...counters,
  ...(counters.hobbs !== undefined && { hobbs: reading(counters.hobbs) }),
});
const atLeastZero = (counters: Counters): Counters => ({
  hobbs: Math.max(0, counters.hobbs),
  airframe_minutes: Math.max(0, counters.airframe_minutes),
  landings: Math.max(0, counters.landings),
});

/** A school, the history that its records must equal, and what moves both. */
async function newStory() {
  const school = await newOwnSchool();
  const { aircraftId, installation } = school;
  const { clock } = installation;
  const now = () => clock.now().getTime();
  const history = new ReleaseHistory(opening, now());
  let owner = await signedIn(school);
  const hours = { interval_hours: reading(interval.hours) };
  const items = [
    await addItem(school, { name: "Airframe", ...hours }),
    await addItem(school, { name: "Hobbs", hours_counter: "hobbs", ...hours }),
    await addItem(school, { name: "Landings", interval_landings: interval.landings }),
  ];

  const defects = `/aircraft/${aircraftId}/defects`;
  const defectId = expectStatus(201, await owner.post(defects, { description: "Left brake drags." })).body.data.id;

  async function fly({ slot, minutes, landings }: Step): Promise<void> {
    const last = Math.floor((now() - begin) / (3 * hour)) - 1;
    const starts = begin + (last - (slot % last)) * 3 * hour;
    if (history.flights.some((one) => one.starts === starts)) return;
    const ends = starts + minutes * 60_000;
    const hobbs = Math.floor((minutes * 110) / 60);
    const body = {
      ...{ off_block_at: new Date(starts).toISOString(), on_block_at: new Date(ends).toISOString() },
      ...{ hobbs_start: "1234.50", hobbs_end: reading(123_450 + hobbs), day_landings: landings },
    };
    const { id } = expectStatus(201, await owner.post("/flights", school.flightBody({ body }))).body.data;
    expectStatus(200, await owner.post(`/flights/${id}/submit`));
    const acknowledge = ["aircraft_grounded", "maintenance_due"];
    expectStatus(200, await owner.post(`/flights/${id}/approve`, { acknowledge }));
    history.flights.push({ id, starts, ends, hobbs, airframe_minutes: minutes, landings });
  }

  async function reverse({ slot }: Step): Promise<void> {
    const flight: Flown | undefined = history.flights[slot % (history.flights.length || 1)];
    if (flight === undefined) return;
    const answer = await owner.post(`/flights/${flight.id}/reverse`, { reason: "Another aircraft." });
    const counters = history.counters();
    if (names.some((name) => counters[name] < flight[name])) return void expectStatus(409, answer);
    expectStatus(200, answer);
    history.flights = history.flights.filter((one) => one !== flight);
  }

  async function correct({ counter, by, exchanged }: Step): Promise<void> {
    const before = history.counters();
    const after = { ...before, [counter]: Math.max(0, exchanged ? Math.abs(by) : before[counter] + by) };
    const counters = { ...onWire({ [counter]: after[counter] }), reason: "Read from the instrument." };
    expectStatus(200, await owner.patch(`/aircraft/${aircraftId}`, { counters }));
    const added = { hobbs: 0, airframe_minutes: 0, landings: 0, [counter]: after[counter] - before[counter] };
    history.corrections.push({ ...added, at: now() });
  }

  async function release({ daysAgo, kind, counter, part }: Step): Promise<void> {
    const on = Temporal.PlainDate.from(history.dateAt(now())).subtract({ days: daysAgo }).toString();
    const moment = history.momentOf(on, now());
    const corrected = history.correctedBy(moment);
    const highest = history.countersAt(moment, corrected)[counter];
    const lowest = Math.max(0, history.countersAt(history.startOf(on), corrected)[counter]);
    const read = lowest + Math.floor(((highest - lowest) * part) / 100);
    const given = kind === "read" && highest >= lowest ? { [counter]: read } : {};
    const done = { on, moment, corrected, given };
    if (kind === "done") {
      const body = { last_done_by: "Max Mechanic", last_done_on: on };
      const isRecorded = on >= history.begin();
      for (const { id } of items)
        expectStatus(isRecorded ? 200 : 400, await owner.post(`/maintenance/items/${id}/done`, body));
      if (isRecorded) history.last = done;
      return;
    }
    const order = { aircraft_id: aircraftId, title: "Inspection", item_ids: items.map(({ id }) => id) };
    const { id } = expectStatus(201, await owner.post("/maintenance/work-orders", order)).body.data;
    expectStatus(200, await owner.post(`/maintenance/work-orders/${id}/start`));
    const body = { ...certificate, on, ...onWire(given) };
    const answer = await owner.post(`/maintenance/work-orders/${id}/complete`, body);
    if (on < history.begin()) return void expectStatus(400, answer);
    expectStatus(200, answer);
    history.releases.push({ id, ...done });
    if (history.last === undefined || on >= history.last.on) history.last = done;
  }

  async function defer({ minutes }: Step): Promise<void> {
    const limit = { reason: "The part is ordered.", hours: reading(Math.ceil((minutes * 100) / 60)) };
    expectStatus(200, await owner.post(`${defects}/${defectId}/defer`, limit));
    history.deferral = { moment: now(), minutes };
  }

  async function take(one: Step): Promise<void> {
    clock.advance(1000);
    if (one.kind === "fly") await fly(one);
    else if (one.kind === "reverse") await reverse(one);
    else if (one.kind === "correct") await correct(one);
    else if (one.kind === "defer") await defer(one);
    else if (one.kind === "day") {
      clock.advance(24 * hour);
      owner = await signedIn(school);
    } else await release(one);
  }

  async function move(zone: string): Promise<void> {
    expectStatus(200, await owner.patch("", { time_zone: zone }));
    history.zone = zone;
  }

  async function compare(): Promise<void> {
    const get = async (path: string) => expectStatus(200, await owner.get(path)).body.data;
    const counters = history.counters();
    const remaining = history.deferral && history.remainingOf(history.deferral);
    const status = remaining !== undefined && remaining < 0 ? "grounded" : "available";
    expect(await get(`/aircraft/${aircraftId}`)).toMatchObject({ ...onWire(counters), status });
    const limit = remaining === undefined ? null : Math.max(0, counters.airframe_minutes + remaining);
    expect((await get(`${defects}/${defectId}`)).deferred_until_airframe_minutes).toBe(limit);
    for (const release of history.releases) {
      const { release: shown } = await get(`/maintenance/work-orders/${release.id}`);
      expect({ ...shown, hobbs: hundredths(shown.hobbs) }).toMatchObject(atLeastZero(history.readingsOf(release)));
    }
    if (history.last === undefined) return;
    const readings = atLeastZero(history.readingsOf(history.last));
    const used = history.usedSince(history.last);
    const [airframe, hobbs, landings] = await Promise.all(items.map(({ id }) => get(`/maintenance/items/${id}`)));
    expect({
      ...{ hobbs: hundredths(hobbs.last_done_hobbs), airframe_minutes: airframe.last_done_airframe_minutes },
      landings: landings.last_done_landings,
    }).toEqual(readings);
    const usedAirframe = (used.airframe_minutes * 100) / 60;
    expect({
      airframe: airframe.remaining_hours,
      hobbs: hobbs.remaining_hours,
      landings: landings.remaining_landings,
      // A correction moves the reading at which an item is due.
      due: [hobbs.due_hours, landings.due_landings],
    }).toEqual({
      airframe: reading(Math.floor(Number((interval.hours - usedAirframe).toFixed(6)))),
      hobbs: reading(interval.hours - used.hobbs),
      landings: interval.landings - used.landings,
      due: [
        reading(counters.hobbs + interval.hours - used.hobbs),
        counters.landings + interval.landings - used.landings,
      ],
    });
  }

  return { take, move, compare };
}

test("releases, their items and deferrals equal plain sums after any flights, reversals, corrections and a move", async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ steps, movesAfter, zone }) => {
      const { take, move, compare } = await newStory();
      for (const [index, one] of steps.entries()) {
        if (index === movesAfter) await move(zone);
        await take(one);
        await compare();
      }
    }),
    { numRuns: 25 },
  );
}, 300_000);
