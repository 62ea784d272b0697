import { and, eq, type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../core/actor.ts";
import type { LessonRecordId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { descending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resourceJson } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { visibleTo } from "../own-training.queries.ts";
import { trainingLessonRecords as table } from "../training.tables.ts";
import type { LessonRecordFilter } from "./lesson-records.schemas.ts";
import { type LessonRecord, lessonRecord, shownTo } from "./lesson-records.shapes.ts";

type TenantReader = Reader<"tenant">;

/** Its reads do not check the actor, and show the notes among instructors. */
export const lessonRecordEntity = entityOf("lesson_record", {
  table,
  shape: lessonRecord,
  path: { lessonRecordId: table.id },
});

const newestFirst = descending(lessonRecord, "signed_at", "id");

/** Returns JSON text, the newest first. */
export function listLessonRecords(
  reader: TenantReader,
  actor: MemberActor,
  { enrollment_id, student_id, from, to, ...page }: LessonRecordFilter & PageRequest,
) {
  const own = visibleTo(actor, table.student_id);
  // The records of an enrollment are few: its index is the right one. The `+` keeps SQLite from using another.
  const plus = sql.raw(enrollment_id === undefined ? "" : "+");
  const where = and(
    enrollment_id && eq(table.enrollment_id, enrollment_id),
    student_id && sql`${plus}${table.student_id} = ${student_id}`,
    from && sql`${table.signed_at} >= ${from}`,
    to && sql`${table.signed_at} < ${to}`,
    own,
  );
  return pageBody(reader, shownTo(actor), { ...page, from: table, where, orderBy: newestFirst });
}

const isVisible = (id: LessonRecordId, actor: MemberActor): SQL | undefined =>
  and(eq(table.id, id), visibleTo(actor, table.student_id));

/** @throws NOT_FOUND no such record, or the actor may not see it */
export const findLessonRecord = (
  reader: TenantReader,
  id: LessonRecordId,
  actor: MemberActor,
): Promise<JsonOf<LessonRecord>> => resourceJson(reader, shownTo(actor), { from: table, where: isVisible(id, actor) });
