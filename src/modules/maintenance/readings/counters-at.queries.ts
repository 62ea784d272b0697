/** What the counters of an aircraft were, by the flights that are known now. */
import { and, eq, sql } from "drizzle-orm";
import { days, type Instant, shift } from "../../../core/clock.ts";
import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { AircraftId } from "../../../core/ids.ts";
import { nullAsEmpty } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { type Counters, correctedOf, eachCounter, postedBy } from "../../fleet/counters.queries.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import { counterPostings } from "../../fleet/fleet.tables.ts";
import { flights } from "../../flights/flights.tables.ts";

type TenantReader = Reader<"tenant">;

/**
 * Returns what the counters would have been at an instant without corrections, by what is known now: a flight that had landed
 * counts, whenever it was approved, and one that was reversed does not.
 */
export async function uncorrectedAt(reader: TenantReader, aircraft: AircraftRow, at: Instant): Promise<Counters> {
  const flown = await flownSince(reader, aircraft.id, at);
  const changed = await correctedOf(reader, aircraft.id);
  return eachCounter((name) => aircraft[name] - changed[name] - flown[name]);
}

/** Returns what the flights that landed after an instant have added to the counters, whenever they were approved. */
export const flownSince = (reader: TenantReader, id: AircraftId, at: Instant): Promise<Counters> =>
  landedAfter(reader, { id, at, since: shift(at, -days(1)) }); // no flight is longer

const landedAfter = postedBy(sql`
  from ${flights} join ${counterPostings} on ${counterPostings.flight_id} = ${flights.id}
  where ${flights.aircraft_id} = ${sql.placeholder("id")} and ${nullAsEmpty(flights.off_block_at)} > ${sql.placeholder("since")}
    and ${flights.on_block_at} > ${sql.placeholder("at")}`);

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
