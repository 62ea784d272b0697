import { z } from "zod";
import { issueCodes } from "../../../core/issues.ts";
import { shownAs } from "../../../http/documented-as.ts";
import { dateField, idOf, integer } from "../../../http/fields.ts";
import { Clash } from "../../../http/responses.ts";
import { fault } from "../../../http/schema-fault.ts";
import { localTime } from "../hours/hours.schemas.ts";
import { NewSession } from "../sessions/sessions.schemas.ts";
import { session } from "../sessions/sessions.shapes.ts";

const { start_at: _start, end_at: _end, ...content } = NewSession.shape;

/** The most sessions of a series. */
export const longestSeries = 100;

export const NewSeries = z
  .strictObject({
    ...content,
    from_on: dateField.meta({ description: "The first day on which a session may be.", ...shownAs("2099-01-05") }),
    until_on: dateField
      .nullable()
      .default(null)
      .meta({ description: "The last day. Or give `count`.", examples: ["2099-07-31"] }),
    count: integer(1, longestSeries)
      .nullable()
      .default(null)
      .meta({ description: "The number of sessions.", examples: [null] }),
    weekdays: z
      .array(integer(1, 7))
      .min(1)
      .max(7)
      .refine((days) => new Set(days).size === days.length, issueCodes.repeated)
      .meta({ description: "1 is Monday, 7 is Sunday.", examples: [[2]] }),
    from_time: localTime("18:00").meta({
      description:
        "The local time of the start. On a day on which the clock change skips it, the session begins as much later as the clock goes forward; where it exists twice, at the first.",
      examples: ["18:00"],
    }),
    minutes: integer(1, 44_640).meta({ examples: [90] }),
    on_conflict: z
      .enum(["refuse", "skip"])
      .default("refuse")
      .meta({
        description: "`refuse`: one that can't be booked refuses all. `skip`: the others are booked.",
        examples: ["skip"],
      }),
    dry_run: z
      .boolean()
      .default(false)
      .meta({ description: "Books nothing, and returns what would be booked and what not.", examples: [false] }),
  })
  .refine(({ until_on, count }) => (until_on === null) !== (count === null), {
    path: ["count"],
    ...fault("one_needed", { fields: ["until_on", "count"] }),
  })
  .refine(({ from_on, until_on }) => until_on === null || from_on <= until_on, {
    path: ["until_on"],
    ...fault("not_before", { field: "from_on" }),
  })
  .meta({ id: "NewPlanningSeries" });
export type NewSeries = z.infer<typeof NewSeries>;

export const BookedSeries = z
  .strictObject({
    series_id: idOf<"series">(),
    sessions: z.array(session.schema).meta({ description: "Those that were booked; with `dry_run` that would be." }),
    conflicts: z.array(Clash).meta({ description: "All that is against the others, each with its times." }),
  })
  .meta({ id: "PlanningSeries" });
export type BookedSeries = z.infer<typeof BookedSeries>;
