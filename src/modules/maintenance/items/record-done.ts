import { type LegalDate, toLegalDate } from "../../../core/dates.ts";
import type { MaintenanceItemId } from "../../../core/ids.ts";
import type { By } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import { type ItemRow, itemEntity } from "./items.queries.ts";

/** Returns the present counters of an aircraft as those at which something was done. @param on today by default */
export const doneNow = async (tx: Tx<"tenant">, aircraft: AircraftRow, on?: LegalDate) => ({
  last_done_on: on ?? toLegalDate(await today(tx, tx.now)),
  last_done_hobbs: aircraft.hobbs,
  last_done_tacho: aircraft.tacho,
  last_done_airframe_minutes: aircraft.airframe_minutes,
  last_done_landings: aircraft.landings,
});

type Done = Partial<Pick<ItemRow, keyof Awaited<ReturnType<typeof doneNow>> | "last_done_by">>;

/** Stores when an item was done. The caller assesses the aircraft afterwards. */
export const recordDone = (tx: Tx<"tenant">, by: By, id: MaintenanceItemId, done: Done): Promise<unknown> =>
  changeRow(tx, by, itemEntity, { id, action: "maintenance_item.done", set: { ...done, updated_at: tx.now } });
