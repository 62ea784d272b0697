/** What a student has done of a program, and what is missing. */
import { z } from "zod";
import { dateField, idOf, instantOut } from "../../../http/fields.ts";
import { paging } from "../../../http/query.ts";
import { evaluation } from "../../compliance/evaluations/evaluations.queries.ts";
import { measures } from "../../compliance/rules/training-minima.ts";
import { program, student } from "../enrollments/enrollments.shapes.ts";
import { enrollmentStatuses, lessonKinds } from "../training.values.ts";
import { type Pace, weeksAhead, weeksBack } from "./pace.ts";

const count = z.int().meta({ examples: [12] });
const items = z.strictObject({ done: count, total: count });
const code = z.string().meta({ examples: ["12"] });

const minimum = z.strictObject({
  name: z.enum(measures).meta({ description: "What is measured: minutes, landings, flights, or years of age." }),
  required: count,
  done: count.nullable().meta({ description: "Null: not known, the age of a student without a date of birth." }),
  missing: count,
});

const compliance = z.strictObject({
  status: evaluation.fields.status.schema
    .nullable()
    .meta({ description: "Null: the person is archived.", examples: ["compliant"] }),
  reasons: z
    .array(
      z.strictObject({
        any_of: z.array(z.string()).meta({ examples: [["medical"]] }),
        state: z.enum(["missing", "expired", "expiring"]),
      }),
    )
    .meta({ description: "Which required records are missing, expired or about to expire." }),
});

const subject = z.strictObject({
  code: z.string().meta({ examples: ["air_law"] }),
  attempts: count,
  passed_on: dateField.nullable(),
});

const theory = z.strictObject({
  subjects: z.array(subject),
  complete_by: dateField.nullable().meta({ description: "The last day to pass the remaining subjects." }),
  valid_until: dateField.nullable().meta({ description: "The last day on which the passed set is valid." }),
  complete: z.boolean().meta({ description: "All subjects are passed, and the set is valid." }),
});

const missing = z.enum([...measures, "items", "theory", "skill_test"]);
export type Missing = z.infer<typeof missing>;

const shared = {
  enrollment_id: idOf<"enrollment">(),
  status: z.enum(enrollmentStatuses),
  student: student.schema,
  program: program.schema,
  minima: z.array(minimum),
  items: items.meta({ description: "The items of the syllabus: signed off with a grade that passes, and all." }),
  theory: theory.nullable().meta({ description: "Null: the program has no theory exams." }),
  missing: z.array(missing).meta({ description: "What is missing. Empty: the training is complete." }),
  ready_for_test: z.boolean().meta({ description: "Whether nothing is missing but the skill test, and years of age." }),
  complete: z.boolean(),
  compliance,
  last_flown_at: instantOut.nullable().meta({ description: "The start of the last flight or session in a simulator." }),
  stalled: z.boolean().meta({ description: "Whether the student is active and was not trained for 30 days." }),
};

export const PublicProgress = z.strictObject(shared).meta({ id: "PublicTrainingProgress" });
export type PublicProgress = z.output<typeof PublicProgress>;

const lesson = z.strictObject({ id: idOf<"lesson">(), code, name: z.string(), kind: z.enum(lessonKinds) });

const hours = z.strictObject({
  done: z.int().meta({ description: "Minutes, with credits.", examples: [720] }),
  required: z
    .int()
    .nullable()
    .meta({ description: "Minutes. Null: the program has no such minimum.", examples: [1500] }),
});

const perWeek = z.number().meta({ description: "Lessons a week.", examples: [1.5] });

const pace = z
  .strictObject({
    planned_start_on: dateField,
    planned_end_on: dateField,
    lessons_done: count.meta({ description: "Lessons all items of which are done." }),
    lessons_total: count,
    lessons_expected: count.meta({ description: "By today, if the plan is followed evenly." }),
    required_per_week: perWeek
      .nullable()
      .meta({ description: "To be done by the planned end. Null: it is over.", examples: [1.25] }),
    actual_per_week: perWeek.meta({ description: `In the last ${weeksBack} weeks, or since the start.` }),
    booked_per_week: perWeek.meta({
      description: `Sessions in the next ${weeksAhead} weeks that name a lesson of the training which is not done, or none and have an instructor.`,
    }),
    projected_end_on: dateField
      .nullable()
      .meta({ description: "By the greater of the actual and the booked pace. Null: nothing was done or is booked." }),
    standing: z.enum(["ahead", "on_track", "behind"]).meta({
      description:
        "The projected end compared with the planned one. A week, or a tenth of the days left, is still `on_track`, and so is everybody before the first lesson is due.",
      examples: ["on_track"],
    }),
  } satisfies Record<keyof Pace, z.ZodType>)
  .meta({ id: "TrainingPace" });

/** What the school's people see beyond the public progress: where a student stands, and what comes next. */
const standing = {
  ...shared,
  student_id: idOf<"person">(),
  program_id: idOf<"program">(),
  started_on: dateField,
  percent: z.int().meta({ description: "Of the items of the syllabus, rounded down.", examples: [41] }),
  total: hours,
  dual: hours,
  solo: hours,
  last_lesson: lesson.extend({ on: dateField }).nullable().meta({
    description: "Of the last flight or ground session, which may be of an earlier revision. Null: none yet.",
  }),
  pace: pace.nullable().meta({ description: "Null: the enrollment has no planned end, or is not active." }),
  stalled_since: dateField
    .nullable()
    .meta({ description: "From which day on the training counts as stalled. Null: it has not stalled." }),
  next_lessons: z.array(lesson.extend({ items })).meta({
    description:
      "At most three: the first in the order of the syllabus that are not done, and of which all required lessons are done. Empty: all are done.",
  }),
};

export const StudentProgress = z.strictObject(standing).meta({ id: "StudentProgress" });
export type StudentProgress = z.output<typeof StudentProgress>;

export const ProgressListQuery = z.strictObject({
  ...paging,
  student_id: idOf<"person">().optional(),
  program_id: idOf<"program">().optional(),
});
export type ProgressFilter = Pick<z.infer<typeof ProgressListQuery>, "student_id" | "program_id">;

export const Progress = z
  .strictObject({
    ...standing,
    lessons: z.array(
      lesson.extend({
        items,
        open: z.boolean().meta({ description: "Whether all items of the lessons that it requires are done." }),
      }),
    ),
  })
  .meta({ id: "TrainingProgress" });
export type Progress = z.output<typeof Progress>;
