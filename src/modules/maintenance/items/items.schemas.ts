/** The fields of a maintenance item and the input of its routes. */
import { z } from "zod";
import { dateField, hourCounter, idOf, integer, longText, nullable, text } from "../../../http/fields.ts";
import { paging, sortedBy } from "../../../http/query.ts";
import { changeOf, inputs, newOf, optionalInputs } from "../../../storage/columns.ts";
import { hoursCounters, itemStatuses } from "../maintenance.tables.ts";

const count = (max: number, description: string, example: number) =>
  integer(0, max).meta({ description, examples: [example] });
const interval = (max: number, description: string, example: number) =>
  integer(1, max)
    .nullable()
    .meta({ description, examples: [example] });
const hours = (description: string, example: string) => hourCounter({ description, example });

const limits = {
  name: text(120).meta({ examples: ["100-hour or annual inspection"] }),
  notes: longText(2000).nullable(),
  critical: z.boolean().meta({
    description: "Whether the aircraft is grounded once the item is overdue by more than its tolerance.",
    examples: [true],
  }),
  hours_counter: z
    .enum(hoursCounters)
    .meta({ description: "The counter of the aircraft that hours are measured against.", examples: ["airframe"] }),
  interval_hours: nullable(hours("Due after so many hours.", "100.00")),
  interval_months: interval(1200, "Due after so many months.", 12),
  interval_landings: interval(9_999_999, "Due after so many landings.", 2000),
  tolerance_hours: hours("How many hours it may be overdue.", "10.00"),
  tolerance_months: count(60, "How many months it may be overdue.", 1),
  tolerance_days: count(999, "How many days it may be overdue, besides the months.", 0),
  tolerance_landings: count(999_999, "How many landings it may be overdue.", 0),
  upcoming_hours: hours("It is upcoming from so many hours before it is due.", "10.00"),
  upcoming_days: count(9999, "It is upcoming from so many days before it is due.", 30),
  upcoming_landings: count(999_999, "It is upcoming from so many landings before it is due.", 20),
};

/** Where the next interval counts from. Null: not known, so a limit of this kind is overdue. */
export const lastDone = {
  last_done_on: dateField.nullable().meta({ examples: ["2025-06-14"] }),
  last_done_hobbs: nullable(hourCounter({ example: "1200.00" })),
  last_done_tacho: nullable(hourCounter({ example: "1080.00" })),
  last_done_airframe_minutes: integer(0, 99_999_999)
    .nullable()
    .meta({ examples: [72_000] }),
  last_done_landings: integer(0, 9_999_999)
    .nullable()
    .meta({ examples: [0] }),
  last_done_by: text(120)
    .nullable()
    .meta({ examples: ["Max Mechanic"] }),
  last_done_note: longText(1000)
    .nullable()
    .meta({ description: "What was done or found.", examples: ["Oil 4.5 l, filter cut open: no metal."] }),
};

export const fields = { ...limits, ...lastDone };

/** For what was done: a field that is not given has a default. */
export const lastDoneInputs = optionalInputs(lastDone);

const given = inputs(limits);

/** How many days before it is due an item is upcoming, if nothing else is said. */
export const usualNotice = 30;

export const NewItem = newOf("NewMaintenanceItem", {
  aircraft_id: idOf<"aircraft">(),
  ...given,
  critical: given.critical.default(false),
  hours_counter: given.hours_counter.default("airframe"),
  tolerance_hours: given.tolerance_hours.prefault("0.00"),
  tolerance_months: given.tolerance_months.default(0),
  tolerance_days: given.tolerance_days.default(0),
  tolerance_landings: given.tolerance_landings.default(0),
  upcoming_hours: given.upcoming_hours.prefault("10.00"),
  upcoming_days: given.upcoming_days.default(usualNotice),
  upcoming_landings: given.upcoming_landings.default(20),
  ...lastDone,
}).meta({ description: "At least one interval is required. With several, the item is due at the first." });
export type NewItem = z.infer<typeof NewItem>;

export const ItemChange = changeOf("MaintenanceItemChange", fields);
export type ItemChange = z.infer<typeof ItemChange>;

export const ItemListQuery = z.strictObject({
  ...paging,
  aircraft_id: idOf<"aircraft">().optional(),
  status: z.enum(itemStatuses).optional(),
  order: sortedBy("name", "forecast_on"),
});

export const Done = z
  .strictObject({
    ...lastDoneInputs,
    last_done_on: dateField.exactOptional().meta({ description: "Today by default.", examples: ["2025-06-14"] }),
    last_done_by: text(120).meta({ examples: ["Max Mechanic"] }),
  })
  .meta({
    id: "MaintenanceItemDone",
    description: "The default is today, and the counters of the aircraft on that day.",
  });
export type Done = z.infer<typeof Done>;
