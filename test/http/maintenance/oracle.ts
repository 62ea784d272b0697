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

const none: Counters = { hobbs: 0, tacho: 0, airframe_minutes: 0, landings: 0 };

/** What the corrections have added to the counters. */
export function correctedBy(opening: Counters, history: readonly Entry[]): Counters {
  const [now, flown] = [
    countersAfter(opening, history),
    countersAfter(
      opening,
      history.filter(({ kind }) => kind !== "corrected"),
    ),
  ];
  return {
    hobbs: now.hobbs - flown.hobbs,
    tacho: now.tacho - flown.tacho,
    airframe_minutes: now.airframe_minutes - flown.airframe_minutes,
    landings: now.landings - flown.landings,
  };
}

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

/** A correction is no use of the aircraft. */
export function standingOf(
  { counter, last, interval, tolerance, upcoming }: Limit,
  now: Counters,
  corrected = none,
): Standing {
  const used = now[counter] - corrected[counter] - last;
  if (used > interval) return { status: "overdue", past_tolerance: used > interval + tolerance };
  return { status: used >= interval - upcoming ? "upcoming" : "ok", past_tolerance: false };
}
