/** When each database was last read as a whole, and how far its present scrub is. Kept in the control database. */
import { asc, eq, sql } from "drizzle-orm";
import { hasPassed, type Instant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { Place } from "./check/messages.ts";
import { installation, tenantMarks } from "./control.tables.ts";
import type { Control, Reader } from "./store.ts";

/** How far the scrub of a database is. */
export interface Scrub {
  database: OrgId | "control";
  /** The end of the last one. */
  scrubbed_at: Instant | null;
  /** Where the present one goes on; null: at the beginning. */
  scrub_place: Place | null;
  /** What the present or the last one found damaged. */
  scrub_damaged: number;
}

const columnsOf = ({ scrubbed_at, scrub_place, scrub_damaged }: typeof tenantMarks | typeof installation) => ({
  scrubbed_at,
  scrub_place,
  scrub_damaged,
});

/**
 * Returns the databases that were not read for an interval, those first that were not for the longest time. What was read in
 * the future, by a clock that was ahead, is due.
 */
export async function dueScrubs(
  control: Control,
  { interval, now }: { interval: number; now: Date },
): Promise<Scrub[]> {
  return control.read(async (reader) => {
    const own = await reader.select(columnsOf(installation)).from(installation);
    const schools = await reader
      .select({ database: tenantMarks.org_id, ...columnsOf(tenantMarks) })
      .from(tenantMarks)
      .orderBy(asc(tenantMarks.scrubbed_at), asc(tenantMarks.org_id));
    const all: Scrub[] = [...own.map((row) => ({ database: "control" as const, ...row })), ...schools];
    const isDue = (at: Instant | null) => at === null || hasPassed(interval, { since: new Date(at), now });
    return all.filter(({ scrubbed_at }) => isDue(scrubbed_at));
  });
}

/** Of a file that has taken another one's place. */
export const neverScrubbed = { scrubbed_at: null, scrub_place: null, scrub_damaged: 0 } as const;

export const storeScrub = (control: Control, { database, ...set }: Scrub): Promise<unknown> =>
  control.write((tx) =>
    database === "control"
      ? tx.update(installation).set(set)
      : tx.update(tenantMarks).set(set).where(eq(tenantMarks.org_id, database)),
  );

const databases = sql`(select 'control' as database, scrub_damaged from ${installation} union all
  select org_id, scrub_damaged from ${tenantMarks})`;

/** Returns the names of all databases. */
export const scrubbedDatabases = async (reader: Reader<"control">): Promise<Scrub["database"][]> =>
  (await reader.values<[Scrub["database"]]>(sql`select database from ${databases}`)).map(([database]) => database);

/** Returns those in which the present or the last scrub found damage. */
export const damagedDatabases = async (reader: Reader<"control">): Promise<Scrub["database"][]> =>
  (await reader.values<[Scrub["database"]]>(sql`select database from ${databases} where scrub_damaged > 0`)).map(
    ([database]) => database,
  );

export interface ScrubStats {
  damaged: number;
  /** The end of the oldest last scrub; null if a database was never read. */
  oldest: Instant | null;
}

export async function scrubStats(reader: Reader<"control">): Promise<ScrubStats> {
  const [row] = await reader.values<[number, Instant | ""]>(sql`
    select sum(scrub_damaged), min(coalesce(scrubbed_at, '')) from (
      select scrub_damaged, scrubbed_at from ${installation} union all
      select scrub_damaged, scrubbed_at from ${tenantMarks})`);
  return { damaged: row?.[0] ?? 0, oldest: row?.[1] || null };
}
