/** The aircraft, people and rooms that a session takes up. */
import { eq, sql } from "drizzle-orm";
import type { Tx } from "../../../storage/store.ts";
import { type PlanningSessionId, planningResources } from "../planning.tables.ts";
import type { Booking, Resource } from "../rules/booking.ts";

/** Writes what a session takes up. */
export async function takeUp(
  tx: Tx<"tenant">,
  id: PlanningSessionId,
  { start_at, end_at }: Pick<Booking, "start_at" | "end_at">,
  resources: readonly Resource[],
): Promise<void> {
  await tx.each(remove, [[id]]);
  await tx.each(
    insert,
    resources.map((one, position) => ({ id, position, type: one.type, resource_id: one.id, start_at, end_at })),
  );
}

const value = sql.placeholder;
const remove = sql`delete from ${planningResources} where ${planningResources.session_id} = ${value("id")}`;
const insert = sql`insert into ${planningResources} (session_id, position, type, resource_id, start_at, end_at, blocks)
  values (${value("id")}, ${value("position")}, ${value("type")}, ${value("resource_id")}, ${value("start_at")}, ${value("end_at")}, 1)`;

/** The session takes nothing up any more. */
export const release = (tx: Tx<"tenant">, id: PlanningSessionId) =>
  tx.update(planningResources).set({ blocks: false }).where(eq(planningResources.session_id, id));
