/** Who worked on a work order, and how long. */
import { eq } from "drizzle-orm";
import { toLegalDate } from "../../../core/dates.ts";
import { type Issue, invalid, issue, throwIfAny } from "../../../core/errors.ts";
import type { WorkOrderId } from "../../../core/ids.ts";
import { insertRow } from "../../../storage/insert-row.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import { findPersonRow } from "../../people/people.queries.ts";
import { workOrderHours } from "../maintenance.tables.ts";
import type { NewHours } from "./work-orders.schemas.ts";

/**
 * Returns the minutes of a work order: the sum of its hours, or without them what is entered.
 *
 * @throws VALIDATION_ERROR both are there, and differ
 */
export function totalOf(hours: readonly { minutes: number }[], entered: number | undefined): number | undefined {
  if (hours.length === 0) return entered;
  const sum = hours.reduce((total, { minutes }) => total + minutes, 0);
  if (entered !== undefined && entered !== sum)
    throw invalid(issue("worked_minutes", "not_both", { fields: ["worked_minutes", "hours"] }));
  return sum;
}

export const hoursOf = (tx: Tx<"tenant">, id: WorkOrderId) =>
  tx.select({ minutes: workOrderHours.minutes }).from(workOrderHours).where(eq(workOrderHours.work_order_id, id));

/** Replaces the hours of a work order. @throws VALIDATION_ERROR no such person, or a day in the future */
export async function recordHours(tx: Tx<"tenant">, id: WorkOrderId, hours: NewHours): Promise<void> {
  throwIfAny(await issuesOf(tx, hours));
  await tx.delete(workOrderHours).where(eq(workOrderHours.work_order_id, id));
  for (const [position, one] of hours.entries())
    await insertRow(tx, workOrderHours, { work_order_id: id, position, ...one });
}

async function issuesOf(tx: Tx<"tenant">, hours: NewHours): Promise<Issue[]> {
  const present = toLegalDate(await today(tx, tx.now));
  const known = new Map<string, boolean>();
  const issues: Issue[] = [];
  for (const [at, { person_id, worked_on }] of hours.entries()) {
    if (worked_on > present)
      issues.push({ path: `hours.${at}.worked_on`, code: "in_future", message: "Must not be after today." });
    if (person_id === null) continue;
    if (!known.has(person_id)) known.set(person_id, (await findPersonRow(tx, person_id)) !== undefined);
    if (!known.get(person_id))
      issues.push({ path: `hours.${at}.person_id`, code: "unknown", message: "There is no such person." });
  }
  return issues;
}
