/** What a migration to another revision would change. */
import { z } from "zod";
import { idOf } from "../../../http/fields.ts";
import { revisionFields } from "../revisions/syllabus.schemas.ts";

const code = z.string().meta({ examples: ["12"] });
const name = z.string().meta({ examples: ["Take-off and climb to downwind"] });
const revision = z.strictObject({ id: idOf<"revision">(), number: z.int().meta({ examples: [2] }) });

const lesson = z.strictObject({ code, name });
const item = z.strictObject({ lesson: code, code, name, done: z.boolean() });
const subject = z.strictObject({ code, name });

/** A field of both revisions: the document has it once. */
function ofBoth<S extends z.ZodType>(id: string, field: S) {
  const named = field.meta({ ...field.meta(), id });
  return z.strictObject({ from: named, to: named });
}

const renamed = z.strictObject({ new_name: name });

export const MigrationPreview = z
  .strictObject({
    from: revision,
    to: revision,
    lessons: z.strictObject({
      kept: z.array(lesson.extend(renamed.shape)).meta({ description: "In both revisions, by their code." }),
      added: z.array(lesson),
      dropped: z.array(lesson),
    }),
    items: z.strictObject({
      kept: z
        .array(item.extend(renamed.shape))
        .meta({ description: "In both revisions, by the codes of lesson and item. What is done stays done." }),
      added: z.array(lesson.extend({ lesson: code })),
      dropped: z.array(item),
    }),
    subjects: z.strictObject({
      kept: z
        .array(
          subject.extend({
            ...renamed.shape,
            passed: z.boolean(),
            stays_passed: z.boolean().meta({ description: "Whether it is passed by the rules of the other revision." }),
          }),
        )
        .meta({ description: "Subjects of the theory exams in both revisions, by their code." }),
      added: z.array(subject),
      dropped: z.array(subject.extend({ passed: z.boolean() })),
    }),
    theory: ofBoth("RevisionTheory", revisionFields.theory),
    had_skill_test: z.boolean().meta({ description: "Of the present revision." }),
    skill_test: z.boolean().meta({ description: "Of the other revision." }),
    scales: ofBoth("RevisionScales", revisionFields.scales),
    minima: ofBoth("RevisionMinima", revisionFields.minima),
    aircraft_classes: z.strictObject({ from: revisionFields.aircraft_classes, to: revisionFields.aircraft_classes }),
  })
  .meta({ id: "EnrollmentMigrationPreview" });
export type MigrationPreview = z.infer<typeof MigrationPreview>;
