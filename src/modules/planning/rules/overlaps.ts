import { sql } from "drizzle-orm";
import { type Instant, minutes, shift } from "../../../core/clock.ts";
import type { Reader } from "../../../storage/store.ts";
import {
  isBlocking,
  type PlanningSessionId,
  type ResourceType,
  planningResources as table,
} from "../planning.tables.ts";
import type { Settings } from "../settings/settings.schemas.ts";
import type { Booking, Finding, Interval, Resource } from "./booking.ts";

const value = sql.placeholder;

/**
 * Blocking rows of one resource never overlap, so in the order of their starts they are in the order of their ends, too:
 * those that reach into an interval are the last ones that begin before its end.
 */
const before = sql`
  select json_group_array(json_array(session_id, start_at, end_at)) from (
    select session_id, start_at, end_at from ${table}
    where ${table.resource_id} = ${value("resource_id")} and ${isBlocking} and ${table.start_at} < ${value("end_at")}
    order by ${table.start_at} desc limit 20)
  where end_at > ${value("start_at")} and session_id <> ${value("id")}`;

type Row = [PlanningSessionId, Instant, Instant];

/** Returns what takes up the resource in the interval, at most 20. @param id a session that does not count */
export async function takenBy(
  reader: Reader<"tenant">,
  resource_id: string,
  { start_at, end_at, id = "" as PlanningSessionId }: Pick<Booking, "start_at" | "end_at" | "id">,
): Promise<Row[]> {
  const row = await reader.first(before, { resource_id, start_at, end_at, id });
  return JSON.parse(String(row?.[0]));
}

/** Returns the sessions that take up the resource meanwhile, or too shortly before or after. */
export async function overlaps(
  reader: Reader<"tenant">,
  { type, id, name }: Resource,
  booking: Booking,
  settings: Settings,
): Promise<Finding[]> {
  const buffer = bufferOf(type, settings);
  const wide = { start_at: shift(booking.start_at, -buffer), end_at: shift(booking.end_at, buffer) };
  const rows = await takenBy(reader, id, { ...booking, ...wide });
  return rows.flatMap(([session_id, start_at, end_at]) => {
    const resource = { type, id };
    if (start_at < booking.end_at && end_at > booking.start_at)
      return [
        {
          rule: "overlap",
          action: "block",
          resource,
          session_id,
          start_at,
          end_at,
          message: `${name} is booked from ${start_at} to ${end_at}.`,
        } as const,
      ];
    if (settings.buffers === "off") return [];
    const message = `${name} needs ${buffer / minutes(1)} minutes between two bookings, and is booked from ${start_at} to ${end_at}.`;
    return [{ rule: "buffers", action: settings.buffers, message, resource, session_id, start_at, end_at }];
  });
}

/** Returns the milliseconds between two bookings. */
export function bufferOf(type: Resource["type"], settings: Settings): number {
  if (settings.buffers === "off") return 0;
  if (type === "aircraft") return minutes(settings.aircraft_buffer_minutes);
  return type === "instructor" ? minutes(settings.instructor_buffer_minutes) : 0;
}

interface Taken extends Interval {
  type: ResourceType;
  session_id: PlanningSessionId;
}

/** Returns when a resource is taken in the interval. */
export async function takenIn(
  reader: Reader<"tenant">,
  resource_id: string,
  { start_at: from, end_at: to }: Interval,
): Promise<Taken[]> {
  const row = await reader.first(taken, { resource_id, from, to });
  const rows: [ResourceType, PlanningSessionId, Instant, Instant][] = JSON.parse(String(row?.[0]));
  return rows.map(([type, session_id, start_at, end_at]) => ({ type, session_id, start_at, end_at }));
}

const isOfResource = sql`${table.resource_id} = ${value("resource_id")} and ${isBlocking}`;

/** Of those that begin before the interval, only the last can reach into it. */
const taken = sql`
  select json_group_array(json_array(${table.type}, ${table.session_id}, ${table.start_at}, ${table.end_at})) from ${table}
  where ${isOfResource} and ${table.end_at} > ${value("from")} and ${table.start_at} < ${value("to")}
    and ${table.start_at} >= ifnull((
      select max(${table.start_at}) from ${table} where ${isOfResource} and ${table.start_at} <= ${value("from")}), '')`;
