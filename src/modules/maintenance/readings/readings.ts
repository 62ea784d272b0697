/**
 * The counters of an aircraft when something was done, from which the next interval counts (ML.A.302, ML.A.801): those at the
 * end of that day, whenever it is entered, or those that somebody read.
 */
import type { Instant } from "../../../core/clock.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import { type Issue, throwIfAny } from "../../../core/errors.ts";
import type { Reader } from "../../../storage/store.ts";
import { startOf, today } from "../../../storage/today.ts";
import { type Counters, counterNames, countersAt, eachCounter, recordsBeginOn } from "../../fleet/counters.queries.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";

type TenantReader = Reader<"tenant">;

/** What somebody read. Null: they state that it is not known. What is missing follows from the flights. */
export type GivenReadings = { [Name in keyof Counters]?: number | null };

/** Null: not known. */
export type Readings = Record<keyof Counters, number | null>;

export interface Done {
  /** Null: not known. */
  on: LegalDate | null;
  /** The moment, if it was entered on that day: flights of the day that ended later come after it. Null: the day's end. */
  at: Instant | null;
  given: GivenReadings;
}

/** Returns the moment before which flights come before what was done. */
export const momentOf = async (reader: TenantReader, { on, at }: { on: LegalDate; at: Instant | null }) =>
  at ?? (await startOf(reader, Temporal.PlainDate.from(on).add({ days: 1 })));

/** Something that is done now is done at this moment; what was done before, by the end of its day. */
export const momentNow = async (reader: TenantReader, on: LegalDate | null, now: Instant): Promise<Instant | null> =>
  on === toLegalDate(await today(reader, now)) ? now : null;

/**
 * Returns the readings when something was done. No reading is higher than the counter at that moment: if a flight before it is
 * reversed, so that the aircraft never got there, the flights after it still count.
 */
export async function readingsOf(reader: TenantReader, aircraft: AircraftRow, done: Done): Promise<Readings> {
  const { on, at, given } = done;
  if (on === null) return eachCounter((name) => given[name] ?? null);
  const counters = await countersAt(reader, aircraft, await momentOf(reader, { on, at }));
  const isRecorded = on >= (await recordsBeginOn(reader, aircraft));
  return eachCounter((name) => {
    const reading = given[name];
    if (reading === undefined) return isRecorded ? counters[name] : null;
    return reading === null ? null : Math.min(reading, counters[name]);
  });
}

interface Names {
  /** The name of the field with the date. */
  on: string;
  /** Before the names of the counters. */
  prefix: "" | "last_done_";
}

/**
 * Checks that the readings fit the counters of their day: from those at its start to those at its end. Before the records of
 * the aircraft begin, and without a date, they have no lower limit.
 *
 * @throws VALIDATION_ERROR the date is in the future, or a reading does not fit
 */
export async function checkDone(
  reader: TenantReader,
  aircraft: AircraftRow,
  { done: { on, at, given }, now, names }: { done: Done; now: Instant; names: Names },
): Promise<void> {
  if (on !== null && on > toLegalDate(await today(reader, now)))
    throwIfAny([{ path: names.on, code: "too_big", message: "Must not be after today." }]);
  const highest = on === null ? aircraft : await countersAt(reader, aircraft, await momentOf(reader, { on, at }));
  const isRecorded = on !== null && on >= (await recordsBeginOn(reader, aircraft));
  const atStart = isRecorded
    ? await countersAt(reader, aircraft, await startOf(reader, Temporal.PlainDate.from(on)))
    : undefined;
  const lowest = eachCounter((name) => {
    const start = atStart?.[name] ?? 0;
    // The instrument was replaced since then, and the reading may be one of the new instrument.
    return start > Math.min(highest[name], aircraft[name]) ? 0 : start;
  });
  const when = on === null ? "" : ` on ${on}`;
  throwIfAny(
    counterNames.flatMap((name): Issue[] => {
      const [reading, path] = [given[name] ?? null, `${names.prefix}${name}`];
      if (reading === null) return [];
      if (reading > highest[name])
        return [{ path, code: "too_big", message: `Must not exceed the aircraft's counter${when}.` }];
      if (reading < lowest[name])
        return [{ path, code: "too_small", message: `Must not be below the aircraft's counter before ${on}.` }];
      return [];
    }),
  );
}

/** @throws VALIDATION_ERROR the counters of the day are not known */
export async function requireRecorded(
  reader: TenantReader,
  aircraft: AircraftRow,
  { on, path }: { on: LegalDate; path: string },
): Promise<void> {
  const begin = await recordsBeginOn(reader, aircraft);
  if (on >= begin) return;
  const message = `Must not be before ${begin}, when the records of the aircraft begin.`;
  throwIfAny([{ path, code: "too_small", message }]);
}
