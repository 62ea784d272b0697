/** The hours of a work order: who worked on which day, and how long. */
import type { WorkOrder } from "../../api/operations.ts";

export type Hours = WorkOrder["hours"][number];

/** @param who of the school, by their id; or somebody else, by their name */
export const hoursOf = (
  { id, name }: { id: string | null; name: string },
  when: Pick<Hours, "worked_on" | "minutes">,
): Hours => ({ person_id: id, worked_by: id === null ? name : null, ...when, person_name: id === null ? null : name });

/** Nobody works longer on a day. */
const mostMinutes = 1440;

/** As they are sent. The names stay until then, so that the hours of two desks can be told apart and merged. */
export const withoutNames = (hours: unknown) => (hours as Hours[]).map(({ person_name: _, ...sent }) => sent);
const isSame = (a: Hours, b: Hours): boolean =>
  a.person_id === b.person_id && a.worked_by === b.worked_by && a.worked_on === b.worked_on;

/** Adds to what the same person has on that day. */
export function added(hours: readonly Hours[], entry: Hours): Hours[] {
  const known = hours.find((one) => isSame(one, entry) && one.minutes + entry.minutes <= mostMinutes);
  if (!known) return [...hours, entry];
  return hours.map((one) => (one === known ? { ...one, minutes: one.minutes + entry.minutes } : one));
}
