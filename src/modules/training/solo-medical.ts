/** The medical certificate that a student needs to fly solo (MED.A.030 (a)). */
import type { EnrollmentId } from "../../core/ids.ts";
import { type Held, type Holder, heldThrough } from "../compliance/records/held.ts";
import type { HeldRecord } from "../compliance/records/records.shapes.ts";
import { type Licence, medicalRule } from "../compliance/rules/rules.ts";
import type { PersonWithRecords } from "./people-with-records.queries.ts";
import { licenceAimedAt } from "./trainings.ts";

export interface Medical {
  /** `not_enough`: a certificate is valid, but of none of the levels. */
  state: Held["state"] | "not_enough";
  record: HeldRecord | null;
  /** That decides; null: any certificate is enough. */
  licence: Licence | null;
  /** The levels that are looked for. Empty: any. */
  levels: readonly string[];
}

/** All days of a flight. */
type Days = readonly [Temporal.PlainDate, ...Temporal.PlainDate[]];

type Student = Pick<PersonWithRecords, "trainings"> & Holder;

/** For a student who flies solo: of the licence that the training aims at. One of its classes that was held and ended is told first. */
export function soloMedical(
  student: Student,
  { days, enrollment_id }: { days: Days; enrollment_id: EnrollmentId | null },
): Medical {
  const licence = licenceAimedAt(student, { on: days[0], enrollment_id });
  const levels = medicalRule.enough[licence];
  const held = medicalOf(student, days, levels);
  if (held.state !== "missing") return { ...held, licence, levels };
  const other = medicalOf(student, days);
  return { ...other, state: other.state === "valid" ? "not_enough" : other.state, licence, levels: [] };
}

export const medicalOf = (holder: Holder, days: Days, levels: readonly string[] = []) =>
  heldThrough(holder, { any_of: ["medical"], levels }, days);
