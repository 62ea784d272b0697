import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type ChangeKind, ownSeenWith, seenWith } from "../../storage/change-kinds.ts";
import { ofPerson } from "../people/people-changes.queries.ts";
import {
  trainingEnrollments as enrollments,
  trainingExams as exams,
  trainingGroundSessions as groundSessions,
  trainingLessonRecords as lessonRecords,
  trainingSignoffs as signoffs,
} from "./training.tables.ts";

/** As `visibleTo` of `own-training.queries.ts`. */
const ofStudent = (kind: string, table: SQLiteTable & Record<"id" | "student_id", SQLiteColumn>): ChangeKind => ({
  kind,
  seenBy: [
    ...seenWith("training:read"),
    ownSeenWith(["training:read_own"], ofPerson({ table, id: table.id, person: table.student_id })),
  ],
});

const ofAll = seenWith("training:read", "training:read_own");

export const trainingChanges: readonly ChangeKind[] = [
  { kind: "training_program", seenBy: ofAll },
  { kind: "training_revision", seenBy: ofAll },
  ofStudent("enrollment", enrollments),
  ofStudent("ground_session", groundSessions),
  ofStudent("lesson_record", lessonRecords),
  ofStudent("exam", exams),
  ofStudent("training_signoff", signoffs),
];
