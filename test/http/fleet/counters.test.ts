/** The counters always equal the opening values plus all postings. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type AircraftId, type FlightId, isId, newId, type OrgId, type UserId } from "../../../src/core/ids.ts";
import { advanceCounters, type CounterPosting } from "../../../src/modules/fleet/advance-counters.ts";
import { recomputeCounters } from "../../../src/modules/fleet/counters.queries.ts";
import { requireAircraft } from "../../../src/modules/fleet/fleet.queries.ts";
import { updateAircraft } from "../../../src/modules/fleet/update-aircraft.ts";
import { flights } from "../../../src/modules/flights/flights.tables.ts";
import type { TenantContext } from "../../../src/storage/context.ts";
import type { Installation } from "../../support/installation.ts";
import { expectStatus, newOwnSchool, type School } from "../../support/school.ts";

const asId = <Kind extends string>(text: string) => {
  if (!isId<Kind>(text)) throw new Error(`${text} is not an id`);
  return text;
};

function contextOf({ installation: { clock, storage }, orgId }: School<Installation>): TenantContext {
  const tenant = storage.tenants.tenant(asId<"organization">(orgId) satisfies OrgId);
  return { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control, tenant };
}

/** Inserts a flight that postings can refer to. */
async function flightOf({ tenant, clock }: TenantContext, aircraftId: AircraftId): Promise<FlightId> {
  const id: FlightId = newId(clock);
  const createdBy: UserId = newId(clock);
  const nothing = { day_landings: 0, night_landings: 0, night_minutes: 0, ifr_minutes: 0, warnings: [] };
  await tenant.write((tx) =>
    tx.insert(flights).values({
      id,
      aircraft_id: aircraftId,
      status: "draft",
      revision: 1,
      ...nothing,
      created_by: createdBy,
      created_at: tx.now,
      updated_at: tx.now,
    }),
  );
  return id;
}

const countersOf = async ({ tenant }: TenantContext, id: AircraftId) => {
  const { hobbs, tacho, airframe_minutes, landings } = await tenant.read((reader) => requireAircraft(reader, id));
  return { hobbs, tacho, airframe_minutes, landings };
};

const post = (context: TenantContext, posting: CounterPosting) =>
  context.tenant.write((tx) => advanceCounters(tx, posting));

const amounts = fc.record({
  hobbs: fc.integer({ min: 0, max: 2400 }),
  tacho: fc.integer({ min: 0, max: 2400 }),
  airframe_minutes: fc.integer({ min: 0, max: 1440 }),
  landings: fc.integer({ min: 0, max: 30 }),
});
const reading = fc.integer({ min: 0, max: 5000 });
const step = fc.oneof(
  fc.record({ kind: fc.constant("approve" as const), amounts }),
  fc.record({ kind: fc.constant("reverse" as const), which: fc.nat() }),
  fc.record(
    {
      kind: fc.constant("correct" as const),
      hobbs: reading,
      tacho: reading,
      airframe_minutes: reading,
      landings: reading,
    },
    { requiredKeys: ["kind"] },
  ),
);

test("a counter goes up to its highest reading, and not beyond", async () => {
  const school = await newOwnSchool();
  const context = contextOf(school);
  const aircraftId = asId<"aircraft">(school.aircraftId);
  const before = await countersOf(context, aircraftId);
  const none = { aircraft_id: aircraftId, kind: "approval", hobbs: 0, tacho: 0, airframe_minutes: 0 } as const;
  const advance = async (landings: number) =>
    post(context, { ...none, flight_id: await flightOf(context, aircraftId), landings });
  await advance(999_999_999 - before.landings);
  expect((await countersOf(context, aircraftId)).landings).toBe(999_999_999);
  await expect(advance(1)).rejects.toThrow("counter landings would leave its range");
});

test("counters equal the opening values plus the postings after any approvals, reversals and corrections", async () => {
  const school = await newOwnSchool();
  const context = contextOf(school);
  let count = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      count += 1;
      const body = {
        registration: `D-${count}`,
        model: "M",
        class: "SEP",
        hobbs: "10.00",
        airframe_minutes: 600,
        landings: 9,
      };
      const created = expectStatus(201, await school.owner.post("/aircraft", body)).body.data;
      const aircraftId = asId<"aircraft">(created.id);
      const approved: CounterPosting[] = [];
      let expected = { hobbs: 1000, tacho: 0, airframe_minutes: 600, landings: 9 };

      for (const { kind, ...what } of steps) {
        if ("amounts" in what) {
          const posting = {
            flight_id: await flightOf(context, aircraftId),
            aircraft_id: aircraftId,
            kind: "approval" as const,
            ...what.amounts,
          };
          await post(context, posting);
          approved.push(posting);
          expected = sum(expected, posting);
        } else if ("which" in what) {
          const [posting] = approved.splice(what.which % (approved.length || 1), 1);
          if (posting === undefined) continue;
          const opposite = {
            ...negated(posting),
            flight_id: posting.flight_id,
            aircraft_id: aircraftId,
            kind: "reversal" as const,
          };
          const next = sum(expected, opposite);
          const isPossible = Object.values(next).every((value) => value >= 0);
          const outcome = await post(context, opposite).then(
            () => true,
            () => false,
          );
          expect(outcome).toBe(isPossible);
          if (isPossible) expected = next;
        } else {
          const counters = { ...what, reason: `Step of kind ${kind}` };
          await updateAircraft(context, { aircraftId, change: { counters } });
          expected = {
            hobbs: what.hobbs ?? expected.hobbs,
            tacho: what.tacho ?? expected.tacho,
            airframe_minutes: what.airframe_minutes ?? expected.airframe_minutes,
            landings: what.landings ?? expected.landings,
          };
        }
        expect(await countersOf(context, aircraftId)).toEqual(expected);
        expect(await context.tenant.read((reader) => recomputeCounters(reader, aircraftId))).toEqual(expected);
      }
    }),
    { numRuns: 40 },
  );
});

type Counters = Pick<CounterPosting, "hobbs" | "tacho" | "airframe_minutes" | "landings">;

const sum = (a: Counters, b: Counters): Counters => ({
  hobbs: a.hobbs + b.hobbs,
  tacho: a.tacho + b.tacho,
  airframe_minutes: a.airframe_minutes + b.airframe_minutes,
  landings: a.landings + b.landings,
});
const negated = (a: Counters): Counters => ({
  hobbs: -a.hobbs,
  tacho: -a.tacho,
  airframe_minutes: -a.airframe_minutes,
  landings: -a.landings,
});

test("advanceCounters posts a flight once and changes no counter if it fails", async () => {
  const school = await newOwnSchool();
  const context = contextOf(school);
  const aircraftId = asId<"aircraft">(school.aircraftId);
  const flightId = await flightOf(context, aircraftId);
  const posting = {
    flight_id: flightId,
    aircraft_id: aircraftId,
    kind: "approval" as const,
    hobbs: 110,
    tacho: 90,
    airframe_minutes: 62,
    landings: 3,
  };
  await post(context, posting);
  const after = await countersOf(context, aircraftId);

  await expect(post(context, posting)).rejects.toThrow();
  const below = { ...posting, kind: "reversal" as const, hobbs: -1_000_000 };
  await expect(post(context, below)).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(post(context, { ...posting, aircraft_id: newId(context.clock) })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });

  expect(await countersOf(context, aircraftId)).toEqual(after);
  expect(after).toEqual({ hobbs: 123_560, tacho: 110_090, airframe_minutes: 74_132, landings: 3 });
});
