/** What the rules are evaluated with: read once by `facts.queries.ts`, or made up by a test. */
import { type Placeholder, type SQLWrapper, sql } from "drizzle-orm";
import { z } from "zod";
import type { Instant } from "../../../core/clock.ts";
import type { EnrollmentId, PersonId } from "../../../core/ids.ts";
import { dateField, instantOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { field, json, jsonList, part, type Resource } from "../../../storage/shape.ts";
import {
  complianceRecords,
  complianceRequirements,
  complianceTypes,
  roles,
} from "../../compliance/compliance.tables.ts";
import { type HeldRecord, heldBy, storedRecord } from "../../compliance/records/records.shapes.ts";
import type { Counters } from "../../fleet/counters.queries.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import { groundingKinds, groundings } from "../../fleet/fleet.tables.ts";
import type { ItemLimits } from "../../maintenance/assessment/assess.ts";
import { defects } from "../../maintenance/maintenance.tables.ts";
import { actions } from "../../rules/clearance-rules.ts";
import type { CrewFunction } from "../../rules/crew.values.ts";
import { clearanceRules } from "../../rules/rules.tables.ts";
import type { PersonWithRecords } from "../../training/people-with-records.queries.ts";

const words = z.string();
const value = sql.placeholder;

const requirement = part(
  columns(complianceRequirements, { applies_to: z.enum(roles), any_of: z.array(words), levels: z.array(words) }),
);

const grounding = part(
  columns(groundings, { kind: z.enum(groundingKinds), note: words, lifted_at: instantOut.nullable() }),
);
const deferral = part(
  columns(defects, {
    description: words,
    deferred_at: instantOut.nullable(),
    deferred_until: dateField.nullable(),
    deferred_until_airframe_minutes: z.int().nullable(),
  }),
);
/** Two terms, so that SQLite finds both in indexes: open now, or lifted since. */
const wasOpen = (aircraft_id: SQLWrapper | Placeholder) => sql`
  ${groundings.aircraft_id} = ${aircraft_id} and ${groundings.lifted_at} is null and ${groundings.since} <= ${value("ends_at")} or
  ${groundings.aircraft_id} = ${aircraft_id} and ${groundings.lifted_at} > ${value("at")} and ${groundings.since} <= ${value("ends_at")}`;

/** The aircraft's reasons and records. */
export const aircraftFields = (aircraft_id: SQLWrapper | Placeholder) => ({
  groundings: jsonList(grounding.schema, grounding.json, sql`from ${groundings} where ${wasOpen(aircraft_id)}`),
  deferred: jsonList(
    deferral.schema,
    deferral.json,
    sql`from ${defects} where ${defects.aircraft_id} = ${aircraft_id} and ${defects.status} = 'deferred'`,
  ),
  records: field(z.array(storedRecord.schema), json(heldBy(complianceRecords.aircraft_id, sql`${aircraft_id}`))),
});

/** What the school has decided. The tables have few rows. */
export const schoolFields = {
  actions: field(
    z.record(words, z.enum(actions)),
    json(sql`(select json_group_object(${clearanceRules.key}, ${clearanceRules.action}) from ${clearanceRules})`),
  ),
  names: field(
    z.record(words, words).meta({ description: "The names of record types, by key." }),
    json(sql`(select json_group_object(${complianceTypes.key}, ${complianceTypes.name}) from ${complianceTypes})`),
  ),
  requirements: jsonList(requirement.schema, requirement.json, sql`from ${complianceRequirements}`),
};
export const schoolPart = part({ ...schoolFields, ...aircraftFields(value("aircraft_id")) });
type SchoolPart = Resource<typeof schoolPart>;

export type SchoolFacts = Pick<SchoolPart, "actions" | "names" | "requirements"> & { time_zone: string };

export type AircraftClass = AircraftRow["class"];

/** With the groundings that were open at the time of the flight, and the deferred defects. */
export type AircraftFacts = Pick<AircraftRow, "id" | "registration" | "class" | "mtom_kg"> &
  Pick<SchoolPart, "groundings" | "deferred"> & {
    counters: Counters;
    /** What corrections have added to the counters. */
    corrected: Counters;
    items: readonly ItemLimits[];
    records: readonly HeldRecord[];
  };

/** `flown` has the flights that a rule may count (`flown.queries.ts`). */
export type PersonFacts = PersonWithRecords & { flown: readonly FlownFlight[] };

/** Who pays, and what they have left. */
export interface PayerFacts {
  id: PersonId;
  /** In each currency of the account: the balance, if everything was invoiced. */
  available_minor: readonly number[];
  limit_minor: number;
}

/** An approved flight before the one that is judged. */
export interface FlownFlight {
  on: Temporal.PlainDate;
  function: CrewFunction;
  class: AircraftClass;
  landings: number;
  night_landings: number;
  /** From off-block to on-block. */
  minutes: number;
}

/** A flight that is planned, or was made. */
export interface Use extends UseByPeople {
  at: Instant;
  ends_at: Instant;
  /** What it adds to the counters. */
  adds: Counters;
}

/** What of a flight the rules about people ask, besides its days. */
export interface UseByPeople {
  passengers: number;
  night: boolean;
  /** The training that it counts for. Null: none, or it is not known. */
  enrollment_id: EnrollmentId | null;
  /** The instructor who supervises a solo flight from the ground (FCL.020). */
  supervisor_id: PersonId | null;
}
