/** The reports: a row for each aircraft, instructor and enrollment. */
import { z } from "zod";
import { idOf, instantOut } from "../../http/fields.ts";
import { byCursor, fromAndTo, period } from "../../http/query.ts";
import { cancellationReason } from "../planning/sessions/sessions.schemas.ts";

export const ReportQuery = period(z.strictObject({ ...byCursor, ...fromAndTo }));
export type ReportQuery = z.infer<typeof ReportQuery>;

const count = z.int().meta({ examples: [12] });
const minutes = (description: string) => z.int().meta({ description, examples: [540] });

const booked = {
  sessions: count.meta({ description: "Planned, checked in and completed, which begin in the period." }),
  booked_minutes: minutes("Of such sessions, as far as they are in the period."),
  completed: count,
  no_shows: count,
  late_cancellations: count.meta({ description: "Within the notice period." }),
  cancellations: z
    .strictObject(
      Object.fromEntries(cancellationReason.options.map((reason) => [reason, count])) as Record<
        z.infer<typeof cancellationReason>,
        typeof count
      >,
    )
    .meta({ description: "By reason, without requests that were never confirmed." }),
};
export const Booked = z.strictObject(booked);

export const Utilization = z
  .strictObject({
    id: idOf<"aircraft">(),
    registration: z.string().meta({ examples: ["D-EABC"] }),
    bookable_minutes: minutes(
      "The opening hours in the period; without any, the whole of it. Maintenance does not reduce them.",
    ),
    ...booked,
    maintenance_minutes: minutes("Sessions of maintenance, which are in no other column."),
    flown_minutes: minutes("Block time of approved flights that began in the period."),
    utilization_percent: z
      .int()
      .meta({ description: "Of the bookable minutes, those that are booked.", examples: [45] }),
  })
  .meta({ id: "UtilizationReport" });

export const InstructorReport = z
  .strictObject({
    id: idOf<"person">(),
    name: z.string().meta({ examples: ["Ines Instructor"] }),
    available_minutes: minutes("The weekly hours in the period, without absences.").nullable(),
    ...booked,
    flown_minutes: minutes("Block time of approved flights as an instructor that began in the period."),
    idle_minutes: minutes("Available and not booked. Null: no weekly hours are entered.").nullable(),
  })
  .meta({ id: "InstructorReport" });

export const StudentReport = z
  .strictObject({
    id: idOf<"enrollment">(),
    student: z.strictObject({ id: idOf<"person">(), name: z.string().meta({ examples: ["Sam Student"] }) }),
    program: z.strictObject({ id: idOf<"program">(), name: z.string().meta({ examples: ["PPL(A)"] }) }),
    ...booked,
    last_flown_at: instantOut.nullable(),
    days_since_flown: z
      .int()
      .nullable()
      .meta({ description: "Null: never flown.", examples: [9] }),
    not_flown_for_21_days: z
      .boolean()
      .meta({ description: "With or without a lesson, but not in a simulator; never flown: since the enrollment." }),
    next_session_at: instantOut.nullable(),
    required_minutes: minutes("The minimum of flight time for the test; null: the program has none.").nullable(),
    done_minutes: minutes("Of this minimum.").nullable(),
    missing_minutes: minutes("Of this minimum.").nullable(),
    ready_for_test: z.boolean(),
  })
  .meta({ id: "StudentReport" });
