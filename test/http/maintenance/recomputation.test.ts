/** Whatever happens to flights and counters: counters and maintenance equal what follows from the flights and corrections. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { toInstant } from "../../../src/core/clock.ts";
import { isId } from "../../../src/core/ids.ts";
import { postedSince } from "../../../src/modules/fleet/counters.queries.ts";
import { assess } from "../../../src/modules/maintenance/assessment/assess.ts";
import { itemsOf } from "../../../src/modules/maintenance/items/items.queries.ts";
import type { Answer } from "../../support/installation.ts";
import { csv, expectStatus, newSchool, type School } from "../../support/school.ts";
import { addItem, tenantOf } from "./maintaining.ts";
import { type Counters, correctedBy, countersAfter, type Entry, type Flown, type Limit, standingOf } from "./oracle.ts";

interface Item {
  body: Record<string, unknown>;
  /** The limit by a counter; one by date is ok on the day of the test. */
  limit: Limit;
}

interface Craft {
  id: string;
  opening: Counters;
  items: Item[];
  history: Entry[];
}

const items: Item[] = [
  {
    body: {
      ...{ name: "Oil", interval_hours: "50.00", tolerance_hours: "5.00", upcoming_hours: "10.00" },
      ...{ critical: true, last_done_airframe_minutes: 72_000 },
    },
    limit: { counter: "airframe_minutes", last: 72_000, interval: 3000, tolerance: 300, upcoming: 600 },
  },
  {
    body: {
      ...{ name: "Tacho", hours_counter: "tacho", interval_hours: "20.00", upcoming_hours: "2.00" },
      ...{ critical: true, last_done_tacho: "1090.00" },
    },
    limit: { counter: "tacho", last: 109_000, interval: 2000, tolerance: 0, upcoming: 200 },
  },
  {
    body: {
      ...{ name: "Hook", interval_landings: 60, tolerance_landings: 10, upcoming_landings: 20 },
      ...{ critical: true, last_done_landings: 0 },
    },
    limit: { counter: "landings", last: 0, interval: 60, tolerance: 10, upcoming: 20 },
  },
  {
    body: {
      ...{ name: "Annual", interval_hours: "60.00", upcoming_hours: "5.00", last_done_airframe_minutes: 71_000 },
      ...{ interval_months: 12, last_done_on: "2025-07-20" },
    },
    limit: { counter: "airframe_minutes", last: 71_000, interval: 3600, tolerance: 0, upcoming: 300 },
  },
];

const itemsOfSimulator: Item[] = [
  {
    body: {
      ...{ name: "Recurrent check", hours_counter: "hobbs", interval_hours: "12.00", upcoming_hours: "4.00" },
      ...{ critical: true, last_done_hobbs: "500.00" },
    },
    limit: { counter: "hobbs", last: 50_000, interval: 1200, tolerance: 0, upcoming: 400 },
  },
  {
    body: { name: "Airframe", interval_hours: "10.00", upcoming_hours: "1.00", last_done_airframe_minutes: 0 },
    limit: { counter: "airframe_minutes", last: 0, interval: 600, tolerance: 0, upcoming: 60 },
  },
];

const move = fc.record({
  flight: fc.nat(),
  move: fc.constantFrom("submit", "approve", "approve", "reject", "reverse", "reverse", "edit", "correct", "import"),
  minutes: fc.integer({ min: 1, max: 900 }),
  landings: fc.nat({ max: 40 }),
});

const nextStatus: Record<string, Record<string, string>> = {
  submitted: { approve: "approved", reject: "rejected", edit: "submitted" },
  rejected: { submit: "submitted", edit: "rejected" },
  approved: { reverse: "reversed" },
  reversed: {},
};

interface Known extends Flown {
  id: string;
  status: string;
  imported: boolean;
  at: Craft;
}

async function addCraft(school: School, id: string, added: Item[]): Promise<Craft> {
  const { hobbs, tacho, airframe_minutes, landings } = expectStatus(200, await school.owner.get(`/aircraft/${id}`)).body
    .data;
  for (const { body } of added) await addItem(school, { aircraft_id: id, ...body });
  const opening = { hobbs: hundredths(hobbs), tacho: hundredths(tacho), airframe_minutes, landings };
  return { id, opening, items: added, history: [] };
}

const hundredths = (text: string) => Number(text.replace(".", ""));
const reading = (value: number) => `${Math.floor(value / 100)}.${String(value % 100).padStart(2, "0")}`;

/** The body of a flight or a session, with the readings of the counters of its aircraft at the beginning of the test. */
function bodyOf(school: School, { at, isSession, minutes, landings, hobbs, tacho }: Omit<Known, "id">) {
  const body = {
    ...{ aircraft_id: at.id, nature: isSession ? "simulator" : null, day_landings: isSession ? 0 : landings },
    ...{ hobbs_start: reading(at.opening.hobbs), hobbs_end: reading(at.opening.hobbs + hobbs) },
    ...{ tacho_start: reading(at.opening.tacho), tacho_end: reading(at.opening.tacho + tacho) },
  };
  return school.flightBody({ blockMinutes: minutes, body });
}

/** The figures of a flight of so many minutes. The hour counters run at their own speed. */
const figures = (isSession: boolean, minutes: number, landings: number): Flown => ({
  ...{ isSession, minutes, landings },
  hobbs: Math.floor((minutes * 100) / 60),
  tacho: isSession ? 0 : Math.floor((minutes * 80) / 60),
});

async function compare(school: School, { id, opening, history, items: all }: Craft) {
  const now = countersAfter(opening, history);
  const corrected = correctedBy(opening, history);
  const shown = expectStatus(200, await school.owner.get(`/aircraft/${id}`)).body.data;
  expect({
    ...{ hobbs: hundredths(shown.hobbs), tacho: hundredths(shown.tacho) },
    ...{ airframe_minutes: shown.airframe_minutes, landings: shown.landings },
  }).toEqual(now);

  if (!isId<"aircraft">(id)) throw new Error("An aircraft has an id.");
  const { recent, rows } = await tenantOf(school).read(async (reader) => ({
    recent: await postedSince(reader, id, toInstant(new Date(0))),
    rows: await itemsOf(reader, id),
  }));
  const due: string[] = [];
  for (const row of rows) {
    const limit = all.find(({ body }) => body.name === row.name)?.limit;
    if (limit === undefined) throw new Error(`${row.name} is no item of the test.`);
    const standing = standingOf(limit, now, corrected);
    expect({ name: row.name, status: row.status, past_tolerance: row.past_tolerance }).toEqual({
      name: row.name,
      ...standing,
    });
    if (row.critical && standing.past_tolerance) due.push(row.id);
    // What is stored is what the program would compute now, also the forecasts.
    expect(row).toMatchObject(
      assess(row, { counters: now, corrected, recent, today: Temporal.PlainDate.from("2026-06-14") }),
    );
  }
  const grounding: string[] = shown.groundings.map(({ subject_id }: { subject_id: string }) => subject_id);
  expect(grounding.toSorted()).toEqual(due.toSorted());
  expect(shown.status).toBe(due.length > 0 ? "grounded" : "available");
}

const importHeading = "registration,off_block_at,on_block_at,departure,arrival,day_landings,hobbs_start,hobbs_end,solo";

test("counters, maintenance and groundings equal their recomputation after any sequence of actions", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 20 }), async (moves) => {
      const school = await newSchool();
      const { owner, instructor, student } = school;
      const simulator = { registration: "DE-1A-001", model: "FNPT II", class: "FSTD", hobbs: "500.00" };
      const simulatorId = expectStatus(201, await owner.post("/aircraft", simulator)).body.data.id;
      const crafts = [
        await addCraft(school, school.aircraftId, items),
        await addCraft(school, simulatorId, itemsOfSimulator),
      ];
      const flights: Known[] = [];
      for (const at of [...crafts, ...crafts, ...crafts]) {
        const known = { at, ...figures(at.id === simulatorId, 300, 1), status: "submitted", imported: false };
        const draft = expectStatus(201, await student.post("/flights", bodyOf(school, known))).body.data;
        expectStatus(200, await student.post(`/flights/${draft.id}/submit`));
        flights.push({ ...known, id: draft.id });
      }
      const lines = [importHeading];

      for (const { flight: index, move, minutes, landings } of moves) {
        const flight = flights[index % flights.length];
        if (flight === undefined) throw new Error("There are flights.");
        const { at } = flight;
        if (move === "correct") {
          const readings = { landings, airframe_minutes: 73_000 + minutes };
          const counters = { ...readings, reason: "Read again." };
          expectStatus(200, await owner.patch(`/aircraft/${at.id}`, { counters }));
          at.history.push({ kind: "corrected", readings });
        } else if (move === "import") {
          const off = Date.UTC(2020, 0, lines.length);
          const [offBlock, onBlock] = [off, off + minutes * 60_000].map((time) => new Date(time).toISOString());
          lines.push(`D-EABC,${offBlock},${onBlock},EDFE,EDKB,${landings},1.00,9.00,${student.email}`);
          const body = csv(lines.join("\n"));
          const answer = await owner.call("POST", `/orgs/${school.orgId}/flights/import`, { body });
          const { data } = expectStatus(200, answer).body;
          expect(data).toMatchObject({ created: 1, unchanged: lines.length - 2 });
          const known = { ...figures(false, minutes, landings), status: "approved", imported: true };
          const [aircraft] = crafts;
          if (aircraft) flights.push({ ...known, id: data.lines[0].id, at: aircraft });
        } else {
          const edited = figures(flight.isSession, minutes, landings);
          const reversed: Entry = { kind: "reversed", flight };
          const path = `/flights/${flight.id}`;
          const answer: Answer =
            move === "edit"
              ? await student.patch(path, bodyOf(school, { ...flight, ...edited }))
              : move === "submit"
                ? await student.post(`${path}/submit`)
                : move === "approve"
                  ? await instructor.post(`${path}/approve`)
                  : await owner.post(`${path}/${move}`, { reason: "Because." });
          const next = nextStatus[flight.status]?.[move];
          const isBelowZero = Object.values(countersAfter(at.opening, [...at.history, reversed])).some(
            (one) => one < 0,
          );
          if (next === undefined || (next === "reversed" && !flight.imported && isBelowZero)) {
            expectStatus(409, answer);
          } else {
            expectStatus(200, answer);
            flight.status = next;
            if (move === "edit") Object.assign(flight, edited);
            if (move === "approve") at.history.push({ kind: "approved", flight: { ...flight } });
            if (move === "reverse" && !flight.imported) at.history.push(reversed);
          }
        }
        for (const craft of crafts) await compare(school, craft);
      }
      const stored = expectStatus(200, await owner.get("/flights?limit=500")).body.data;
      const states = (all: { id: string; status: string; imported: boolean }[]) =>
        all.map(({ id, status, imported }) => `${id} ${status} ${imported}`).toSorted();
      expect(states(stored)).toEqual(states(flights));
    }),
    { numRuns: 12 },
  );
}, 300_000);
