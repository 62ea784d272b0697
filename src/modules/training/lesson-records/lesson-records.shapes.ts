/** The JSON of the record of a lesson. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { MemberActor } from "../../../core/actor.ts";
import { idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { accountName, names } from "../../../storage/names.ts";
import { field, json, part, type Resource, shape } from "../../../storage/shape.ts";
import { personName } from "../../people/people.shapes.ts";
import { people } from "../../people/people.tables.ts";
import { recordedOut } from "../ground-sessions/ground-sessions.schemas.ts";
import { signoff } from "../signoffs/signoffs.shapes.ts";
import {
  trainingLessons as lessons,
  trainingSignoffs as signoffs,
  trainingLessonRecords as table,
} from "../training.tables.ts";
import { lessonRecordFields } from "./lesson-records.schemas.ts";

const { item, grade, passed, counts, remarks } = signoff.fields;
const graded = part({
  signoff_id: field(idOf<"signoff">(), signoffs.id),
  ...{ item, grade, passed, counts, remarks },
});

const lesson = part(
  columns(lessons, {
    id: idOf<"lesson">(),
    code: z.string().meta({ examples: ["12"] }),
    name: z.string().meta({ examples: ["Take-off and climb to downwind"] }),
  }),
);

const { instructor_notes, ...others } = lessonRecordFields;

const fields = {
  ...columns(table, { id: idOf<"lessonRecord">(), student_id: idOf<"person">(), ...others, instructor_notes }),
  lesson: field(lesson.schema, sql`(select ${lesson.json} from ${lessons} where ${lessons.id} = ${table.lesson_id})`),
  grades: field(
    z.array(graded.schema).meta({ description: "The signoffs of the lesson's items." }),
    json(sql`(select json_group_array(json(ordered.value)) from (select ${graded.json} as value from ${signoffs}
      where ${signoffs.lesson_record_id} = ${table.id} order by ${signoffs}.rowid) as ordered)`),
  ),
  ...columns(table, {
    instructor_id: idOf<"person">(),
    signed_by_instructor: signoff.fields.signed_by_instructor.schema,
    signed_at: instantOut,
    acknowledged_at: instantOut.nullable().meta({ description: "When the student acknowledged it, with its grades." }),
    ...recordedOut,
    created_by: idOf<"user">(),
    ...stampsOut,
  }),
  ...names(table, { student_id: personName, instructor_id: personName, created_by: accountName }),
};

export const lessonRecord = shape("LessonRecord", fields);
export type LessonRecord = Resource<typeof lessonRecord>;

/** Without the notes among instructors: as the student reads it. */
export const withoutNotes = part({ ...fields, instructor_notes: field(instructor_notes, sql`null`) });

/** As a member reads it: the notes of their own training are not shown to them, whatever else they may read. */
export const shownTo = ({ userId }: MemberActor) =>
  part({
    ...fields,
    instructor_notes: field(
      instructor_notes,
      sql`iif(${table.student_id} in (select ${people.id} from ${people} where ${people.user_id} = ${userId}),
        null, ${table.instructor_notes})`,
    ),
  });
