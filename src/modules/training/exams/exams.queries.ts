import { and, asc, eq, sql } from "drizzle-orm";
import type { EnrollmentId } from "../../../core/ids.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { ascending, listOf } from "../../../storage/page.ts";
import type { Reader } from "../../../storage/store.ts";
import { trainingExams as table } from "../training.tables.ts";
import type { Sat } from "./exam-sets.ts";
import { exam } from "./exams.schemas.ts";

/** Its reads do not check the actor. */
export const examEntity = entityOf("exam", {
  table,
  shape: exam,
  path: { enrollmentId: table.enrollment_id, examId: table.id },
});

/** Returns JSON text, in the order in which they were taken. */
export const listExams = listOf(exam, { from: table, orderBy: ascending(exam, "taken_on", "id") });

/** Returns the theory exams of an enrollment that are not voided, in the order in which they were taken. */
export async function theoryExams(reader: Reader<"tenant">, id: EnrollmentId): Promise<Sat[]> {
  const rows = await reader
    .select({ subject: table.subject, sitting: table.sitting, taken_on: table.taken_on, passed: table.passed })
    .from(table)
    .where(and(eq(table.enrollment_id, id), eq(table.kind, "theory"), eq(table.status, "recorded")))
    .orderBy(asc(table.taken_on), sql`${table}.rowid`);
  return rows.flatMap(({ subject, ...exam }) => (subject === null ? [] : [{ ...exam, subject }]));
}
