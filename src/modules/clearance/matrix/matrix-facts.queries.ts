/** The facts of many people and of the whole fleet, each kind by one statement. They are the same as of one flight. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { AircraftId, PersonId } from "../../../core/ids.ts";
import { idOf } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { firstJson } from "../../../storage/first-json.ts";
import { part, type Resource } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import { heldIn } from "../../compliance/records/records.shapes.ts";
import { correctedOfAll, unchanged } from "../../fleet/counters.queries.ts";
import { aircraft, aircraftStatuses } from "../../fleet/fleet.tables.ts";
import { aircraftClasses } from "../../fleet/fleet.values.ts";
import { limitsInUse } from "../../maintenance/items/items.queries.ts";
import type { CrewFunction } from "../../rules/crew.values.ts";
import { type PersonWithRecords, storedPeople, withRecordsIn } from "../../training/people-with-records.queries.ts";
import { isUsed } from "../facts/facts.queries.ts";
import {
  type AircraftFacts,
  aircraftFields,
  type PayerFacts,
  type SchoolFacts,
  schoolFields,
  type Use,
} from "../facts/facts.shapes.ts";
import { storedFlown } from "../facts/flown.queries.ts";
import { payersFacts } from "../facts/payer.queries.ts";

type TenantReader = Reader<"tenant">;

export interface Plane extends AircraftFacts {
  status: (typeof aircraftStatuses)[number];
}

interface FleetFacts {
  school: SchoolFacts;
  /** Without archived ones, by registration. */
  planes: Plane[];
}

const counter = z.int();
const plane = part({
  ...columns(aircraft, {
    id: idOf<"aircraft">(),
    registration: z.string(),
    class: z.enum(aircraftClasses),
    mtom_kg: z.int().nullable(),
    status: z.enum(aircraftStatuses),
    hobbs: counter,
    tacho: counter,
    airframe_minutes: counter,
    landings: counter,
  }),
  ...aircraftFields(aircraft.id),
});
type StoredPlane = Resource<typeof plane>;
const fleet = sql`select json_group_array(json(item)) from (
  select ${plane.json} as item from ${aircraft} where ${aircraft.status} <> 'archived' order by ${aircraft.registration})`;

const decided = part(schoolFields);
const school = sql`select ${decided.json}`;

/** Returns what the rules need to know of the school and of all its aircraft. */
export async function fleetFacts(reader: TenantReader, { at, ends_at }: Use): Promise<FleetFacts> {
  const [time_zone, rules, found, items, corrected] = await Promise.all([
    timeZoneOf(reader),
    firstJson(reader, school, {}),
    firstJson(reader, fleet, { at, ends_at }) as Promise<StoredPlane[]>,
    limitsInUse(reader),
    correctedOfAll(reader),
  ]);
  const itemsOf = Map.groupBy(items, ({ aircraft_id }) => aircraft_id);
  const facts = ({ hobbs, tacho, airframe_minutes, landings, records, ...one }: StoredPlane) => {
    const id: AircraftId = one.id;
    return {
      ...one,
      counters: { hobbs, tacho, airframe_minutes, landings },
      corrected: corrected.get(id) ?? unchanged,
      items: itemsOf.get(id) ?? [],
      records: records.map(heldIn(time_zone)),
    };
  };
  return { school: { time_zone, ...decided.schema.parse(rules) }, planes: found.map(facts) };
}

/** What the rules need to know of a person, alone on board in a function. */
export interface Candidate {
  /** The same object as of another time, if nothing about the person has changed since. */
  person: PersonWithRecords;
  /** The JSON of the flights that a rule may count (`flownIn`). */
  flown: string | undefined;
  payer: PayerFacts | null;
}

/** Returns the facts of people, by their ids. */
export async function candidatesFor(
  reader: TenantReader,
  ids: readonly PersonId[],
  { use, onBoard, school: { time_zone, actions } }: { use: Use; onBoard: CrewFunction; school: SchoolFacts },
): Promise<ReadonlyMap<PersonId, Candidate>> {
  const known = (await storedPeople(reader, ids)).map(withRecordsIn(time_zone));
  const crew = ids.map((person_id) => ({ person_id, function: onBoard }));
  // How far back the flights are read depends on whether one of them holds an LAPL.
  const groups = Object.values(Object.groupBy(known, (one) => (holdsLapl(one) ? "lapl" : "other")));
  const [payers, ...flown] = await Promise.all([
    isUsed(actions.balance_below_limit) ? payersFacts(reader, ids, onBoard) : undefined,
    ...groups.map((group) => storedFlown(reader, { known: group, crew, use, time_zone })),
  ]);
  const flownOf = (id: PersonId) => flown.find((some) => some.has(id))?.get(id);
  return new Map(
    known.map((person) => {
      const { id } = person;
      return [id, { person, flown: flownOf(id), payer: payers?.get(id) ?? null }];
    }),
  );
}

const holdsLapl = ({ records }: PersonWithRecords) =>
  records.some(({ type, level }) => type === "licence" && level === "lapl");
