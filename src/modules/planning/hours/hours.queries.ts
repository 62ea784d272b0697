import { entityOf } from "../../../storage/entity-of.ts";
import { ascending, descending, listOf } from "../../../storage/page.ts";
import { planningAbsences, planningHours } from "../planning.tables.ts";
import { absenceShape, hoursShape } from "./hours.schemas.ts";

export const hoursEntity = entityOf("planning_hours", {
  table: planningHours,
  shape: hoursShape,
  path: { hoursId: planningHours.id },
});
export const listHours = listOf(hoursShape, { from: planningHours, orderBy: ascending(hoursShape, "id") });

export const absenceEntity = entityOf("planning_absence", {
  table: planningAbsences,
  shape: absenceShape,
  path: { absenceId: planningAbsences.id },
});
export const listAbsences = listOf(absenceShape, {
  from: planningAbsences,
  orderBy: descending(absenceShape, "id"),
});
