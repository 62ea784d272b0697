/** The JSON of a signoff: in the public API and the event, and for the school. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { accountName, names } from "../../../storage/names.ts";
import { bool, field, part, type Resource, shape } from "../../../storage/shape.ts";
import { people } from "../../people/people.tables.ts";
import { program, student } from "../enrollments/enrollments.shapes.ts";
import { countingSignoff } from "../progress/done-items.queries.ts";
import {
  trainingItems as items,
  trainingLessons as lessons,
  trainingPrograms as programs,
  recordedStatuses,
  trainingSignoffs as table,
} from "../training.tables.ts";
import { remarks, signoffFields } from "./signoffs.schemas.ts";

const code = z.string().meta({ examples: ["12"] });
const name = z.string().meta({ examples: ["Take-off and climb to downwind"] });
const lesson = part(columns(lessons, { id: idOf<"lesson">(), code, name }));
const item = part(columns(items, { id: idOf<"training_item">(), code, name }));

const { enrollment_id, item_id, flight_id, grade } = signoffFields;

export const publicSignoff = shape("PublicTrainingSignoff", {
  ...columns(table, {
    id: idOf<"signoff">(),
    enrollment_id,
    student_id: idOf<"person">(),
    program_id: idOf<"program">(),
  }),
  student: field(student.schema, sql`(select ${student.json} from ${people} where ${people.id} = ${table.student_id})`),
  program: field(
    program.schema,
    sql`(select ${program.json} from ${programs} where ${programs.id} = ${table.program_id})`,
  ),
  lesson: field(
    lesson.schema,
    sql`(select ${lesson.json} from ${items} cross join ${lessons} on ${lessons.id} = ${items.lesson_id}
      where ${items.id} = ${table.item_id})`,
  ),
  item: field(item.schema, sql`(select ${item.json} from ${items} where ${items.id} = ${table.item_id})`),
  instructor: field(
    student.schema,
    sql`(select ${student.json} from ${people} where ${people.id} = ${table.instructor_id})`,
  ),
  ...columns(table, {
    signed_by_instructor: z.boolean().meta({
      description: "Whether the instructor recorded it with their own account. Otherwise another member named them.",
    }),
    flight_id,
    grade,
    passed: z.boolean().meta({ description: "Whether the grade passes." }),
  }),
  counts: field(
    z.boolean().meta({
      description: "Whether it counts towards the training: not if it is void, or its flight was rejected or reversed.",
    }),
    bool(countingSignoff),
  ),
  ...columns(table, {
    signed_at: instantOut,
    acknowledged_at: instantOut.nullable().meta({ description: "When the student acknowledged it." }),
    status: z.enum(recordedStatuses).meta({ examples: ["recorded"] }),
    voided_at: instantOut.nullable(),
    ...stampsOut,
  }),
});

/** With what only the school sees. */
export const signoff = shape("TrainingSignoff", {
  ...publicSignoff.fields,
  ...columns(table, {
    item_id,
    instructor_id: idOf<"person">(),
    remarks,
    void_reason: z.string().nullable(),
    created_by: idOf<"user">(),
  }),
  ...names(table, { created_by: accountName }),
});
export type Signoff = Resource<typeof signoff>;
