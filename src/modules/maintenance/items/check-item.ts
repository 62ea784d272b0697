import { invalid } from "../../../core/errors.ts";
import type { ItemRow } from "./items.queries.ts";

type Intervals = Pick<ItemRow, "interval_hours" | "interval_months" | "interval_landings">;

/** @throws VALIDATION_ERROR no interval, or one of no hours */
export function checkIntervals({ interval_hours, interval_months, interval_landings }: Intervals): void {
  if (interval_hours === 0)
    throw invalid({
      path: "interval_hours",
      code: "not_above",
      params: { min: 0 },
      message: "Must be more than zero.",
    });
  if (interval_hours === null && interval_months === null && interval_landings === null)
    throw invalid({ path: "interval_hours", code: "required", message: "Give hours, months or landings." });
}
