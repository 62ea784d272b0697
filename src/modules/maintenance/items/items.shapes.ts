/** The JSON of a maintenance item. */
import { z } from "zod";
import { dateField, hourCounter, idOf, nullable, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { field, type Resource, shape, signedHundredths } from "../../../storage/shape.ts";
import { itemStatuses, maintenanceItems as table } from "../maintenance.tables.ts";
import { fields } from "./items.schemas.ts";

/** Hours that may be negative, with two places. */
export const remainingHours = field(
  z
    .string()
    .regex(/^-?\d+\.\d{2}$/)
    .nullable()
    .meta({ description: "Hours until it is due; negative if overdue.", examples: ["1.30"] }),
  signedHundredths(table.remaining_hours),
);

const due = columns(table, {
  status: z.enum(itemStatuses).meta({ description: "The worst of all its limits.", examples: ["upcoming"] }),
  past_tolerance: z.boolean().meta({
    description: "Whether it is overdue by more than its tolerance. If it is critical, the aircraft is grounded.",
    examples: [false],
  }),
  due_on: dateField.nullable().meta({ description: "Overdue after this day.", examples: ["2026-06-14"] }),
  due_hours: nullable(
    hourCounter({
      description: "The reading of its counter, in hours, after which it is overdue.",
      example: "1300.00",
    }),
  ),
  due_landings: z.int().nullable().meta({ description: "Overdue after so many landings." }),
  remaining_landings: z.int().nullable().meta({ description: "Negative if overdue." }),
  forecast_on: dateField.nullable().meta({
    description:
      "When it is expected to be due: `due_on`, or before that the date on which its hours or landings run out, if the aircraft is used as in the 90 days before its counters last changed.",
    examples: ["2026-05-02"],
  }),
});

export const item = shape("MaintenanceItem", {
  ...columns(table, { id: idOf<"item">(), aircraft_id: idOf<"aircraft">(), ...fields }),
  ...due,
  remaining_hours: remainingHours,
  ...columns(table, { ...stampsOut }),
});

export type Item = Resource<typeof item>;
