/**
 * What the counters and the maintenance of an aircraft must be, computed from its flights and corrections alone, without the
 * program's own functions. Hobbs and tacho are in hundredths of an hour.
 */

export interface Counters {
  hobbs: number;
  tacho: number;
  airframe_minutes: number;
  landings: number;
}

export interface Flown {
  isSession: boolean;
  minutes: number;
  landings: number;
  /** End less start. */
  hobbs: number;
  tacho: number;
}

/** What has happened to an aircraft, in order. An import is no entry: it moves no counters. */
export type Entry =
  | { kind: "approved" | "reversed"; flight: Flown }
  | { kind: "corrected"; readings: Partial<Counters> };

export function countersAfter(opening: Counters, history: readonly Entry[]): Counters {
  const now = { ...opening };
  for (const entry of history) {
    if (entry.kind === "corrected") {
      Object.assign(now, entry.readings);
      continue;
    }
    const sign = entry.kind === "approved" ? 1 : -1;
    const { isSession, minutes, landings, hobbs, tacho } = entry.flight;
    now.hobbs += sign * hobbs;
    now.tacho += sign * tacho;
    if (!isSession) {
      now.airframe_minutes += sign * minutes;
      now.landings += sign * landings;
    }
  }
  return now;
}

/** A limit of an item by one counter, in the unit of the counter. */
export interface Limit {
  counter: keyof Counters;
  last: number;
  interval: number;
  tolerance: number;
  upcoming: number;
}

interface Standing {
  status: "ok" | "upcoming" | "overdue";
  past_tolerance: boolean;
}

export function standingOf({ counter, last, interval, tolerance, upcoming }: Limit, now: Counters): Standing {
  const used = now[counter] - last;
  if (used < 0) return { status: "overdue", past_tolerance: false }; // last done at a reading that is not reached
  if (used > interval) return { status: "overdue", past_tolerance: used > interval + tolerance };
  return { status: used >= interval - upcoming ? "upcoming" : "ok", past_tolerance: false };
}
