import { z } from "zod";
import { issueCodes } from "../../../core/issues.ts";
import { shownAs } from "../../../http/documented-as.ts";
import { dateField, idOf } from "../../../http/fields.ts";
import { fault } from "../../../http/schema-fault.ts";
import { localTime, localTimeTo24 } from "../hours/hours.schemas.ts";
import { kind, note, cancellationReason as reason } from "../sessions/sessions.schemas.ts";
import { session } from "../sessions/sessions.shapes.ts";

/** The most sessions that one request cancels. */
export const most = 300;

export const NewCancellations = z
  .strictObject({
    on: dateField.meta({ description: "The day where the organization is.", ...shownAs("2099-06-15") }),
    from_time: localTime("12:00").default("00:00"),
    to_time: localTimeTo24("18:00").default("24:00"),
    kinds: z
      .array(kind)
      .min(1)
      .max(5)
      .refine((kinds) => new Set(kinds).size === kinds.length, issueCodes.repeated)
      .default(["flight", "lesson"])
      .meta({ examples: [["flight", "lesson"]] }),
    flown_only: z
      .boolean()
      .default(true)
      .meta({ description: "Only sessions with an aircraft that is no simulator.", examples: [true] }),
    aircraft_id: idOf<"aircraft">()
      .nullable()
      .default(null)
      .meta({ description: "Null: any.", examples: [null] }),
    instructor_id: idOf<"person">()
      .nullable()
      .default(null)
      .meta({ description: "Null: any.", examples: [null] }),
    reason,
    note,
    offers: z
      .boolean()
      .default(true)
      .meta({ description: "Whether what becomes free is offered to those who wait.", examples: [true] }),
    dry_run: z
      .boolean()
      .default(false)
      .meta({ description: "Cancels nothing, and returns what would be cancelled.", examples: [false] }),
  })
  .refine(({ from_time, to_time }) => from_time < to_time, {
    path: ["to_time"],
    ...fault("not_after", { field: "from_time" }),
  })
  .meta({ id: "NewPlanningCancellations" });
export type NewCancellations = z.infer<typeof NewCancellations>;

export const Cancelled = z
  .strictObject({
    sessions: z.array(session.schema).meta({
      description: "Those that were cancelled, the earliest start first; with `dry_run` that would be.",
    }),
    offered: z.int().meta({ description: "How many who wait were offered something.", examples: [2] }),
  })
  .meta({ id: "PlanningCancellations" });
export type Cancelled = z.infer<typeof Cancelled>;
