/** The fields of the record of a lesson and the input of the routes. */
import { z } from "zod";
import { issueCodes } from "../../../core/issues.ts";
import { idOf, longText } from "../../../http/fields.ts";
import { fromAndTo, paging, period } from "../../../http/query.ts";
import { newOf } from "../../../storage/columns.ts";
import { instructor_id } from "../ground-sessions/ground-sessions.schemas.ts";
import { remarks, signed_at, signoffFields } from "../signoffs/signoffs.schemas.ts";

const { enrollment_id, item_id, grade } = signoffFields;

export const lessonRecordFields = {
  enrollment_id,
  lesson_id: idOf<"lesson">(),
  flight_id: idOf<"flight">().nullable().meta({ description: "The flight of the lesson, if it was flown." }),
  remarks: remarks.meta({ description: "For the student, who reads and acknowledges it." }),
  instructor_notes: longText(2000)
    .nullable()
    .meta({
      description: "Among instructors. Null to the student, and to who is that student: they never read it.",
      examples: ["Gets tense in crosswind: fly two circuits first next time."],
    }),
};

const newGrade = z.strictObject({ item_id, grade, remarks: remarks.default(null) });

export const NewLessonRecord = newOf("NewLessonRecord", {
  ...lessonRecordFields,
  remarks: lessonRecordFields.remarks.default(null),
  instructor_notes: lessonRecordFields.instructor_notes.default(null),
  instructor_id,
  signed_at,
  grades: z
    .array(newGrade)
    .max(100)
    .refine((grades) => new Set(grades.map(({ item_id: item }) => item)).size === grades.length, issueCodes.repeated)
    .meta({ description: "Of items of the lesson, each once. Each is a signoff.", examples: [[]] })
    .default([]),
});
export type NewLessonRecord = z.infer<typeof NewLessonRecord>;

export const LessonRecordListQuery = period(
  z.strictObject({
    ...paging,
    ...fromAndTo,
    enrollment_id: idOf<"enrollment">().optional(),
    student_id: idOf<"person">().optional(),
  }),
);
export type LessonRecordFilter = Partial<z.infer<typeof LessonRecordListQuery>>;
