/** The counters of an aircraft over time: its opening readings, what flights posted, and corrections. */
import { asc, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Instant, toInstant } from "../../core/clock.ts";
import type { AircraftId } from "../../core/ids.ts";
import type { Reader, Value } from "../../storage/store.ts";
import { requireAircraft } from "./fleet.queries.ts";
import { counterCorrections, counterPostings } from "./fleet.tables.ts";

type TenantReader = Reader<"tenant">;

export const counterNames = ["hobbs", "tacho", "airframe_minutes", "landings"] as const;

/** Readings of an aircraft's counters, or differences of readings. Hobbs and tacho are in hundredths of an hour. */
export type Counters = Record<(typeof counterNames)[number], number>;

/** No difference. */
export const unchanged: Counters = { hobbs: 0, tacho: 0, airframe_minutes: 0, landings: 0 };

/** Selects the sums of postings, or of corrections. */
const totalsOf = (table: Record<keyof Counters, SQLWrapper>) =>
  sql.join(
    counterNames.map((name) => sql`total(${table[name]})`),
    sql.raw(", "),
  );

/** Makes a query for the sums of what flights posted. @param rest from `from` on */
export const postedBy = (rest: SQL) => totals(totalsOf(counterPostings), rest);
const correctedBy = (rest: SQL) => totals(totalsOf(counterCorrections), rest);

function totals(sums: SQL, rest: SQL) {
  const statement = sql<[number, number, number, number]>`select ${sums} ${rest}`;
  return async (reader: TenantReader, values: Record<string, Value>): Promise<Counters> => {
    const [[hobbs, tacho, airframe_minutes, landings] = [0, 0, 0, 0]] = await reader.rows(statement, values);
    return { hobbs, tacho, airframe_minutes, landings };
  };
}

/** Returns the value that the function gives for each counter. */
export const eachCounter = <Value>(valueFor: (name: keyof Counters) => Value): Record<keyof Counters, Value> => ({
  hobbs: valueFor("hobbs"),
  tacho: valueFor("tacho"),
  airframe_minutes: valueFor("airframe_minutes"),
  landings: valueFor("landings"),
});

const id = sql.placeholder("id");
const isPosted = sql`from ${counterPostings} where ${counterPostings.aircraft_id} = ${id}`;
const all = postedBy(isPosted);
const recent = postedBy(sql`${isPosted} and ${counterPostings.posted_at} >= ${sql.placeholder("since")}`);
const corrected = correctedBy(sql`from ${counterCorrections} where ${counterCorrections.aircraft_id} = ${id}`);

/** Returns what was posted since then. Corrections are not included. */
export const postedSince = (reader: TenantReader, id: AircraftId, since: Instant): Promise<Counters> =>
  recent(reader, { id, since });

/** Returns what corrections have added to the counters of an aircraft until now. */
export const correctedOf = (reader: TenantReader, id: AircraftId): Promise<Counters> => corrected(reader, { id });

const correctedByAircraft = sql<[AircraftId, number, number, number, number]>`
  select ${counterCorrections.aircraft_id}, ${totalsOf(counterCorrections)} from ${counterCorrections}
  group by ${counterCorrections.aircraft_id}`;

/** As `correctedOf`, of all aircraft that have corrections. */
export async function correctedOfAll(reader: TenantReader): Promise<ReadonlyMap<AircraftId, Counters>> {
  const rows = await reader.rows(correctedByAircraft, {});
  return new Map(
    rows.map(([id, hobbs, tacho, airframe_minutes, landings]) => [id, { hobbs, tacho, airframe_minutes, landings }]),
  );
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
    .orderBy(asc(counterCorrections.id));
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
  const flown = await all(reader, { id });
  const changed = await correctedOf(reader, id);
  return eachCounter((name) => opening[`opening_${name}`] + flown[name] + changed[name]);
}
