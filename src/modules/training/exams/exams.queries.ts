import { entityOf } from "../../../storage/entity-of.ts";
import { ascending, listOf } from "../../../storage/page.ts";
import { trainingExams as table } from "../training.tables.ts";
import { exam } from "./exams.schemas.ts";

/** Its reads do not check the actor. */
export const examEntity = entityOf("exam", {
  table,
  shape: exam,
  path: { enrollmentId: table.enrollment_id, examId: table.id },
});

/** Returns JSON text, in the order in which they were taken. */
export const listExams = listOf(exam, { from: table, orderBy: ascending(exam, "taken_on", "id") });
