import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { shift } from "../../../core/clock.ts";
import type { Reader } from "../../../storage/store.ts";
import { aircraft } from "../../fleet/fleet.tables.ts";
import { planningSessions as table } from "../planning.tables.ts";
import type { Interval } from "../rules/booking.ts";
import { maxSessionLength } from "../rules/duty.ts";
import type { SessionRow } from "../sessions/sessions.queries.ts";
import { most, type NewCancellations } from "./cancellations.schemas.ts";

type Filter = Pick<NewCancellations, "kinds" | "flown_only" | "aircraft_id" | "instructor_id">;

/** Returns the sessions that reach into a time and can be cancelled, the earliest first, one more than are allowed at most. */
export const cancellable = (reader: Reader<"tenant">, interval: Interval, filter: Filter): Promise<SessionRow[]> =>
  reader
    .select()
    .from(table)
    .where(matching(interval, filter))
    .orderBy(asc(table.start_at), asc(table.id))
    .limit(most + 1);

/** No session is longer, so an index with the start bounds what is read. */
function matching({ start_at, end_at }: Interval, { kinds, flown_only, aircraft_id, instructor_id }: Filter) {
  const isFlown: SQL = sql`${table.aircraft_id} in (select ${aircraft.id} from ${aircraft} where ${aircraft.class} <> 'FSTD')`;
  return and(
    inArray(table.status, ["requested", "planned"]),
    sql`${table.start_at} > ${shift(start_at, -maxSessionLength)} and ${table.start_at} < ${end_at}`,
    sql`${table.end_at} > ${start_at}`,
    inArray(table.kind, [...kinds]),
    flown_only ? isFlown : undefined,
    aircraft_id === null ? undefined : eq(table.aircraft_id, aircraft_id),
    instructor_id === null ? undefined : eq(table.instructor_id, instructor_id),
  );
}
