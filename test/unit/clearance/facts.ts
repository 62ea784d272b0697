/** Facts of a school in Berlin, made up for one case. */
import type { Instant } from "../../../src/core/clock.ts";
import type { LegalDate } from "../../../src/core/dates.ts";
import type { AircraftId, EnrollmentId, Id, PersonId } from "../../../src/core/ids.ts";
import type {
  AircraftFacts,
  FlownFlight,
  PayerFacts,
  PersonFacts,
  SchoolFacts,
  Use,
} from "../../../src/modules/clearance/facts/facts.shapes.ts";
import {
  type Finding,
  judgeAircraft,
  judgePayer,
  judgePerson,
  metRecency,
} from "../../../src/modules/clearance/judge.ts";
import type { HeldRecord } from "../../../src/modules/compliance/records/records.shapes.ts";
import type { CrewMember } from "../../../src/modules/rules/crew.values.ts";
import type { Training } from "../../../src/modules/training/people-with-records.queries.ts";
import { day } from "../compliance/days.ts";

type OnBoard = CrewMember["function"];

export interface Given {
  function?: OnBoard;
  at?: string;
  minutes?: number;
  use?: Partial<Use>;
  school?: Partial<SchoolFacts>;
  aircraft?: Partial<AircraftFacts>;
  person?: Partial<PersonFacts>;
  payer?: PayerFacts;
}

const none = { hobbs: 0, tacho: 0, airframe_minutes: 0, landings: 0 };

const asEntered = {
  other_levels: [],
  method: null,
  entered_at: "2026-01-01T00:00:00.000Z" as Instant,
  superseded_on: null,
  withdrawn_on: null,
};
export const withdrawn = { withdrawn_on: "2026-06-01" as LegalDate };

/** @param type with its level: `medical class_2` */
export function held(type: string, issued_on: string, valid_until: string | null = null): HeldRecord {
  const [key = "", level = null] = type.split(" ");
  const dates = { issued_on: issued_on as LegalDate, valid_until: valid_until as LegalDate | null };
  return { id: `${type} ${issued_on}` as Id<"record">, type: key, level, ...dates, ...asEntered };
}

/** @param kind of the programme, which names the enrollment */
export const trained = (kind: string, started_on = "2026-01-15", ended_on: string | null = null): Training => ({
  ...{ enrollment_id: kind as EnrollmentId, kind },
  ...{ started_on: started_on as LegalDate, ended_on: ended_on as LegalDate | null },
});

/** What a PPL holder with the class rating SEP has. */
export const pilotRecords = [
  held("medical class_2", "2025-01-10", "2027-01-09"),
  ...[
    held("licence ppl", "2020-05-01"),
    held("sep", "2025-04-01", "2027-04-30"),
    held("elp 4", "2024-01-01", "2028-01-01"),
  ],
];

export function flown(on: string, more: Partial<FlownFlight> = {}): FlownFlight {
  return { on: day(on), function: "pic", class: "SEP", landings: 1, night_landings: 0, minutes: 60, ...more };
}

/** Judges a flight of a PPL holder as PIC in an SEP, on 1 July 2026 at 10:00 in Berlin, except for what is given. */
export function judge(given: Given): Finding[] {
  const { facts, person, onBoard } = factsOf(given);
  return [
    ...judgeAircraft(facts),
    ...judgePerson(facts, person, onBoard),
    ...judgePayer({ ...facts, payer: given.payer ?? null }),
  ];
}

/** The rules about recent experience that are met, as text. */
export function met(given: Given): string[] {
  const { facts, person, onBoard } = factsOf(given);
  return metRecency(facts, person, onBoard).map(({ rule, until }) => `${rule} until ${until}`);
}

function factsOf({ function: onBoard = "pic", at = "2026-07-01T08:00:00.000Z", minutes = 60, ...given }: Given): {
  facts: Parameters<typeof judgePerson>[0];
  person: PersonFacts;
  onBoard: OnBoard;
} {
  const school = { time_zone: "Europe/Berlin", actions: {}, names: {}, requirements: [], ...given.school };
  const aircraft: AircraftFacts = {
    ...{ id: "a" as AircraftId, registration: "D-EABC", class: "SEP", mtom_kg: 1157, counters: none, corrected: none },
    ...{ groundings: [], deferred: [], items: [], records: [], ...given.aircraft },
  };
  const ends_at = new Date(Date.parse(at) + minutes * 60_000).toISOString() as Instant;
  const use = {
    at: at as Instant,
    ends_at,
    adds: none,
    passengers: 0,
    night: false,
    enrollment_id: null,
    supervisor_id: "i" as PersonId,
    ...given.use,
  };
  const person = {
    ...{ id: "p" as PersonId, name: "Anna Berg", date_of_birth: null, restricted_instructor: false, supervisor: null },
    ...{ records: pilotRecords, trainings: [], flown: [], ...given.person },
  };
  return { facts: { school, aircraft, use }, person, onBoard };
}

/** As text, so that a failure is readable. */
export const told = (given: Given): string[] =>
  judge(given).map(({ rule, action, message }) => `${action} ${rule}: ${message}`);
export const rules = (given: Given): string[] => judge(given).map(({ rule }) => rule);
