import { z } from "zod";
import { integer } from "../../../http/fields.ts";
import { changeOf } from "../../../storage/columns.ts";
import { actions } from "../../rules/clearance-rules.ts";

const minutes = (max: number, description: string, example: number) =>
  integer(0, max).meta({ description, examples: [example] });
const limit = (min: number, max: number, description: string, example: number) =>
  integer(min, max)
    .nullable()
    .meta({ description: `${description} Null: no limit.`, examples: [example] });
const rule = (what: string) =>
  z.enum(actions).meta({
    description: `${what} \`block\`: such a booking is refused. \`warn\`: its checks name it. \`off\`: not evaluated.`,
    examples: ["warn"],
  });

const fields = {
  aircraft_buffer_minutes: minutes(720, "Between two bookings of an aircraft.", 15),
  instructor_buffer_minutes: minutes(720, "Between two bookings of an instructor.", 10),
  duty_day_minutes: limit(1, 1440, "The most minutes in which an instructor is booked on one day.", 600),
  duty_week_minutes: limit(1, 10_080, "The most minutes in which an instructor is booked in seven days.", 3000),
  students_book: z.boolean().meta({ description: "Whether students book for themselves.", examples: [true] }),
  confirm_requests: z
    .boolean()
    .meta({ description: "Whether what a student books is a request until a member confirms it.", examples: [false] }),
  min_hours_ahead: limit(0, 720, "A student books at least this long before.", 2),
  max_days_ahead: limit(1, 730, "A student books at most this long before.", 60),
  max_open_bookings: limit(1, 100, "The most sessions of a student that are still to come.", 5),
  cancel_notice_hours: integer(0, 720).meta({
    description: "A cancellation later than this before the start counts as late.",
    examples: [24],
  }),
  offer_hours: integer(1, 720).meta({
    description: "How long what became free is offered to the first who waits.",
    examples: [12],
  }),
  buffers: rule("Time is left before and after a booking."),
  opening_hours: rule("The school is open. Maintenance is excepted."),
  availability: rule("The people are available."),
  out_of_service: rule(
    "No work order of the aircraft is open, except for defects that are all deferred. Maintenance is excepted.",
  ),
  duty: rule("An instructor's duty limits are met."),
  lesson_prerequisites: rule("Each student is enrolled, and has done the lessons that the lesson requires."),
};

export const Settings = z.strictObject(fields).meta({ id: "PlanningSettings", description: "What the school allows." });
export type Settings = z.infer<typeof Settings>;
export const SettingsChange = changeOf("PlanningSettingsChange", fields);
export type SettingsChange = z.infer<typeof SettingsChange>;

export const defaults: Settings = {
  aircraft_buffer_minutes: 0,
  instructor_buffer_minutes: 0,
  duty_day_minutes: null,
  duty_week_minutes: null,
  students_book: true,
  confirm_requests: false,
  min_hours_ahead: null,
  max_days_ahead: null,
  max_open_bookings: null,
  cancel_notice_hours: 24,
  offer_hours: 12,
  buffers: "block",
  opening_hours: "warn",
  availability: "block",
  out_of_service: "block",
  duty: "block",
  lesson_prerequisites: "warn",
};
