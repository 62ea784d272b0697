/** Checks what somebody enters about what was done, and finds the counters that it belongs to. */
import { days, type Instant, shift } from "../../../core/clock.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { type Issue, throwIfAny } from "../../../core/errors.ts";
import type { Reader } from "../../../storage/store.ts";
import { startOf, today } from "../../../storage/today.ts";
import { type Counters, correctionsOf, counterNames, eachCounter, unchanged } from "../../fleet/counters.queries.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import { recordsBeginOn, uncorrectedAt } from "./counters-at.queries.ts";
import { type Done, type GivenReadings, momentOf } from "./readings.ts";

type TenantReader = Reader<"tenant">;

interface Names {
  /** The name of the field with the date. */
  on: string;
  /** Before the names of the counters. */
  prefix: "" | "last_done_";
}

interface Entered {
  on: LegalDate | null;
  given: GivenReadings;
  now: Instant;
  /** The moment, if it was entered before. */
  at?: Instant;
  names: Names;
}

/**
 * Returns what was done, with the moment at which it is entered, or that of the end of its day. Readings must fit the counters of
 * the day: from those at its start to those at its end. Before the records of the aircraft begin, and without a date, they have no
 * lower limit.
 *
 * @throws VALIDATION_ERROR the date is in the future, or a reading does not fit
 */
export async function entered(
  reader: TenantReader,
  aircraft: AircraftRow,
  { on, given, now, at: known, names }: Entered,
): Promise<Done> {
  if (on !== null && on > toLegalDate(await today(reader, now)))
    throwIfAny([{ path: names.on, code: "in_future", message: "Must not be after today." }]);
  const at = known ?? (await momentOf(reader, on, now));
  const recorded = on !== null && on >= (await recordsBeginOn(reader, aircraft));
  const start = recorded ? await startOfDay(reader, { on, at: known }) : undefined;
  const highest = await uncorrectedAt(reader, aircraft, at);
  const lowest = start && (await uncorrectedAt(reader, aircraft, start));
  const { then, likely } = await correctedBy(reader, aircraft, { at: at === now ? undefined : at, start });

  const isTooBig = (name: CounterName, added: Counters) => (given[name] ?? 0) > highest[name] + added[name];
  const isTooSmall = (name: CounterName, added: Counters) =>
    lowest !== undefined && (given[name] ?? 0) < lowest[name] + added[name];
  const fitting = eachCounter((name) => {
    if ((given[name] ?? null) === null) return then;
    return likely.find((added) => !isTooBig(name, added) && !isTooSmall(name, added));
  });
  throwIfAny(
    counterNames.flatMap((name): Issue[] => {
      if (fitting[name] !== undefined) return [];
      const path = `${names.prefix}${name}`;
      if (lowest !== undefined && !isTooBig(name, then))
        return [{ path, code: "too_low", message: `Must not be below the aircraft's counter before ${on}.` }];
      const when = on === null ? "" : ` on ${on}`;
      return [{ path, code: "too_high", message: `Must not exceed the aircraft's counter${when}.` }];
    }),
  );
  return { on, at, given, corrected: eachCounter((name) => (fitting[name] ?? then)[name]), recorded };
}

type CounterName = keyof Counters;

/** Of what was entered before, in the time zone of then: a day before its moment. */
const startOfDay = async (reader: TenantReader, { on, at }: { on: LegalDate; at: Instant | undefined }) =>
  at === undefined ? startOf(reader, Temporal.PlainDate.from(on)) : shift(at, -days(1));

interface Day {
  /** Undefined: now. */
  at: Instant | undefined;
  /** Undefined: it is not in the records. */
  start: Instant | undefined;
}

interface CorrectedBy {
  /** What corrections had added by then. */
  then: Counters;
  /** What they had added to the counters that somebody may have read, the most likely first. */
  likely: readonly Counters[];
}

/**
 * Readings of a day in the records are those of the instruments then. But an instrument may have been exchanged on that day, or the
 * records were put right later, to what the instrument had shown all along. Readings of before the records are compared with the
 * counters as they were put right last.
 */
async function correctedBy(reader: TenantReader, { id }: AircraftRow, { at, start }: Day): Promise<CorrectedBy> {
  const corrections = await correctionsOf(reader, id);
  const added = corrections.map((one) => one.added);
  const indexAt = (moment: Instant) => corrections.findLastIndex(({ since }) => since <= moment);
  const index = at === undefined ? added.length - 1 : indexAt(at);
  const then = added[index] ?? unchanged;
  if (start === undefined) return { then, likely: added.slice(index).toReversed() };
  return { then, likely: [then, ...added.slice(indexAt(start))] };
}

/** @throws VALIDATION_ERROR the counters of the day are not known */
export async function requireRecorded(
  reader: TenantReader,
  aircraft: AircraftRow,
  { done, path }: { done: Done; path: string },
): Promise<void> {
  if (done.recorded) return;
  const message = `Must not be before ${await recordsBeginOn(reader, aircraft)}, when the records of the aircraft begin.`;
  throwIfAny([{ path, code: "out_of_order", message }]);
}
