/** How aircraft are booked ahead, for the forecast of their maintenance. */
import { sql } from "drizzle-orm";
import { yieldToEventLoop } from "../../core/async.ts";
import { days, type Instant, shift } from "../../core/clock.ts";
import type { AircraftId } from "../../core/ids.ts";
import type { Reader } from "../../storage/store.ts";
import { counterPostings } from "../fleet/fleet.tables.ts";
import { useDays } from "../maintenance/assessment/assess.ts";
import type { BookedUse } from "../maintenance/maintenance.occasions.ts";
import { planningSessions as table } from "./planning.tables.ts";
import { maxSessionLength } from "./rules/duty.ts";

const value = sql.placeholder;
const isFlown = sql`${table.kind} in ('flight', 'lesson')`;
const minutes = sql`(unixepoch(${table.end_at}) - unixepoch(${table.start_at})) / 60`;

/** From the index of the aircraft. What ends before now is over, whatever its status is. */
const ahead = sql`(
  select json_group_array(json_array(start_at, minutes)) from (
    select ${table.start_at} as start_at, ${minutes} as minutes from ${table}
    where ${table.aircraft_id} = wanted.value and ${table.start_at} > ${value("earliest")} and ${table.end_at} > ${value("now")}
      and ${isFlown} and ${table.status} in ('requested', 'planned', 'checked_in')
    order by ${table.start_at}))`;

/** Of the sessions whose flights were posted; a reversal takes its flight back. */
const flown = sql`(
  select json_array(count(*), total(minutes), total(hobbs), total(tacho), total(airframe)) from (
    select ${minutes} as minutes, total(${counterPostings.hobbs}) as hobbs, total(${counterPostings.tacho}) as tacho,
      total(${counterPostings.airframe_minutes}) as airframe
    from ${table} cross join ${counterPostings} on ${counterPostings.flight_id} = ${table.flight_id}
    where ${table.aircraft_id} = wanted.value and ${table.start_at} > ${value("since")} and ${table.start_at} <= ${value("now")}
      and ${isFlown} and ${table.status} = 'completed'
    group by ${table.id} having count(*) = 1))`;

const statement = sql<[AircraftId, string, string]>`
  select wanted.value, ${ahead}, ${flown} from json_each(${value("ids")}) as wanted`;

/** Fewer sessions say nothing about the next ones. */
const fewest = 5;
/** So many aircraft are read at once. */
const piece = 20;

/** Returns how each of the aircraft is booked. */
export async function bookedUseOf(
  reader: Reader<"tenant">,
  { ids, now }: { ids: readonly AircraftId[]; now: Instant },
): Promise<ReadonlyMap<AircraftId, BookedUse>> {
  const values = { now, earliest: shift(now, -maxSessionLength), since: shift(now, -days(useDays)) };
  const found = new Map<AircraftId, BookedUse>();
  for (let from = 0; from < ids.length; from += piece) {
    if (from > 0) await yieldToEventLoop();
    const rows = await reader.rows(statement, { ids: JSON.stringify(ids.slice(from, from + piece)), ...values });
    for (const [id, booked, posted] of rows) found.set(id, useIn(JSON.parse(booked), JSON.parse(posted)));
  }
  return found;
}

type Posted = [sessions: number, minutes: number, hobbs: number, tacho: number, airframe_minutes: number];

function useIn(booked: [Instant, number][], [sessions, length, hobbs, tacho, airframe]: Posted): BookedUse {
  // A counter that did not run was not read.
  const perHour = (hours: number) => (sessions < fewest || length === 0 || hours <= 0 ? null : (hours * 60) / length);
  return {
    sessions: booked.map(([start_at, minutes]) => ({ start_at, minutes })),
    per_hour: { hobbs: perHour(hobbs / 100), tacho: perHour(tacho / 100), airframe: perHour(airframe / 60) },
  };
}
