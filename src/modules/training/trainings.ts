/** What a student is trained for on the day of a flight. */
import { toLegalDate } from "../../core/dates.ts";
import type { EnrollmentId } from "../../core/ids.ts";
import type { Holder } from "../compliance/records/held.ts";
import { licenceHeld } from "../compliance/records/licence.ts";
import { type Licence, licences, nightRule, trainedLicences } from "../compliance/rules/rules.ts";
import type { PersonWithRecords, Training } from "./people-with-records.queries.ts";

type Student = Pick<PersonWithRecords, "trainings"> & Holder;

/** A day, and the enrollment that a flight or a signoff counts for. Null: not known. */
export interface TrainedOn {
  on: Temporal.PlainDate;
  enrollment_id: EnrollmentId | null;
}

/**
 * Returns the licence whose medical certificate a student needs to fly solo (MED.A.030 (a)): that which the training aims at.
 * A training for a rating aims at none, so the student flies by the licence that they hold. Where the training is not known,
 * the highest licence counts at which one aims that has not ended: the rule protects from a flight by a student who is not fit
 * for it, and naming the lesson decides. Without any it is that of the last which has ended, if the student holds no licence: they
 * have not reached it yet. Else it is the LAPL.
 */
export function licenceAimedAt(student: Student, { on, enrollment_id }: TrainedOn): Licence {
  const { trainings } = student;
  const flown = trainings.find((one) => one.enrollment_id === enrollment_id);
  if (flown) {
    const licence = trainedLicences[flown.kind] ?? licenceHeld(student, on);
    if (licence) return licence;
  }
  const open = highestAim(trainings.filter(isOpen(on)));
  return open ?? (licenceHeld(student, on) ? undefined : lastAim(trainings, on)) ?? "lapl";
}

function highestAim(trainings: readonly Training[]): Licence | undefined {
  const aims = trainings.map(({ kind }) => trainedLicences[kind]);
  return licences.findLast((licence) => aims.includes(licence));
}

/** Returns the licence at which the training aimed that has ended last, completed or withdrawn; of several, the highest. */
function lastAim(trainings: readonly Training[], on: Temporal.PlainDate): Licence | undefined {
  const ended = trainings.filter(
    ({ kind, ended_on }) => trainedLicences[kind] && ended_on !== null && ended_on < toLegalDate(on),
  );
  const last = ended
    .map(({ ended_on }) => ended_on)
    .sort()
    .at(-1);
  return highestAim(ended.filter(({ ended_on }) => ended_on === last));
}

/** Returns whether the training includes solo flights at night (FCL.810 (a)); where it is not known, whether one does that has not ended. */
export function isTrainedAtNight({ trainings }: Pick<Student, "trainings">, { on, enrollment_id }: TrainedOn): boolean {
  const flown = trainings.find((one) => one.enrollment_id === enrollment_id);
  const kinds: readonly string[] = nightRule.trained_in;
  return (flown ? [flown] : trainings.filter(isOpen(on))).some(({ kind }) => kinds.includes(kind));
}

/** A suspended training has not ended. */
const isOpen =
  (on: Temporal.PlainDate) =>
  ({ started_on, ended_on }: Training): boolean =>
    started_on <= toLegalDate(on) && (ended_on === null || ended_on >= toLegalDate(on));
