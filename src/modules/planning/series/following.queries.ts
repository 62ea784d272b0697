import { and, asc, eq, gte, inArray } from "drizzle-orm";
import type { Reader } from "../../../storage/store.ts";
import { planningSessions as table } from "../planning.tables.ts";
import type { SessionRow } from "../sessions/sessions.queries.ts";

/** Returns the session and the later ones of its series that have not begun, at most 100. */
export const followingOf = async (reader: Reader<"tenant">, row: SessionRow): Promise<SessionRow[]> =>
  row.series_id === null
    ? [row]
    : reader
        .select()
        .from(table)
        .where(
          and(
            eq(table.series_id, row.series_id),
            gte(table.start_at, row.start_at),
            inArray(table.status, ["requested", "planned"]),
          ),
        )
        .orderBy(asc(table.start_at))
        .limit(100);
