/** Whether a training is ahead of its plan, on track or behind, and when it will end at this pace. Pure. */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";

/** The actual pace is that of these weeks, or of those since the start. */
export const weeksBack = 8;
/** The booked pace is that of these weeks. */
export const weeksAhead = 4;

/** A projected end that is off the planned one by this part of the days left, or by a week, is still on track. */
const tolerance = { part: 0.1, days: 7 };

export interface Planned {
  start_on: LegalDate;
  end_on: LegalDate;
}

export interface Counted {
  /** Lessons all items of which are done. */
  done: number;
  total: number;
  /** How many of them were done by the beginning of the weeks back. */
  done_before: number;
  /** Sessions of the weeks ahead in which something of the training is booked. */
  booked: number;
}

export interface Pace {
  planned_start_on: LegalDate;
  planned_end_on: LegalDate;
  lessons_done: number;
  lessons_total: number;
  lessons_expected: number;
  required_per_week: number | null;
  actual_per_week: number;
  booked_per_week: number;
  projected_end_on: LegalDate | null;
  standing: "ahead" | "on_track" | "behind";
}

/** Lessons in some days. */
interface Span {
  lessons: number;
  days: number;
}

/** @param began the first day of the training */
export function paceOf(
  planned: Planned,
  counted: Counted,
  { began, on }: { began: LegalDate; on: Temporal.PlainDate },
): Pace {
  const { done, total, done_before, booked } = counted;
  const [start, end] = [Temporal.PlainDate.from(planned.start_on), Temporal.PlainDate.from(planned.end_on)];
  const [length, passed, left] = [daysFrom(start, end), daysFrom(start, on), daysFrom(on, end)];
  const missing = total - done;
  const back: Span = {
    lessons: Math.max(0, done - done_before),
    days: Math.min(weeksBack * 7, Math.max(7, daysFrom(Temporal.PlainDate.from(began), on))),
  };
  const ahead: Span = { lessons: booked, days: weeksAhead * 7 };
  const expected = Math.floor((total * Math.min(length, Math.max(0, passed))) / length);
  const needed = Math.min(daysFor(missing, back), daysFor(missing, ahead));
  const projected = Number.isFinite(needed) ? on.add({ days: needed }) : null;
  return {
    planned_start_on: planned.start_on,
    planned_end_on: planned.end_on,
    lessons_done: done,
    lessons_total: total,
    lessons_expected: expected,
    required_per_week: missing === 0 ? 0 : left <= 0 ? null : perWeek({ lessons: missing, days: left }),
    actual_per_week: perWeek(back),
    booked_per_week: perWeek(ahead),
    projected_end_on: projected && toLegalDate(projected),
    standing: standingOf(projected, { end, left, isExpected: expected > 0 }),
  };
}

function standingOf(
  projected: Temporal.PlainDate | null,
  { end, left, isExpected }: { end: Temporal.PlainDate; left: number; isExpected: boolean },
): Pace["standing"] {
  // Nobody is behind before a lesson is due.
  if (projected === null) return isExpected ? "behind" : "on_track";
  const late = daysFrom(end, projected);
  const allowed = left <= 0 ? 0 : Math.max(tolerance.days, left * tolerance.part);
  if (late > allowed) return "behind";
  return late < -allowed ? "ahead" : "on_track";
}

/** Returns in how many days all that is missing is done. The quotient of whole numbers: by a rounded pace it would be a day more. */
const daysFor = (missing: number, { lessons, days }: Span): number =>
  missing === 0 ? 0 : Math.ceil((missing * days) / lessons);
const daysFrom = (from: Temporal.PlainDate, to: Temporal.PlainDate): number =>
  from.until(to, { largestUnit: "days" }).days;
const perWeek = ({ lessons, days }: Span): number => Math.round((lessons * 700) / days) / 100;
