/**
 * When a maintenance item is due: by hours, by date and by landings. DOMAIN: an annual or 100-hour inspection may be one month
 * or 10 hours late, and the next interval counts from when it was done (Regulation (EU) 1321/2014, ML.A.302).
 */
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { onceForBoth } from "../../../core/once.ts";
import type { Counters } from "../../fleet/counters.queries.ts";
import type { ItemRow } from "../items/items.queries.ts";

export type Assessment = Pick<
  ItemRow,
  | "status"
  | "past_tolerance"
  | "due_on"
  | "due_hours"
  | "due_landings"
  | "remaining_hours"
  | "remaining_landings"
  | "forecast_on"
  | "changes_on"
>;

/** What it is assessed by. */
export type ItemLimits = Omit<
  ItemRow,
  | keyof Assessment
  | ("notes" | "last_done_at" | "last_done_by" | "last_done_given" | "last_done_note")
  | ("created_at" | "updated_at")
>;

interface At {
  /** The aircraft's. */
  counters: Counters;
  /** What corrections have added to them. */
  corrected: Counters;
  /** Where the organization is. */
  today: Temporal.PlainDate;
  /** What was posted to the aircraft in the `useDays` before. */
  recent: Counters;
}

/** The days of use from which a date is forecast. */
export const useDays = 90;

/** How one limit stands: `late` is overdue within the tolerance. */
type Standing = "past" | "late" | "upcoming" | "ok";
const worstFirst: readonly Standing[] = ["past", "late", "upcoming", "ok"];
const statusOf = { past: "overdue", late: "overdue", upcoming: "upcoming", ok: "ok" } as const;

interface Limit {
  standing: Standing;
  due: number | null;
  remaining: number | null;
  /** As `remaining`, not rounded. */
  left: number | null;
  /** Null without use, or if it is unknown when the item was last done. */
  forecast: Temporal.PlainDate | null;
}

export interface UsedLimits {
  hours: Limit | null;
  landings: Limit | null;
}

export function assess(item: ItemLimits, at: At): Assessment {
  const { hours, landings } = usedLimits(item, at);
  const date = dateLimit(item, at.today);
  const worst = worstOf([hours, landings, date]);
  const forecasts = [hours?.forecast, landings?.forecast, date?.due].filter((on) => on !== undefined && on !== null);
  const [status, expected] = [statusOf[worst], forecasts.toSorted(Temporal.PlainDate.compare)[0]];
  // Once that day has passed, it was used less than expected: from then on, another day is.
  const missed = expected === undefined || status === "overdue" ? [] : [expected.add({ days: 1 })];
  return {
    status,
    past_tolerance: worst === "past",
    due_on: date?.due ? toLegalDate(date.due) : null,
    due_hours: hours?.due ?? null,
    due_landings: landings?.due ?? null,
    remaining_hours: hours?.remaining ?? null,
    remaining_landings: landings?.remaining ?? null,
    forecast_on: expected === undefined ? null : toLegalDate(expected),
    changes_on: earliest(
      [...missed, ...(date?.changes ?? [])].filter((on) => Temporal.PlainDate.compare(on, at.today) > 0),
    ),
  };
}

/** The limits that are used up by flying. Null: the item has none. */
export const usedLimits = (item: ItemLimits, at: At): UsedLimits => ({
  hours: hoursLimit(item, at),
  landings: landingsLimit(item, at),
});

/** As `assess`, of its status alone: the clearance of a whole fleet asks for no more. */
export const isOverdue = (item: ItemLimits, at: At): boolean =>
  isLateByDate(item, at.today) || [hoursLimit(item, at), landingsLimit(item, at)].some(isOverdueBy);

const isOverdueBy = (limit: Limit | null): boolean => limit !== null && statusOf[limit.standing] === "overdue";

/** Whether it is past its tolerance by date, whatever the counters are. */
export const isPastByDate = (item: ItemLimits, today: Temporal.PlainDate): boolean =>
  isLateByDate(item, today) && dateLimit(item, today)?.standing === "past";

/** Most items are not: of these no other date is computed. */
const isLateByDate = onceForBoth((item: ItemLimits, today: Temporal.PlainDate): boolean => {
  const due = dueOf(item);
  return due === null ? isNeverDone(item) : Temporal.PlainDate.compare(today, due) > 0;
});

/** Without the day when it was last done, an item with a date is late. */
const isNeverDone = ({ interval_months, last_done_on }: ItemLimits): boolean =>
  interval_months !== null && last_done_on === null;

/** Returns the last day on which it is not late; null: it is not known, or has no date. */
const dueOf = ({ interval_months: months, last_done_on: done }: ItemLimits): Temporal.PlainDate | null =>
  months === null || done === null ? null : Temporal.PlainDate.from(done).add({ months });

function worstOf(limits: readonly (Pick<Limit, "standing"> | null)[]): Standing {
  return worstFirst.find((standing) => limits.some((limit) => limit?.standing === standing)) ?? "ok";
}

function hoursLimit(item: ItemLimits, at: At): Limit | null {
  const { hours_counter, interval_hours: interval, tolerance_hours: tolerance, upcoming_hours: upcoming } = item;
  if (interval === null) return null;
  const counter = usedOf(item, hours_counter === "airframe" ? "airframe_minutes" : hours_counter, at);
  // In hundredths of an hour, of which airframe minutes need not be whole ones.
  const inHundredths = (value: number) => (hours_counter === "airframe" ? (value * 100) / 60 : value);
  const done = counter.done === null ? null : inHundredths(counter.done);
  const [now, used] = [inHundredths(counter.now), inHundredths(counter.used)];
  return counted({ interval, tolerance, upcoming, done, now, used, today: at.today });
}

function landingsLimit(item: ItemLimits, at: At): Limit | null {
  const { interval_landings: interval, tolerance_landings: tolerance, upcoming_landings: upcoming } = item;
  if (interval === null) return null;
  return counted({ interval, tolerance, upcoming, ...usedOf(item, "landings", at), today: at.today });
}

/** A correction is no use: `done` is the reading that the counter would have had with all corrections until now. */
function usedOf(item: ItemLimits, name: keyof Counters, { counters, corrected, recent }: At) {
  const read = item[`last_done_${name}`];
  const done = read === null ? null : read + corrected[name] - item.last_done_corrected[name];
  return { done, now: counters[name], used: recent[name] };
}

interface Count {
  interval: number;
  tolerance: number;
  upcoming: number;
  done: number | null;
  now: number;
  /** In `useDays`. */
  used: number;
  today: Temporal.PlainDate;
}

/**
 * A limit of a counter. The item is overdue once more than the interval is used: 100.0 of 100 hours are not overdue. If it
 * was last done at an unknown reading, or at one that the counter has not reached (an older version took it), the item is
 * overdue until its reading is put right; that alone grounds no aircraft.
 */
function counted({ interval, tolerance, upcoming, done, now, used, today }: Count): Limit {
  if (done === null || done > now) return { standing: "late", due: null, remaining: null, left: null, forecast: null };
  // Rounded, because sixtieths are not exact in binary; then down, so that less than nothing is overdue.
  const left = Number((interval - (now - done)).toFixed(6));
  const remaining = Math.floor(left);
  const standing = remaining < -tolerance ? "past" : remaining < 0 ? "late" : remaining <= upcoming ? "upcoming" : "ok";
  const due = Math.max(0, Math.floor(done + interval));
  return { standing, due, remaining, left, forecast: runsOutOn(left, used, today) };
}

/** Dates further away than this are no forecast. */
const longestForecast = 36_525;

function runsOutOn(left: number, used: number, today: Temporal.PlainDate): Temporal.PlainDate | null {
  if (used <= 0) return null;
  const days = Math.floor((Math.max(0, left) * useDays) / used);
  return days > longestForecast ? null : today.add({ days });
}

interface DateLimit {
  standing: Standing;
  due: Temporal.PlainDate | null;
  /** When the standing changes. */
  changes: Temporal.PlainDate[];
}

const dateLimit = onceForBoth((item: ItemLimits, today: Temporal.PlainDate): DateLimit | null => {
  if (isNeverDone(item)) return { standing: "late", due: null, changes: [] };
  const due = dueOf(item);
  if (due === null) return null;
  const lateFrom = due.add({ days: 1 });
  const pastFrom = due.add({ months: item.tolerance_months }).add({ days: item.tolerance_days + 1 });
  const upcomingFrom = due.subtract({ days: item.upcoming_days });
  const isFrom = (from: Temporal.PlainDate) => Temporal.PlainDate.compare(today, from) >= 0;
  const standing = isFrom(pastFrom) ? "past" : isFrom(lateFrom) ? "late" : isFrom(upcomingFrom) ? "upcoming" : "ok";
  return { standing, due, changes: [upcomingFrom, lateFrom, pastFrom] };
});

const earliest = (dates: readonly Temporal.PlainDate[]): LegalDate | null => dates.map(toLegalDate).sort()[0] ?? null;
