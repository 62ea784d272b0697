/** The readings of a release to service. */
import type { Reader } from "../../../storage/store.ts";
import type { workOrders } from "../maintenance.tables.ts";
import { type Done, momentNow, type Readings } from "../readings/readings.ts";

type Row = typeof workOrders.$inferSelect;

/** Returns what was released, and when: until it was entered, if that was on the same day. */
export async function releaseOf(
  reader: Reader<"tenant">,
  { release_on, completed_at, release_given }: Row,
): Promise<Done> {
  const at = completed_at === null ? null : await momentNow(reader, release_on, completed_at);
  return { on: release_on, at, given: release_given };
}

export const releaseColumns = ({ hobbs, tacho, airframe_minutes, landings }: Readings) => ({
  release_hobbs: hobbs,
  release_tacho: tacho,
  release_airframe_minutes: airframe_minutes,
  release_landings: landings,
});
