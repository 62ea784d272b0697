/** The readings of a release to service. */
import type { Reader } from "../../../storage/store.ts";
import type { workOrders } from "../maintenance.tables.ts";
import { type Done, momentOfStored, type Readings } from "../readings/readings.ts";

type Row = typeof workOrders.$inferSelect;

/** Returns what was released, and when: a release is always in the aircraft's records. Returns `undefined` if it is not released. */
export async function releaseOf(reader: Reader<"tenant">, row: Row): Promise<Done | undefined> {
  const { release_on: on, release_given: given, release_corrected: corrected } = row;
  if (on === null) return undefined;
  const at = row.release_at ?? (await momentOfStored(reader, on, row.completed_at));
  return { on, at, given, corrected, recorded: true };
}

export const releaseColumns = ({ hobbs, tacho, airframe_minutes, landings }: Readings) => ({
  release_hobbs: hobbs,
  release_tacho: tacho,
  release_airframe_minutes: airframe_minutes,
  release_landings: landings,
});
