import { sql } from "drizzle-orm";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { lookUp } from "../../../storage/lookup.ts";
import type { Tx } from "../../../storage/store.ts";
import { planningSessions as table } from "../planning.tables.ts";
import { sessionEntity } from "./sessions.queries.ts";

/**
 * Posting: completes the session whose check-in drafted the approved flight (`checkedInFor`), also one that was flown before its time.
 * One that was completed by hand stays so, and a reversal of the flight changes nothing: the session took place.
 */
export async function completeCheckedIn(
  tx: Tx<"tenant">,
  by: By,
  row: Awaited<ReturnType<typeof checkedInFor>>,
): Promise<void> {
  if (row === undefined) return;
  await changeRow(tx, by, sessionEntity, {
    id: row.id,
    action: "planning_session.completed",
    set: { status: "completed", updated_at: tx.now },
  });
}

/** Returns the session that is in progress with a flight. */
export const checkedInFor = lookUp(
  { id: table.id },
  sql`from ${table} where ${table.flight_id} = ${sql.placeholder("flightId")} and ${table.status} = 'checked_in'`,
);
