import { z } from "zod";
import { days, shift } from "../../../core/clock.ts";
import { idOf, instantOut } from "../../../http/fields.ts";
import { instantQuery } from "../../../http/query.ts";
import { fault } from "../../../http/schema-fault.ts";
import { session } from "../sessions/sessions.shapes.ts";

/** A week, and a day on either side. */
const longest = 9;

export const BoardQuery = z
  .strictObject({ from: instantQuery, to: instantQuery })
  .refine(({ from, to }) => from < to, { path: ["to"], ...fault("not_after", { field: "from" }) })
  .refine(({ from, to }) => shift(from, days(longest)) >= to, {
    path: ["to"],
    ...fault("too_many_days", { max: longest }),
  });
export type BoardQuery = z.infer<typeof BoardQuery>;

const interval = { start_at: instantOut, end_at: instantOut };

const Busy = z.strictObject({
  type: z.enum(["aircraft", "instructor", "room"]).meta({ examples: ["aircraft"] }),
  resource_id: idOf<string>(),
  ...interval,
  because: z
    .enum(["absence", "hours", "out_of_service", "grounded"])
    .nullable()
    .meta({
      description:
        "`absence`: the instructor is away. `hours`: outside the instructor's weekly hours. `out_of_service`: a work order is open. `grounded`: the aircraft may not fly. Null: it can't be booked then, and why is not for the caller.",
      examples: ["absence"],
    }),
});

export const Board = z
  .strictObject({
    open: z.array(z.strictObject(interval)).meta({ description: "When the school is open, in order." }),
    sessions: z.array(session.schema).meta({
      description: "Those that take something up, the earliest start first. Without `planning:read`: the caller's own.",
    }),
    busy: z.array(Busy).meta({
      description:
        "When something can't be booked, besides the sessions. Without `planning:read`, also when the sessions of others take it up; adjoining times are one.",
    }),
  })
  .meta({ id: "PlanningBoard" });
export type Board = z.infer<typeof Board>;
export type Busy = z.infer<typeof Busy>;
