/** An item of the maintenance program as it is typed, and as the API takes it. */
import { signal } from "@preact/signals";
import type { MaintenanceItem } from "../../api/operations.ts";
import { writeHours } from "../../app/format.ts";
import { readHours } from "../../app/readings.ts";

export const hoursCounters = ["airframe", "hobbs", "tacho"] as const;

/** @param item what is changed; without it, what a new one begins with */
export const typedOf = (item?: MaintenanceItem) => ({
  name: signal(item?.name ?? ""),
  interval_hours: signal(writeHours(item?.interval_hours ?? "")),
  hours_counter: signal<string>(item?.hours_counter ?? "airframe"),
  interval_months: signal(numeral(item?.interval_months)),
  interval_landings: signal(numeral(item?.interval_landings)),
  critical: signal(item?.critical ?? false),
  tolerance_hours: signal(writeHours(item?.tolerance_hours ?? "0.00")),
  tolerance_months: signal(numeral(item?.tolerance_months ?? 0)),
  upcoming_hours: signal(writeHours(item?.upcoming_hours ?? "10.00")),
  upcoming_days: signal(numeral(item?.upcoming_days ?? 30)),
  notes: signal(item?.notes ?? ""),
  last_done_on: signal(item?.last_done_on ?? ""),
});

const numeral = (value: number | null | undefined): string =>
  value === null || value === undefined ? "" : String(value);
const numberOrNull = (typed: string): number | null => (typed.trim() === "" ? null : Number(typed));
const hoursOrNull = (typed: string): string | null => (typed.trim() === "" ? null : readHours(typed));

export const bodyOf = (typed: ReturnType<typeof typedOf>) => ({
  name: typed.name.value.trim(),
  interval_hours: hoursOrNull(typed.interval_hours.value),
  hours_counter: hoursCounters.find((one) => one === typed.hours_counter.value) ?? ("airframe" as const),
  interval_months: numberOrNull(typed.interval_months.value),
  interval_landings: numberOrNull(typed.interval_landings.value),
  critical: typed.critical.value,
  tolerance_hours: hoursOrNull(typed.tolerance_hours.value) ?? "0.00",
  tolerance_months: numberOrNull(typed.tolerance_months.value) ?? 0,
  upcoming_hours: hoursOrNull(typed.upcoming_hours.value) ?? "0.00",
  upcoming_days: numberOrNull(typed.upcoming_days.value) ?? 0,
  notes: typed.notes.value.trim() === "" ? null : typed.notes.value.trim(),
  last_done_on: typed.last_done_on.value === "" ? null : typed.last_done_on.value,
});
