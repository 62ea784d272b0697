/** The JSON of a maintenance item. */
import { z } from "zod";
import { dateField, hourCounter, idOf, nullable, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { names } from "../../../storage/names.ts";
import { field, hundredths, type Resource, shape, signedHundredths } from "../../../storage/shape.ts";
import { aircraftRegistration } from "../../fleet/fleet.shapes.ts";
import { itemStatuses, maintenanceItems as table } from "../maintenance.tables.ts";
import { shownReading } from "../readings/shown-reading.ts";
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
      description:
        "The reading of its counter, in hours, after which it is overdue. A correction of the counter moves it by as much.",
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

const given = columns(table, fields);

const readings = {
  last_done_hobbs: field(given.last_done_hobbs.schema, hundredths(shownReading(table.last_done_hobbs))),
  last_done_tacho: field(given.last_done_tacho.schema, hundredths(shownReading(table.last_done_tacho))),
  last_done_airframe_minutes: field(
    given.last_done_airframe_minutes.schema,
    shownReading(table.last_done_airframe_minutes),
  ),
  last_done_landings: field(given.last_done_landings.schema, shownReading(table.last_done_landings)),
};

export const item = shape("MaintenanceItem", {
  ...columns(table, { id: idOf<"item">(), aircraft_id: idOf<"aircraft">() }),
  ...given,
  ...readings,
  ...due,
  remaining_hours: remainingHours,
  ...columns(table, { ...stampsOut }),
  ...names(table, { aircraft_id: aircraftRegistration }),
});

export type Item = Resource<typeof item>;
