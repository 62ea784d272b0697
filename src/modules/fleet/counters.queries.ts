/** The counters of an aircraft over time: its opening readings, what flights posted, and corrections. */
import { and, asc, eq, gte, type SQLWrapper, sql } from "drizzle-orm";
import { type Instant, toInstant } from "../../core/clock.ts";
import type { AircraftId } from "../../core/ids.ts";
import type { Reader } from "../../storage/store.ts";
import { requireAircraft } from "./fleet.queries.ts";
import { counterCorrections, counterPostings } from "./fleet.tables.ts";

type TenantReader = Reader<"tenant">;

export const counterNames = ["hobbs", "tacho", "airframe_minutes", "landings"] as const;

/** Readings of an aircraft's counters, or differences of readings. Hobbs and tacho are in hundredths of an hour. */
export type Counters = Record<(typeof counterNames)[number], number>;

/** No difference. */
export const unchanged: Counters = { hobbs: 0, tacho: 0, airframe_minutes: 0, landings: 0 };

const totalsOf = (table: Record<keyof Counters, SQLWrapper>) => ({
  hobbs: sql<number>`total(${table.hobbs})`,
  tacho: sql<number>`total(${table.tacho})`,
  airframe_minutes: sql<number>`total(${table.airframe_minutes})`,
  landings: sql<number>`total(${table.landings})`,
});
/** Selects the sums of postings. */
export const posted = totalsOf(counterPostings);
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
  return found ?? unchanged;
}

/** Returns what corrections have added to the counters of an aircraft until now. */
export async function correctedOf(reader: TenantReader, id: AircraftId): Promise<Counters> {
  const [changed = unchanged] = await reader
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
  let added = unchanged;
  const later = rows.map((row) => {
    const before = added;
    added = eachCounter((name) => before[name] + row[name]);
    return { since: row.corrected_at, added };
  });
  return [{ since: toInstant(new Date(0)), added: unchanged }, ...later];
}

/** Returns the opening readings plus all postings and corrections. These must equal the counters in the row. */
export async function recomputeCounters(reader: TenantReader, id: AircraftId): Promise<Counters> {
  const opening = await requireAircraft(reader, id);
  const [flown = unchanged] = await reader
    .select(posted)
    .from(counterPostings)
    .where(eq(counterPostings.aircraft_id, id));
  const changed = await correctedOf(reader, id);
  return eachCounter((name) => opening[`opening_${name}`] + flown[name] + changed[name]);
}
