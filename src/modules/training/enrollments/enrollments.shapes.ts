/** The JSON of an enrollment. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { dateField, idOf, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { field, part, type Resource, shape } from "../../../storage/shape.ts";
import { people } from "../../people/people.tables.ts";
import { programKinds } from "../programs/program-kinds.ts";
import { trainingEnrollments as table, trainingPrograms, trainingRevisions } from "../training.tables.ts";
import { enrollmentStatuses } from "../training.values.ts";
import { enrollmentFields } from "./enrollments.schemas.ts";

const name = z.string().meta({ examples: ["Sam Weber"] });
const programName = z.string().meta({ examples: ["PPL(A)"] });

export const student = part(columns(people, { id: idOf<"person">(), name }));
export const program = part(
  columns(trainingPrograms, {
    id: idOf<"program">(),
    kind: z.enum(programKinds).meta({ examples: ["ppl_a"] }),
    name: programName,
  }),
);

const { student_id, revision_id, ...others } = enrollmentFields;

export const enrollment = shape("Enrollment", {
  ...columns(table, { id: idOf<"enrollment">(), student_id, program_id: idOf<"program">(), revision_id }),
  student: field(student.schema, sql`(select ${student.json} from ${people} where ${people.id} = ${table.student_id})`),
  program: field(
    program.schema,
    sql`(select ${program.json} from ${trainingPrograms} where ${trainingPrograms.id} = ${table.program_id})`,
  ),
  revision_number: field(
    z.int().meta({ description: "Of the program's revision.", examples: [1] }),
    sql`(select ${trainingRevisions.number} from ${trainingRevisions} where ${trainingRevisions.id} = ${table.revision_id})`,
  ),
  ...columns(table, {
    status: z.enum(enrollmentStatuses).meta({ examples: ["active"] }),
    ...others,
    ended_on: dateField.nullable(),
    reason: z.string().nullable().meta({ description: "Why it is suspended, or was withdrawn." }),
    ...stampsOut,
  }),
});
export type Enrollment = Resource<typeof enrollment>;
