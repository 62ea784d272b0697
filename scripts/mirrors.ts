/**
 * Eight writers change what the public lists show, while a reader keeps a copy by `updated_since`:
 * `bun scripts/mirrors.ts [seconds=60] [seed]`. Whenever the writers rest, the copy must be equal to the lists. Exits with 1 if
 * it is not.
 */
import { performance } from "node:perf_hooks";
import process from "node:process";
import { yieldToEventLoop } from "../src/core/async.ts";
import { newInstallation } from "../test/support/installation.ts";
import { newMirror } from "../test/support/mirror.ts";
import { expectStatus, newSchool, times } from "../test/support/school.ts";

interface Report {
  changes: number;
  /** How often the copy was compared with the lists. */
  comparisons: number;
  items: Record<string, number>;
  /** What must not be; empty when all is well. */
  differences: object[];
}

const writers = 8;
/** Between two comparisons. */
const changesOfWriter = 12;

export async function mirrorUnderLoad({ seconds, seed }: { seconds: number; seed: number }): Promise<Report> {
  const installation = await newInstallation({ env: { WINDSOCK_API_KEY_RATE: "999999" } });
  const school = await newSchool(installation);
  const { owner, instructor, clock } = { ...school, clock: installation.clock };
  const random = randomFrom(seed);
  const oneOf = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
  const people = [school.student.personId];
  const aircraft = [school.aircraftId];
  const flights: string[] = [];
  const sessions: string[] = [];
  const orders: string[] = [];
  const rooms: string[] = [];
  const kept = async (list: string[], answer: ReturnType<typeof owner.post>) => {
    const { status, body } = await answer;
    if (status === 201) list.push(body.data.id);
    return { status };
  };
  const name = () => `Name ${Math.floor(random() * 1e9)}`;
  const types = () => oneOf([["student"], ["pilot"], ["staff"], ["instructor", "staff"]]) ?? [];
  let hour = 0;
  const hours = () => {
    hour += 2;
    return {
      start_at: new Date(clock.now().getTime() + hour * 3_600_000).toISOString(),
      end_at: new Date(clock.now().getTime() + (hour + 1) * 3_600_000).toISOString(),
    };
  };
  let flown = 0;
  const flight = () => {
    flown += 1;
    const off = Date.parse("2026-06-01T00:00:00Z") - flown * 3_600_000;
    return school.flightBody({
      body: {
        aircraft_id: oneOf(aircraft),
        crew: [{ person_id: oneOf(people), function: "pic" }],
        off_block_at: new Date(off).toISOString(),
        on_block_at: new Date(off + 1_800_000).toISOString(),
      },
    });
  };

  const changes: (() => Promise<{ status: number }>)[] = [
    () => kept(people, owner.post("/people", { name: name(), types: types() })),
    () => owner.patch(`/people/${oneOf(people)}`, { name: name() }),
    () => owner.patch(`/people/${oneOf(people)}`, { types: types() }),
    () => owner.patch(`/people/${oneOf(people)}`, { status: oneOf(["archived", "active"]) }),
    () => owner.patch(`/aircraft/${oneOf(aircraft)}`, { registration: `D-E${Math.floor(random() * 1e6)}` }),
    () => kept(flights, owner.post("/flights", flight())),
    () => owner.post(`/flights/${oneOf(flights)}/submit`),
    () => instructor.post(`/flights/${oneOf(flights)}/approve`),
    () => instructor.post(`/flights/${oneOf(flights)}/reject`, { reason: name() }),
    () => owner.post(`/flights/${oneOf(flights)}/reverse`, { reason: name() }),
    () => kept(orders, owner.post("/maintenance/work-orders", { aircraft_id: oneOf(aircraft), title: name() })),
    () => owner.post(`/maintenance/work-orders/${oneOf(orders)}/start`),
    () => kept(rooms, owner.post("/planning/rooms", { name: name() })),
    () => owner.patch(`/planning/rooms/${oneOf(rooms)}`, { name: name() }),
    () =>
      kept(
        sessions,
        owner.post("/planning/sessions", { kind: "ground", title: name(), room_id: oneOf(rooms), ...hours() }),
      ),
    () => owner.post(`/planning/sessions/${oneOf(sessions)}/cancel`, { reason: "weather" }),
  ];

  const mirror = await newMirror(school);
  const report: Report = { changes: 0, comparisons: 0, items: {}, differences: [] };
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end && report.differences.length === 0) {
    let writing = true;
    const reader = async () => {
      // Without a turn of their own, the requests of the writers would wait for ever.
      for (; writing; await yieldToEventLoop()) await mirror.refresh();
    };
    const writer = async () => {
      for (let made = 0; made < changesOfWriter; ) {
        // Mostly at one instant, and sometimes before the last one: as clocks are set.
        clock.advance(oneOf([0, 0, 0, 1, 2, -1]) ?? 0);
        const { status } = (await oneOf(changes)?.()) ?? { status: 0 };
        if (status >= 500) throw new Error(`A change got ${status}.`);
        made += 1;
        if (status < 300) report.changes += 1;
      }
    };
    const reading = reader();
    await Promise.all(times(writers, writer));
    writing = false;
    await reading;
    await mirror.refresh();
    report.differences.push(...(await mirror.differences()));
    report.comparisons += 1;
  }
  report.items = Object.fromEntries(mirror.paths.map((path) => [path, mirror.size(path)]));
  expectStatus(200, await owner.get("/people?limit=1"));
  await installation.close();
  return report;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

if (import.meta.main) {
  const [seconds = 60, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
  const report = await mirrorUnderLoad({ seconds, seed });
  console.log(JSON.stringify({ seed, ...report }, null, 2));
  process.exit(report.differences.length === 0 ? 0 : 1);
}
