import { and, eq } from "drizzle-orm";
import type { FlightId } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { planningSessions as table } from "../planning.tables.ts";
import { sessionEntity } from "./sessions.queries.ts";

/**
 * Posting: completes the session whose check-in drafted the flight, also one that was flown before its time. One that was completed
 * by hand stays so, and a reversal of the flight changes nothing: the session took place.
 */
export async function completeSessionOf(tx: Tx<"tenant">, by: By, flightId: FlightId): Promise<void> {
  const [row] = await tx
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.flight_id, flightId), eq(table.status, "checked_in")));
  if (row === undefined) return;
  await changeRow(tx, by, sessionEntity, {
    id: row.id,
    action: "planning_session.completed",
    set: { status: "completed", updated_at: tx.now },
  });
}
