/**
 * What the counters, the releases and the maintenance of an aircraft must be after a history of flights, corrections and
 * releases: plain sums, without the program's own functions. Hobbs is in hundredths of an hour.
 */

export interface Counters {
  hobbs: number;
  airframe_minutes: number;
  landings: number;
}
export const names = ["hobbs", "airframe_minutes", "landings"] as const;

const each = (valueFor: (name: keyof Counters) => number): Counters => ({
  hobbs: valueFor("hobbs"),
  airframe_minutes: valueFor("airframe_minutes"),
  landings: valueFor("landings"),
});

export interface Flown extends Counters {
  id: string;
  starts: number;
  ends: number;
}

export interface Done {
  on: string;
  /** Flights that ended by then come before it. */
  moment: number;
  /** What corrections had added to the counters by then. */
  corrected: Counters;
  /** What the mechanic read. */
  given: Partial<Counters>;
}

export class ReleaseHistory {
  /** Those that are approved. */
  flights: Flown[] = [];
  corrections: (Counters & { at: number })[] = [];
  releases: (Done & { id: string })[] = [];
  /** From which the items count. */
  last: Done | undefined;
  /** Of a defect, by so much airframe time. */
  deferral: { moment: number; minutes: number } | undefined;
  /** Where the school is. */
  zone = "Europe/Berlin";
  readonly #opening: Counters;
  readonly #added: number;

  constructor(opening: Counters, added: number) {
    this.#opening = opening;
    this.#added = added;
  }

  dateAt = (moment: number): string =>
    Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(this.zone).toPlainDate().toString();

  startOf = (date: string): number => Temporal.PlainDate.from(date).toZonedDateTime(this.zone).epochMilliseconds;

  /** The moment of what is released on a day. */
  momentOf = (on: string, now: number): number =>
    Math.min(now, this.startOf(Temporal.PlainDate.from(on).add({ days: 1 }).toString()));

  /** The first day of a release. */
  begin(): string {
    const [first] = this.flights.map(({ starts }) => starts).toSorted((one, other) => one - other);
    const added = this.dateAt(this.#added);
    if (first === undefined) return added;
    const before = Temporal.PlainDate.from(this.dateAt(first)).subtract({ days: 1 }).toString();
    return [before, added].toSorted()[0] ?? added;
  }

  correctedBy = (moment: number): Counters =>
    each((name) => sum(this.corrections.filter(({ at }) => at <= moment).map((one) => one[name])));

  /** The counters at a moment, with what corrections had added by another. */
  countersAt(moment: number, corrected = this.correctedBy(moment)): Counters {
    const flown = this.flights.filter(({ ends }) => ends <= moment);
    return each((name) => this.#opening[name] + sum(flown.map((one) => one[name])) + corrected[name]);
  }

  counters = (): Counters => this.countersAt(Number.POSITIVE_INFINITY);

  /** The readings then. Below zero, which is not shown, after a reversal from before a counter was corrected downwards. */
  readingsOf({ moment, corrected, given }: Done): Counters {
    const then = this.countersAt(moment, corrected);
    return each((name) => Math.min(given[name] ?? Number.POSITIVE_INFINITY, then[name]));
  }

  /** The airframe time that the aircraft may still fly with the defect. */
  remainingOf({ moment, minutes }: { moment: number; minutes: number }): number {
    const since = this.flights.filter(({ ends }) => ends > moment);
    return minutes - sum(since.map(({ airframe_minutes }) => airframe_minutes));
  }

  /** What flights have added since then, and on that day since what the mechanic read. */
  usedSince(done: Done): Counters {
    const readings = this.readingsOf(done);
    const then = this.countersAt(done.moment, done.corrected);
    const since = this.flights.filter(({ ends }) => ends > done.moment);
    return each((name) => sum(since.map((one) => one[name])) + then[name] - readings[name]);
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
