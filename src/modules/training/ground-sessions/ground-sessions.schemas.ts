import { z } from "zod";
import { dateField, idOf, instantOut, integer, longText, stampsOut } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { columns, newOf } from "../../../storage/columns.ts";
import { accountName, names } from "../../../storage/names.ts";
import { type Resource, shape } from "../../../storage/shape.ts";
import { personName } from "../../people/people.shapes.ts";
import { lessonName } from "../revisions/revisions.queries.ts";
import { recordedStatuses, trainingGroundSessions as table } from "../training.tables.ts";

export const instructor_id = idOf<"person">().nullable().meta({
  description: "Null: the caller. Only members with `training:manage` name another instructor.",
});

const fields = {
  lesson_id: idOf<"lesson">(),
  held_on: dateField,
  minutes: integer(1, 1440).meta({ examples: [45] }),
  remarks: longText(2000)
    .nullable()
    .meta({ examples: ["Mass and balance of the D-EABC."] }),
};

export const NewGroundSession = newOf("NewGroundSession", { ...fields, instructor_id });
export type NewGroundSession = z.infer<typeof NewGroundSession>;

/** The fields of what is recorded and may be voided. */
export const recordedOut = {
  status: z.enum(recordedStatuses).meta({ examples: ["recorded"] }),
  void_reason: z.string().nullable(),
  voided_at: instantOut.nullable(),
};

export const groundSession = shape("GroundSession", {
  ...columns(table, {
    id: idOf<"groundSession">(),
    enrollment_id: idOf<"enrollment">(),
    student_id: idOf<"person">(),
    instructor_id: idOf<"person">(),
    ...fields,
    ...recordedOut,
    created_by: idOf<"user">(),
    ...stampsOut,
  }),
  ...names(table, {
    student_id: personName,
    instructor_id: personName,
    lesson_id: lessonName,
    created_by: accountName,
  }),
});
export type GroundSession = Resource<typeof groundSession>;

export const VoidReason = z
  .strictObject({ reason: longText(1000).meta({ examples: ["Recorded for the wrong student."] }) })
  .meta({ id: "VoidReason" });

export const GroundSessionListQuery = z.strictObject(paging);
