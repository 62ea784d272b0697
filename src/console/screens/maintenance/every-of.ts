/** How often an item of a template is done. */
import type { MaintenanceTemplate } from "../../api/operations.ts";
import { formatCount, formatCounter } from "../../app/format.ts";
import { maintenanceText } from "./words.ts";

/** `every 100.00 h or 12 months` */
export function everyOf({
  interval_hours,
  interval_months,
  interval_landings,
}: MaintenanceTemplate["items"][number]): string {
  const words = maintenanceText();
  return words.every(
    [
      interval_hours !== null && words.due.hoursShort(formatCounter(interval_hours)),
      interval_months !== null && words.monthsShort(interval_months),
      interval_landings !== null && words.due.landingsShort(formatCount(interval_landings)),
    ].filter((limit) => limit !== false),
  );
}
