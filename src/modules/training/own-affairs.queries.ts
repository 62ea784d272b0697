/** What an account has done for the training of a person whom it is not linked to yet: nobody does so for themself. */
import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { canonicalJson } from "../../core/canonical-json.ts";
import { conflict, type Problem } from "../../core/errors.ts";
import type { EnrollmentId, PersonId, UserId } from "../../core/ids.ts";
import { auditLog } from "../../storage/shared.tables.ts";
import type { Reader } from "../../storage/store.ts";
import type { Credit } from "./enrollments/enrollments.schemas.ts";
import {
  trainingEnrollments as enrollments,
  trainingExams as exams,
  trainingLessonRecords as lessonRecords,
  trainingGroundSessions as sessions,
  trainingSignoffs as signoffs,
} from "./training.tables.ts";

type TenantReader = Reader<"tenant">;

interface Link {
  personId: PersonId;
  userId: UserId;
}

const student = sql.placeholder("personId");
const account = sql.placeholder("userId");

interface Recorded extends SQLiteTable {
  id: SQLiteColumn;
  student_id: SQLiteColumn;
  created_by: SQLiteColumn;
  status: SQLiteColumn;
}

/** Those that the account has voided itself, or another member, no longer count. */
const recordedIn = (table: Recorded): SQL => sql`(select count(*) from ${table}
  where ${table.student_id} = ${student} and ${table.created_by} = ${account} and ${table.status} = 'recorded')`;

/** Only the audit log knows who did it. */
const hasDone = (action: string, id: SQLiteColumn): SQL => sql`exists (select 1 from ${auditLog}
  where ${auditLog.subject_id} = ${id} and ${auditLog.action} = ${sql.raw(`'${action}'`)}
    and ${auditLog.actor_kind} = 'user' and ${auditLog.actor_id} = ${account})`;

const voidedIn = (table: Recorded, action: string): SQL => sql`(select count(*) from ${table}
  where ${table.student_id} = ${student} and ${table.created_by} <> ${account} and ${table.status} = 'voided'
    and ${hasDone(action, table.id)})`;

const counts = sql`select ${recordedIn(sessions)}, ${recordedIn(lessonRecords)}, ${recordedIn(signoffs)}, ${recordedIn(exams)},
  ${voidedIn(sessions, "ground_session.voided")} + ${voidedIn(lessonRecords, "lesson_record.voided")} + ${voidedIn(signoffs, "training_signoff.voided")}
    + ${voidedIn(exams, "exam.voided")},
  (select count(*) from ${enrollments} where ${enrollments.student_id} = ${student}
    and ${enrollments.status} = 'completed' and ${hasDone("enrollment.completed", enrollments.id)})`;

const counted = [
  "ground_sessions",
  "lesson_records",
  "signoffs",
  "exams",
  "voided_records",
  "completed_trainings",
] as const;

/** Refuses to link an account to a person whose training it has recorded, voided, credited or completed. */
export async function ownTrainingAffairs(reader: TenantReader, link: Link): Promise<Problem | undefined> {
  const row = (await reader.first(counts, { ...link })) ?? [];
  const found = [
    ...counted.map((kind, at) => ({ kind, count: Number(row[at] ?? 0) })),
    { kind: "credits", count: Number(await creditedBy(reader, link)) },
  ];
  const recorded = found.filter(({ count }) => count > 0);
  if (recorded.length === 0) return undefined;
  const named = recorded.map(({ kind, count }) => `${kind.replaceAll("_", " ")} (${count})`);
  return conflict(
    "own_training_recorded",
    `The account has recorded training of this person: ${named.join(", ")}. Nobody does so for themself. Before the training ends, another member can void these records and take out these credits, and enter them anew; then the account can be linked. A completion and a void are final.`,
    { recorded },
  );
}

async function creditedBy(reader: TenantReader, { personId, userId }: Link): Promise<number> {
  let count = 0;
  const credited = await reader
    .select({ id: enrollments.id, credits: enrollments.credits })
    .from(enrollments)
    .where(eq(enrollments.student_id, personId));
  for (const { id, credits } of credited)
    if (credits.length > 0) count += (await authorsOfCredits(reader, id)).filter((author) => author === userId).length;
  return count;
}

/** Returns who added each of the present credits. A change states the whole list, so one that was in it before keeps its author. */
async function authorsOfCredits(reader: TenantReader, id: EnrollmentId): Promise<(string | null)[]> {
  const { seq, subject_id, subject_kind, action, actor_id, payload } = auditLog;
  const rows = await reader
    .select({ actor_id, credits: sql<string | null>`${payload} -> '$.after.credits'` })
    .from(auditLog)
    .where(and(eq(subject_id, id), eq(subject_kind, "enrollment"), inArray(action, crediting), isNotNull(payload)))
    .orderBy(seq);
  let authors: [credit: string, author: string | null][] = [];
  for (const { actor_id: author, credits } of rows) {
    const left = Map.groupBy(authors, ([credit]) => credit);
    const listed: Credit[] = JSON.parse(credits ?? "[]");
    authors = listed.map((one) => {
      const credit = canonicalJson(one);
      return left.get(credit)?.shift() ?? [credit, author];
    });
  }
  return authors.map(([, author]) => author);
}

const crediting = ["enrollment.created", "enrollment.updated", "enrollment.credits_imported"];
