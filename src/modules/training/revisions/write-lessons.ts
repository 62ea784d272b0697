import { eq, sql } from "drizzle-orm";
import { type LessonId, newId } from "../../../core/ids.ts";
import type { Tx } from "../../../storage/store.ts";
import { type RevisionId, type TrainingItemId, trainingItems, trainingLessons } from "../training.tables.ts";
import type { Lesson } from "./syllabus.schemas.ts";

/** Replaces the lessons of a revision. A lesson or an item with the same code keeps its row. */
export async function writeLessons(tx: Tx<"tenant">, id: RevisionId, lessons: readonly Lesson[]): Promise<void> {
  const known = new Map<string, string>();
  for (const row of await tx.select().from(trainingLessons).where(eq(trainingLessons.revision_id, id)))
    known.set(JSON.stringify([row.code]), row.id);
  for (const row of await tx.select().from(trainingItems).where(eq(trainingItems.revision_id, id)))
    known.set(JSON.stringify([row.lesson_code, row.code]), row.id);
  const idFor = (...codes: string[]) => known.get(JSON.stringify(codes)) ?? newId({ now: () => new Date(tx.now) });

  const placed = lessons.map((lesson, position) => ({
    ...lesson,
    id: idFor(lesson.code) as LessonId,
    position,
    items: lesson.items.map((item) => ({ ...item, id: idFor(lesson.code, item.code) as TrainingItemId })),
  }));
  const kept = new Set<string>(placed.flatMap((lesson) => [lesson.id, ...lesson.items.map((item) => item.id)]));
  const gone = [...known.values()].filter((one) => !kept.has(one)).map((one) => [one]);
  await tx.each(deleteItem, gone);
  await tx.each(deleteLesson, gone);
  await tx.each(
    insertLesson,
    placed.map((one) => [
      one.id,
      id,
      one.position,
      one.code,
      one.name,
      one.kind,
      one.phase,
      JSON.stringify(one.requires),
    ]),
  );
  await tx.each(
    insertItem,
    placed.flatMap((lesson) =>
      lesson.items.map((item, position) => [
        ...[item.id, id, lesson.id, position],
        ...[lesson.code, item.code, item.name, item.scale, item.milestone],
      ]),
    ),
  );
}

const marks = (length: number) =>
  sql.join(
    Array.from({ length }, (_, at) => sql.placeholder(`value_${at}`)),
    sql.raw(", "),
  );
const insertLesson = sql`insert into ${trainingLessons}
  (id, revision_id, position, code, name, kind, phase, requires) values (${marks(8)})
  on conflict (id) do update set position = excluded.position, name = excluded.name, kind = excluded.kind,
    phase = excluded.phase, requires = excluded.requires`;
const insertItem = sql`insert into ${trainingItems}
  (id, revision_id, lesson_id, position, lesson_code, code, name, scale, milestone) values (${marks(9)})
  on conflict (id) do update set position = excluded.position, name = excluded.name, scale = excluded.scale,
    milestone = excluded.milestone`;
const deleteItem = sql`delete from ${trainingItems} where ${trainingItems.id} = ${sql.placeholder("id")}`;
const deleteLesson = sql`delete from ${trainingLessons} where ${trainingLessons.id} = ${sql.placeholder("id")}`;
