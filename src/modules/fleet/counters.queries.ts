/** The counters of an aircraft over time: its opening readings, what flights posted, and corrections. */
import { and, asc, eq, gt, gte, type SQLWrapper, sql } from "drizzle-orm";
import { days, type Instant, shift, toInstant } from "../../core/clock.ts";
import { type LegalDate, toLegalDate } from "../../core/dates.ts";
import type { AircraftId } from "../../core/ids.ts";
import { nullAsEmpty } from "../../storage/page.ts";
import type { Reader } from "../../storage/store.ts";
import { today } from "../../storage/today.ts";
import { flights } from "../flights/flights.tables.ts";
import { type AircraftRow, requireAircraft } from "./fleet.queries.ts";
import { counterCorrections, counterPostings } from "./fleet.tables.ts";

type TenantReader = Reader<"tenant">;

export const counterNames = ["hobbs", "tacho", "airframe_minutes", "landings"] as const;

/** Readings of an aircraft's counters, or differences of readings. Hobbs and tacho are in hundredths of an hour. */
export type Counters = Record<(typeof counterNames)[number], number>;

/** No difference. */
export const none: Counters = { hobbs: 0, tacho: 0, airframe_minutes: 0, landings: 0 };

const totalsOf = (table: Record<keyof Counters, SQLWrapper>) => ({
  hobbs: sql<number>`total(${table.hobbs})`,
  tacho: sql<number>`total(${table.tacho})`,
  airframe_minutes: sql<number>`total(${table.airframe_minutes})`,
  landings: sql<number>`total(${table.landings})`,
});
const posted = totalsOf(counterPostings);
const corrected = totalsOf(counterCorrections);

/** Returns the value that the function gives for each counter. */
export const eachCounter = <Value>(of: (name: keyof Counters) => Value): Record<keyof Counters, Value> => ({
  hobbs: of("hobbs"),
  tacho: of("tacho"),
  airframe_minutes: of("airframe_minutes"),
  landings: of("landings"),
});

/** Returns what was posted since then. Corrections are not included. */
export async function postedSince(reader: TenantReader, id: AircraftId, since: Instant): Promise<Counters> {
  const [found] = await reader
    .select(posted)
    .from(counterPostings)
    .where(and(eq(counterPostings.aircraft_id, id), gte(counterPostings.posted_at, since)));
  return found ?? none;
}

/** Returns what corrections have added to the counters of an aircraft until now. */
export async function correctedOf(reader: TenantReader, id: AircraftId): Promise<Counters> {
  const [changed = none] = await reader
    .select(corrected)
    .from(counterCorrections)
    .where(eq(counterCorrections.aircraft_id, id));
  return changed;
}

/** What corrections had added to the counters from an instant on, up to the next of these. */
export interface Corrected {
  since: Instant;
  added: Counters;
}

/** Returns how corrections changed the counters of an aircraft: at first not at all, at last as `correctedOf`. */
export async function correctionsOf(reader: TenantReader, id: AircraftId): Promise<Corrected[]> {
  const rows = await reader
    .select()
    .from(counterCorrections)
    .where(eq(counterCorrections.aircraft_id, id))
    .orderBy(asc(counterCorrections.seq));
  let added = none;
  const later = rows.map((row) => {
    const before = added;
    added = eachCounter((name) => before[name] + row[name]);
    return { since: row.corrected_at, added };
  });
  return [{ since: toInstant(new Date(0)), added: none }, ...later];
}

/**
 * Returns what the counters would have been at an instant without corrections, by what is known now: a flight that had landed
 * counts, whenever it was approved, and one that was reversed does not.
 */
export async function uncorrectedAt(reader: TenantReader, aircraft: AircraftRow, at: Instant): Promise<Counters> {
  const [flown = none] = await reader
    .select(posted)
    .from(flights)
    .innerJoin(counterPostings, eq(counterPostings.flight_id, flights.id))
    .where(
      and(
        eq(flights.aircraft_id, aircraft.id),
        gt(nullAsEmpty(flights.off_block_at), shift(at, -days(1))), // no flight is longer
        gt(flights.on_block_at, at),
      ),
    );
  const changed = await correctedOf(reader, aircraft.id);
  return eachCounter((name) => aircraft[name] - changed[name] - flown[name]);
}

/**
 * Returns the first date at whose end the counters are known: that on which the aircraft was added, or that before its first
 * posted flight, if it flew earlier. The opening readings are those before this flight.
 */
export async function recordsBeginOn(reader: TenantReader, { id, created_at }: AircraftRow): Promise<LegalDate> {
  const added = await today(reader, created_at);
  const [first] = await reader
    .select({ at: sql<Instant | null>`min(${flights.off_block_at})` })
    .from(counterPostings)
    .innerJoin(flights, eq(flights.id, counterPostings.flight_id))
    .where(
      and(
        eq(counterPostings.aircraft_id, id),
        eq(counterPostings.kind, "approval"),
        sql`not exists (select 1 from ${counterPostings} as undone
          where undone.flight_id = ${counterPostings.flight_id} and undone.kind = 'reversal')`,
      ),
    );
  if (!first?.at) return toLegalDate(added);
  const before = (await today(reader, first.at)).subtract({ days: 1 });
  return toLegalDate(Temporal.PlainDate.compare(before, added) < 0 ? before : added);
}

/** Returns the opening readings plus all postings and corrections. These must equal the counters in the row. */
export async function recomputeCounters(reader: TenantReader, id: AircraftId): Promise<Counters> {
  const opening = await requireAircraft(reader, id);
  const [flown = none] = await reader.select(posted).from(counterPostings).where(eq(counterPostings.aircraft_id, id));
  const changed = await correctedOf(reader, id);
  return eachCounter((name) => opening[`opening_${name}`] + flown[name] + changed[name]);
}
