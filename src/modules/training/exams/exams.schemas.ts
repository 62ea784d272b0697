/** The fields of an exam and the input of the routes. */
import { z } from "zod";
import { dateField, idOf, integer, longText, stampsOut, text } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { columns, newOf } from "../../../storage/columns.ts";
import { accountName, names } from "../../../storage/names.ts";
import { type Resource, shape } from "../../../storage/shape.ts";
import { personName } from "../../people/people.shapes.ts";
import { recordedOut } from "../ground-sessions/ground-sessions.schemas.ts";
import { examKinds, trainingExams as table } from "../training.tables.ts";

const fields = {
  kind: z.enum(examKinds).meta({ description: "An exam of one subject, or the skill test.", examples: ["theory"] }),
  subject: text(40)
    .nullable()
    .meta({ description: "Of a theory exam: the code of the subject.", examples: ["air_law"] }),
  sitting: integer(1, 100)
    .nullable()
    .meta({
      description:
        "Of a theory exam. Required if the program limits the sittings. A sitting is at most ten consecutive days, with one attempt at each subject (AMC1 FCL.025).",
      examples: [1],
    }),
  taken_on: dateField,
  percent: integer(0, 100)
    .nullable()
    .meta({ description: "Of a theory exam.", examples: [88] }),
  examiner: text(120)
    .nullable()
    .meta({ examples: ["Erika Prüfer"] }),
  remarks: longText(2000)
    .nullable()
    .meta({ examples: ["With two questions cancelled."] }),
};

export const NewExam = newOf("NewExam", {
  ...fields,
  passed: z
    .boolean()
    .nullable()
    .meta({ description: "Of a skill test. A theory exam is passed by its `percent`.", examples: [null] }),
});
export type NewExam = z.infer<typeof NewExam>;

export const exam = shape("Exam", {
  ...columns(table, {
    id: idOf<"exam">(),
    enrollment_id: idOf<"enrollment">(),
    student_id: idOf<"person">(),
    ...fields,
    passed: z.boolean(),
    ...recordedOut,
    created_by: idOf<"user">(),
    ...stampsOut,
  }),
  ...names(table, { student_id: personName, created_by: accountName }),
});
export type Exam = Resource<typeof exam>;

export const ExamListQuery = z.strictObject(paging);
