/**
 * The counters of an aircraft when something was done, from which the next interval counts (ML.A.302, ML.A.801): those at the
 * end of that day, whenever it is entered, or those that somebody read. They are what the instruments showed then. A correction
 * since then, or another instrument, is no time flown: it moves the reading at which an item is due, and not the hours until then.
 */
import type { Instant } from "../../../core/clock.ts";
import type { LegalDate } from "../../../core/dates.ts";
import type { Reader } from "../../../storage/store.ts";
import { startOf, startOfStored } from "../../../storage/today.ts";
import { type Counters, eachCounter } from "../../fleet/counters.queries.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import { recordsBeginOn, uncorrectedAt } from "./counters-at.queries.ts";

type TenantReader = Reader<"tenant">;

/** What somebody read. Null: they state that it is not known. What is missing follows from the flights. */
export type GivenReadings = { [Name in keyof Counters]?: number | null };

/** Null: not known. Below zero after the reversal of a flight before a counter was corrected downwards. */
export type Readings = Record<keyof Counters, number | null>;

export interface Done {
  /** Null: not known. */
  on: LegalDate | null;
  /** Flights that ended by then come before it. It is stored, so that it stays when the school moves to another time zone. */
  at: Instant;
  given: GivenReadings;
  /** What corrections had added to each counter when it was read, or by that moment. */
  corrected: Counters;
  /** Whether its day was in the aircraft's records when it was entered: then it stays there, whatever is reversed. */
  recorded: boolean;
}

const dayAfter = (on: LegalDate) => Temporal.PlainDate.from(on).add({ days: 1 });

/** Returns the moment of what is entered now: now, or the end of its day if that has passed. */
export async function momentOf(reader: TenantReader, on: LegalDate | null, now: Instant): Promise<Instant> {
  const end = on === null ? now : await startOf(reader, dayAfter(on));
  return end < now ? end : now;
}

/**
 * Returns the moment of what an older version stored without it.
 *
 * @param entered null: not on that day
 */
export async function momentOfStored(reader: TenantReader, on: LegalDate, entered: Instant | null): Promise<Instant> {
  const end = await startOfStored(reader, dayAfter(on));
  return entered !== null && entered < end ? entered : end;
}

/**
 * Returns the readings when something was done. No reading is higher than the counter at that moment: if a flight before it is
 * reversed, so that the aircraft never got there, the flights after it still count.
 */
export async function readingsOf(reader: TenantReader, aircraft: AircraftRow, done: Done): Promise<Readings> {
  const { on, at, given, corrected } = done;
  const flown = await uncorrectedAt(reader, aircraft, at);
  const isRecorded = done.recorded || (on !== null && on >= (await recordsBeginOn(reader, aircraft)));
  return eachCounter((name) => {
    const [reading, counter] = [given[name], flown[name] + corrected[name]];
    if (reading === undefined) return isRecorded ? counter : null;
    return reading === null ? null : Math.min(reading, counter);
  });
}
