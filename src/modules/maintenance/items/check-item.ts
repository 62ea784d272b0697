/** Rules over several fields of a maintenance item, and over those of its aircraft. */
import { type Issue, invalid, throwIfAny } from "../../../core/errors.ts";
import type { Tx } from "../../../storage/store.ts";
import { today } from "../../../storage/today.ts";
import type { AircraftRow } from "../../fleet/fleet.queries.ts";
import type { ItemRow } from "./items.queries.ts";
import type { ItemChange } from "./items.schemas.ts";

type Intervals = Pick<ItemRow, "interval_hours" | "interval_months" | "interval_landings">;

/** @throws VALIDATION_ERROR no interval, or one of no hours */
export function checkIntervals({ interval_hours, interval_months, interval_landings }: Intervals): void {
  if (interval_hours === 0)
    throw invalid({ path: "interval_hours", code: "too_small", message: "Must be more than zero." });
  if (interval_hours === null && interval_months === null && interval_landings === null)
    throw invalid({ path: "interval_hours", code: "required", message: "Give hours, months or landings." });
}

type LastDone = Pick<
  ItemChange,
  "last_done_on" | "last_done_hobbs" | "last_done_tacho" | "last_done_airframe_minutes" | "last_done_landings"
>;

/** @throws VALIDATION_ERROR it was last done in the future, or at readings that the aircraft has not reached */
export async function checkLastDone(tx: Tx<"tenant">, aircraft: AircraftRow, done: LastDone): Promise<void> {
  const issues: Issue[] = [];
  const on = done.last_done_on;
  if (on && Temporal.PlainDate.compare(on, await today(tx, tx.now)) > 0)
    issues.push({ path: "last_done_on", code: "too_big", message: "Must not be after today." });
  const readings = [
    ["last_done_hobbs", done.last_done_hobbs, aircraft.hobbs],
    ["last_done_tacho", done.last_done_tacho, aircraft.tacho],
    ["last_done_airframe_minutes", done.last_done_airframe_minutes, aircraft.airframe_minutes],
    ["last_done_landings", done.last_done_landings, aircraft.landings],
  ] as const;
  for (const [path, reading, counter] of readings)
    if (reading !== undefined && reading !== null && reading > counter)
      issues.push({ path: `${path}`, code: "too_big", message: "Must not exceed the aircraft's counter." });
  throwIfAny(issues);
}
