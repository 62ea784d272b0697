/** Computes a student's progress from facts. Pure. */
import { dateIn, type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { doneOf, type Trained } from "../../compliance/rules/training-minima.ts";
import { hasReached } from "../../compliance/rules/validity.ts";
import { theoryStanding } from "../exams/theory.ts";
import type { RevisionRow } from "../revisions/revisions.queries.ts";
import type { Facts } from "./facts.queries.ts";
import type { Missing, PublicProgress } from "./progress.schemas.ts";

/** Days without training after which an active student's training has stalled. */
const stalledAfter = { days: 30 };

export interface Day {
  on: Temporal.PlainDate;
  time_zone: string;
}

type Revision = Pick<RevisionRow, "theory" | "subjects" | "minima" | "skill_test"> & {
  /** The keys of its items. */
  items: readonly string[];
};

export function progressOf(facts: Facts, revision: Revision, day: Day): PublicProgress {
  const { id, status, student, program, exams, flown } = facts;
  const trained = trainedOf(facts, day);
  const minima = revision.minima.map((minimum) => {
    const done = doneOf(minimum, trained);
    const { measure: name, required } = minimum;
    return { name, required, done, missing: Math.max(0, required - (done ?? 0)) };
  });
  const items = { done: revision.items.filter((key) => facts.done.has(key)).length, total: revision.items.length };
  const theory = theoryOf(facts, revision, day);
  const missing: Missing[] = [
    ...minima.flatMap((minimum) => (minimum.missing > 0 ? [minimum.name] : [])),
    ...(items.done < items.total ? ["items" as const] : []),
    ...(theory?.complete === false ? ["theory" as const] : []),
    ...(revision.skill_test && testedOn(exams) === undefined ? ["skill_test" as const] : []),
  ];
  return {
    enrollment_id: id,
    status,
    student,
    program,
    minima,
    items,
    theory,
    missing,
    ready_for_test: missing.every((what) => what === "skill_test" || what === "age"),
    complete: missing.length === 0,
    compliance: complianceOf(facts),
    last_flown_at: flown.last,
    stalled: stalledSince(facts, day) !== null,
  };
}

/** Returns what is flown and trained here, with the credits. */
export function trainedOf({ flown, credits, date_of_birth }: Facts, { on }: Day): Trained {
  const sums = { ...flown.sums };
  let long_cross_country = 0;
  for (const { measure, amount } of credits) {
    if (measure === "long_cross_country") long_cross_country += amount;
    else sums[measure] += amount;
  }
  return {
    ...sums,
    long_cross_country,
    cross_countries: flown.away.map(([distance_km, full_stops_elsewhere]) => ({ distance_km, full_stops_elsewhere })),
    age: date_of_birth === null ? null : ageOn(date_of_birth, on),
  };
}

function ageOn(birth: LegalDate, on: Temporal.PlainDate): number {
  const born = Temporal.PlainDate.from(birth);
  const { years } = born.until(on, { largestUnit: "years" });
  // Born on 29 February.
  return hasReached(years + 1, born, on) ? years + 1 : years;
}

const testedOn = (exams: Facts["exams"]): LegalDate | undefined =>
  exams.find(({ kind, passed }) => kind === "skill_test" && passed)?.taken_on;

/** Returns the standing of the theory exams by the rules of a revision; null: it has none. They had to be valid on the day of the test. */
export function theoryOf(
  { exams }: Pick<Facts, "exams">,
  { theory, subjects }: Pick<Revision, "theory" | "subjects">,
  day: Pick<Day, "on">,
): PublicProgress["theory"] {
  if (theory === null) return null;
  const tested = testedOn(exams);
  const on = tested === undefined ? day.on : Temporal.PlainDate.from(tested);
  const sat = exams.flatMap(({ subject, ...exam }) => (subject === null ? [] : [{ ...exam, subject }]));
  return theoryStanding(theory, subjects, sat, on);
}

const complianceOf = ({ compliance }: Facts): PublicProgress["compliance"] => ({
  status: compliance?.status ?? null,
  // Without the records and their dates.
  reasons: (compliance?.reasons ?? []).map(({ any_of, state }) => ({ any_of, state })),
});

/** Returns the day of the last flight or ground session; null if there was none. */
export function lastTrained({ flown, ground }: Trainings, time_zone: string): LegalDate | null {
  const days: LegalDate[] = [];
  if (flown.last !== null) days.push(toLegalDate(dateIn(time_zone, new Date(flown.last))));
  if (ground.last !== null) days.push(ground.last);
  return days.sort().at(-1) ?? null;
}

type Trainings = Pick<Facts, "flown" | "ground">;

/** Returns the first day on which an active student's training counted as stalled; null if it has not. */
export function stalledSince(
  { status, started_on, ...facts }: Trainings & Pick<Facts, "status" | "started_on">,
  { on, time_zone }: Day,
): LegalDate | null {
  const last = lastTrained(facts, time_zone);
  const from = last !== null && last > started_on ? last : started_on;
  const since = Temporal.PlainDate.from(from).add(stalledAfter).add({ days: 1 });
  return status === "active" && Temporal.PlainDate.compare(since, on) <= 0 ? toLegalDate(since) : null;
}
