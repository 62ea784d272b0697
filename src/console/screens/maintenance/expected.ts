/** When an item of the fleet is due. */
import { daysUntil } from "../../app/days.ts";
import type { DueItem } from "./fleet-due.tsx";

/**
 * Its last day; or before that the day on which its hours run out: at what is booked, which is known, or else at the usual use, which
 * is a guess. Null: neither is in sight.
 */
export function expectedOn({ booked_on, due_on, forecast_on }: DueItem): string | null {
  if (booked_on !== null && booked_on !== due_on) return booked_on;
  if (due_on === null || forecast_on === null) return due_on ?? forecast_on;
  return forecast_on < due_on ? forecast_on : due_on;
}

const far = "9999";

/** What is due already first, then by day. */
export const byDay = (a: DueItem, b: DueItem): number =>
  Number(b.status === "overdue") - Number(a.status === "overdue") ||
  (expectedOn(a) ?? far).localeCompare(expectedOn(b) ?? far);

/** Days that somebody plans ahead. */
const near = 365;

export function isNear(item: DueItem): boolean {
  const on = expectedOn(item);
  return item.status !== "ok" || (on !== null && daysUntil(on) <= near);
}
