/** The lesson that a flight names. */
import { sql } from "drizzle-orm";
import type { LessonId, PersonId, ProgramId } from "../../core/ids.ts";
import { lookUp, lookUpAll } from "../../storage/lookup.ts";
import type { Reader } from "../../storage/store.ts";
import {
  trainingEnrollments as enrollments,
  type RevisionId,
  trainingRevisions as revisions,
  trainingLessons as table,
} from "./training.tables.ts";
import type { lessonKinds } from "./training.values.ts";

export const lessonById = lookUp(
  { id: table.id, revision_id: table.revision_id, code: table.code, kind: table.kind },
  sql`from ${table} where ${table.id} = ${sql.placeholder("id")}`,
);

/** A lesson of any revision, with the program that it is of. */
export interface NamedLesson {
  id: LessonId;
  program_id: ProgramId;
  revision_id: RevisionId;
  code: string;
  name: string;
  kind: (typeof lessonKinds)[number];
}

export const lessonsById: (reader: Reader<"tenant">, values: { ids: string }) => Promise<NamedLesson[]> = lookUpAll(
  {
    id: table.id,
    program_id: revisions.program_id,
    revision_id: table.revision_id,
    code: table.code,
    name: table.name,
    kind: table.kind,
  },
  sql`from ${table} cross join ${revisions} on ${revisions.id} = ${table.revision_id}
    where ${table.id} in (select value from json_each(${sql.placeholder("ids")}))`,
);

/** Returns all enrollments of some people. */
export const enrollmentsOf = (reader: Reader<"tenant">, students: readonly PersonId[]) =>
  ofStudents(reader, { ids: JSON.stringify(students) });

const ofStudents = lookUpAll(
  {
    id: enrollments.id,
    status: enrollments.status,
    revision_id: enrollments.revision_id,
    started_on: enrollments.started_on,
  },
  sql`from ${enrollments}
    where ${enrollments.student_id} in (select value from json_each(${sql.placeholder("ids")}))`,
);
