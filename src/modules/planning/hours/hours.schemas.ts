import { z } from "zod";
import { formats } from "../../../core/formats.ts";
import { dateField, idOf, integer, stampsOut, text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { fault } from "../../../http/schema-fault.ts";
import { columns, newOf } from "../../../storage/columns.ts";
import { names } from "../../../storage/names.ts";
import { type Resource, shape } from "../../../storage/shape.ts";
import { personName } from "../../people/people.shapes.ts";
import { planningAbsences, planningHours } from "../planning.tables.ts";

const person_id = idOf<"person">().nullable().meta({ description: "Null: the school itself." });
/** A local time of day. */
export const localTime = (example: string) =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, formats.time)
    .meta({ examples: [example] });
/** As `localTime`, for the end of something. */
export const localTimeTo24 = (example: string) =>
  z
    .string()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, formats.time_to_24)
    .meta({ description: "`24:00` is the end of the day.", examples: [example] });
const date = dateField.nullable();

const hours = {
  person_id,
  weekday: integer(1, 7).meta({ description: "1 is Monday, 7 is Sunday.", examples: [2] }),
  from_time: localTime("08:00"),
  to_time: localTimeTo24("18:00"),
  from_on: date.meta({ description: "The first day on which they apply; null: always.", examples: ["2026-04-01"] }),
  until_on: date.meta({ description: "The last day; null: without end.", examples: ["2099-10-31"] }),
};
export const NewHours = newOf("NewPlanningHours", hours)
  .refine(({ from_time, to_time }) => from_time < to_time, {
    path: ["to_time"],
    ...fault("not_after", { field: "from_time" }),
  })
  .refine(({ from_on, until_on }) => from_on === null || until_on === null || from_on <= until_on, {
    path: ["until_on"],
    ...fault("not_before", { field: "from_on" }),
  });
export type NewHours = z.infer<typeof NewHours>;
export const hoursShape = shape("PlanningHours", {
  ...columns(planningHours, { id: idOf<"hours">(), ...hours, ...stampsOut }),
  ...names(planningHours, { person_id: personName }),
});

const absence = {
  person_id,
  from_on: dateField.meta({ examples: ["2026-12-24"] }),
  until_on: dateField.meta({ description: "The last day.", examples: ["2026-12-31"] }),
  reason: text(200)
    .nullable()
    .meta({
      description: "Of a person: null for members who may not see medicals, but for the person.",
      examples: ["Christmas"],
    }),
};
export const NewAbsence = newOf("NewPlanningAbsence", absence).refine(({ from_on, until_on }) => from_on <= until_on, {
  path: ["until_on"],
  ...fault("not_before", { field: "from_on" }),
});
export type NewAbsence = z.infer<typeof NewAbsence>;
export const absenceShape = shape("PlanningAbsence", {
  ...columns(planningAbsences, { id: idOf<"absence">(), ...absence, ...stampsOut }),
  ...names(planningAbsences, { person_id: personName }),
});
export type Absence = Resource<typeof absenceShape>;

/** Of hours and of absences. */
export const OfPersonQuery = z.strictObject({ ...paging, person_id: idOf<"person">().optional() });
