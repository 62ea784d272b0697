import { and, eq, isNotNull } from "drizzle-orm";
import type { FlightId, PersonId } from "../../../core/ids.ts";
import type { Reader } from "../../../storage/store.ts";
import { planningSessions } from "../planning.tables.ts";

/** Returns the flights that were made from sessions with an instructor. */
export async function supervisedBy(
  reader: Reader<"tenant">,
  { instructor }: { instructor: PersonId },
): Promise<FlightId[]> {
  const { flight_id, instructor_id } = planningSessions;
  const rows = await reader
    .select({ flight_id })
    .from(planningSessions)
    .where(and(eq(instructor_id, instructor), isNotNull(flight_id)));
  return rows.flatMap(({ flight_id }) => flight_id ?? []);
}
