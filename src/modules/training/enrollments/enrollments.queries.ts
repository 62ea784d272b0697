import { and, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../core/actor.ts";
import { notFound } from "../../../core/errors.ts";
import type { EnrollmentId, PersonId, ProgramId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { lookUp } from "../../../storage/lookup.ts";
import { descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resourceJson } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { visibleTo } from "../own-training.queries.ts";
import { trainingEnrollments as table } from "../training.tables.ts";
import type { EnrollmentFilter } from "./enrollments.schemas.ts";
import { type Enrollment, enrollment } from "./enrollments.shapes.ts";

type TenantReader = Reader<"tenant">;
export type EnrollmentRow = typeof table.$inferSelect;

/** Its reads do not check the actor. */
export const enrollmentEntity = entityOf("enrollment", {
  table,
  shape: enrollment,
  path: { enrollmentId: table.id },
});

const newestFirst = descending(enrollment, "id");

/** Returns JSON text, the newest first. */
export function listEnrollments(
  reader: TenantReader,
  actor: MemberActor,
  { student_id, program_id, status, ...page }: EnrollmentFilter & PageRequest,
) {
  const own = visibleTo(actor, table.student_id);
  // A student has few enrollments: their index is the right one. The `+` keeps SQLite from using another.
  const plus = sql.raw(student_id !== undefined || own !== undefined ? "+" : "");
  const where = and(
    student_id === undefined ? undefined : eq(table.student_id, student_id),
    program_id === undefined ? undefined : sql`${plus}${table.program_id} = ${program_id}`,
    status === undefined ? undefined : sql`${plus}${table.status} = ${status}`,
    own,
  );
  return pageBody(reader, enrollment, { ...page, from: table, where, orderBy: newestFirst });
}

const isVisible = (id: EnrollmentId, actor: MemberActor): SQL | undefined =>
  and(eq(table.id, id), visibleTo(actor, table.student_id));

/** @throws NOT_FOUND no such enrollment, or the actor may not see it */
export const findEnrollment = (
  reader: TenantReader,
  id: EnrollmentId,
  actor: MemberActor,
): Promise<JsonOf<Enrollment>> => resourceJson(reader, enrollment, { from: table, where: isVisible(id, actor) });

/** @throws NOT_FOUND as `findEnrollment` */
export async function requireEnrollment(
  reader: TenantReader,
  id: EnrollmentId,
  actor: MemberActor,
): Promise<EnrollmentRow> {
  const [row] = await reader.select().from(table).where(isVisible(id, actor));
  if (row === undefined) throw notFound();
  return row;
}

/** Returns the enrollment of a student in a program that has not ended. */
export async function openEnrollment(
  reader: TenantReader,
  student: PersonId,
  program: ProgramId,
): Promise<EnrollmentRow | undefined> {
  const [row] = await reader
    .select()
    .from(table)
    .where(
      and(eq(table.student_id, student), eq(table.program_id, program), inArray(table.status, ["active", "suspended"])),
    );
  return row;
}

/** Returns the row, without checking the actor. */
export const findEnrollmentRow = (reader: TenantReader, id: EnrollmentId): Promise<EnrollmentRow | undefined> =>
  rowById(reader, { id });

const rowById = lookUp(getTableColumns(table), sql`from ${table} where ${table.id} = ${sql.placeholder("id")}`);
