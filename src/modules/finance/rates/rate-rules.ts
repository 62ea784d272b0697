/** Which targets a rate of each kind has. */
import { type Issue, throwIfAny } from "../../../core/errors.ts";
import type { Reader } from "../../../storage/store.ts";
import { findAircraftRow } from "../../fleet/fleet.queries.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import type { RateKind } from "../finance.tables.ts";
import { programName } from "./rates.queries.ts";
import type { NewRate } from "./rates.schemas.ts";

const limited = ["aircraft_id", "icao_type", "instructor_id", "place", "program_id"] as const;

const targetsOf: Record<RateKind, readonly (typeof limited)[number][]> = {
  aircraft: ["aircraft_id", "icao_type"],
  instructor: ["instructor_id"],
  landing: ["aircraft_id", "icao_type", "place"],
  fuel_surcharge: ["aircraft_id", "icao_type"],
  fuel: ["aircraft_id", "icao_type"],
  program: ["program_id"],
};

/** Returns what does not fit together in a new rate. */
export function rateIssues(rate: NewRate): Issue[] {
  const issues: Issue[] = [];
  const report = (path: string, message: string) => issues.push({ path, code: "impossible", message });
  for (const target of limited) {
    if (rate[target] !== null && !targetsOf[rate.kind].includes(target))
      report(target, `A rate of the kind \`${rate.kind}\` has none.`);
  }
  if (rate.aircraft_id !== null && rate.icao_type !== null) report("icao_type", "Name the aircraft or the type.");
  if (rate.person_id !== null && rate.audience !== null) report("audience", "Name the person or the audience.");
  if (rate.fuel !== null && rate.kind !== "aircraft") report("fuel", "Only a rate of the kind `aircraft` has it.");
  return [...issues, ...validityIssues(rate)];
}

interface Validity {
  valid_from: string;
  valid_until: string | null;
}

export const validityIssues = ({ valid_from, valid_until }: Validity): Issue[] =>
  valid_until !== null && valid_until < valid_from
    ? [{ path: "valid_until", code: "impossible", message: "Must not be before `valid_from`." }]
    : [];

/** @throws VALIDATION_ERROR it names something that does not exist */
export async function requireTargets(
  reader: Reader<"tenant">,
  {
    aircraft_id,
    instructor_id,
    person_id,
    program_id,
  }: Partial<Pick<NewRate, "aircraft_id" | "instructor_id" | "person_id" | "program_id">>,
): Promise<void> {
  const issues: Issue[] = [];
  const require = (path: string, what: string, found: unknown) => {
    if (found === undefined) issues.push({ path, code: "unknown", message: `There is no such ${what}.` });
  };
  if (aircraft_id) require("aircraft_id", "aircraft", await findAircraftRow(reader, aircraft_id));
  if (instructor_id) require("instructor_id", "person", await findPersonRow(reader, instructor_id));
  if (person_id) require("person_id", "person", await findPersonRow(reader, person_id));
  if (program_id) require("program_id", "program", await programName(reader, program_id));
  throwIfAny(issues);
}
