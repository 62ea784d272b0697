/** The lesson that a flight names. */
import { sql } from "drizzle-orm";
import type { PersonId } from "../../core/ids.ts";
import { lookUp, lookUpAll } from "../../storage/lookup.ts";
import type { Reader } from "../../storage/store.ts";
import { trainingEnrollments as enrollments, trainingLessons as table } from "./training.tables.ts";

export const lessonById = lookUp(
  { id: table.id, revision_id: table.revision_id, code: table.code, kind: table.kind },
  sql`from ${table} where ${table.id} = ${sql.placeholder("id")}`,
);

export const lessonsById = lookUpAll(
  { id: table.id, code: table.code, name: table.name, kind: table.kind },
  sql`from ${table} where ${table.id} in (select value from json_each(${sql.placeholder("ids")}))`,
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
