/** Reads the facts by a few statements, each built once and answered from indexes. */
import { sql } from "drizzle-orm";
import type { AircraftId } from "../../../core/ids.ts";
import { firstJson } from "../../../storage/first-json.ts";
import type { Reader } from "../../../storage/store.ts";
import { timeZoneOf } from "../../../storage/today.ts";
import { heldIn } from "../../compliance/records/records.shapes.ts";
import { correctedOf } from "../../fleet/counters.queries.ts";
import { findAircraftRow } from "../../fleet/fleet.queries.ts";
import type { FlightRow } from "../../flights/flights.queries.ts";
import { itemsOf } from "../../maintenance/items/items.queries.ts";
import { type Action, ruleOf } from "../../rules/clearance-rules.ts";
import type { CrewMember } from "../../rules/crew.values.ts";
import { storedPeople, withRecordsIn } from "../../training/people-with-records.queries.ts";
import {
  type AircraftFacts,
  type PayerFacts,
  type PersonFacts,
  type SchoolFacts,
  schoolPart,
  type Use,
} from "./facts.shapes.ts";
import { flownIn, storedFlown } from "./flown.queries.ts";
import { payerFacts } from "./payer.queries.ts";

type TenantReader = Reader<"tenant">;

export interface Asked {
  aircraft_id: AircraftId;
  crew: readonly CrewMember[];
  use: Use;
  /** Of a flight that was made: its nature, and the person whom a member has named to pay it, decide who pays. */
  flight?: Pick<FlightRow, "id" | "nature">;
}

interface Facts {
  school: SchoolFacts;
  aircraft: AircraftFacts;
  /** Without the ids that name nobody. */
  people: readonly PersonFacts[];
  /** Null: nobody pays, or the school does not use the rule. */
  payer: PayerFacts | null;
}

/** Returns `undefined` if there is no such aircraft. */
export async function factsOf(
  reader: TenantReader,
  { aircraft_id, crew, use, flight }: Asked,
): Promise<Facts | undefined> {
  const asked = { aircraft_id, at: use.at, ends_at: use.ends_at };
  const ids = [...crew.map(({ person_id }) => person_id), ...(use.supervisor_id === null ? [] : [use.supervisor_id])];
  const [row, time_zone, school, items, corrected, stored] = await Promise.all([
    findAircraftRow(reader, aircraft_id),
    timeZoneOf(reader),
    firstJson(reader, schoolStatement, asked),
    itemsOf(reader, aircraft_id),
    correctedOf(reader, aircraft_id),
    storedPeople(reader, ids),
  ]);
  if (row === undefined) return undefined;
  const { id, registration, class: type, mtom_kg } = row;
  const { groundings, deferred, records, ...decided } = schoolPart.schema.parse(school);
  const known = stored.map(withRecordsIn(time_zone));
  const [flown, payer] = await Promise.all([
    storedFlown(reader, { known, crew, use, time_zone }),
    isUsed(decided.actions.balance_below_limit) ? payerFacts(reader, { crew, flight }) : null,
  ]);
  const read = flownIn(time_zone);
  return {
    school: { time_zone, ...decided },
    aircraft: {
      id,
      registration,
      class: type,
      mtom_kg,
      counters: row,
      corrected,
      groundings,
      deferred,
      items,
      records: records.map(heldIn(time_zone)),
    },
    people: known.map((person) => ({ ...person, flown: read(flown.get(person.id)) })),
    payer,
  };
}

export const isUsed = (action: Action = ruleOf("balance_below_limit").action) => action !== "off";

const schoolStatement = sql`select ${schoolPart.json}`;
