import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { z } from "zod";
import { notFound } from "../../../core/errors.ts";
import type { ProgramId } from "../../../core/ids.ts";
import { idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { lookUp, lookUpAll } from "../../../storage/lookup.ts";
import { knownBy, names } from "../../../storage/names.ts";
import { ascending, descending, listOf } from "../../../storage/page.ts";
import { field, json, part, type Resource, shape } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { programEntity, programName } from "../programs/programs.queries.ts";
import {
  trainingItems as items,
  trainingLessons as lessons,
  type RevisionId,
  trainingRevisions as table,
} from "../training.tables.ts";
import { lessonKinds, milestones, revisionStatuses } from "../training.values.ts";
import { revisionFields, type Syllabus } from "./syllabus.schemas.ts";

type TenantReader = Reader<"tenant">;
export type RevisionRow = typeof table.$inferSelect;

const count = z.int().meta({ examples: [25] });

const revision = shape("TrainingRevision", {
  ...columns(table, {
    id: idOf<"revision">(),
    program_id: idOf<"program">(),
    number: z.int().meta({ description: "1 for the first of the program.", examples: [1] }),
    status: z.enum(revisionStatuses).meta({ examples: ["published"] }),
    revision: z.int().meta({
      description: "Grows by 1 with each change of it, of its lessons or of their items: its `ETag` follows it.",
      examples: [3],
    }),
    ...revisionFields,
  }),
  lesson_count: field(count, sql`(select count(*) from ${lessons} where ${lessons.revision_id} = ${table.id})`),
  item_count: field(count, sql`(select count(*) from ${items} where ${items.revision_id} = ${table.id})`),
  ...columns(table, { published_at: instantOut.nullable(), retired_at: instantOut.nullable(), ...stampsOut }),
  ...names(table, { program_id: programName }),
});
export type Revision = Resource<typeof revision>;

export const revisionEntity = entityOf("training_revision", {
  table,
  shape: revision,
  path: { programId: table.program_id, revisionId: table.id },
});

/** Returns JSON text, the newest first. */
export const listRevisions = listOf(revision, { from: table, orderBy: descending(revision, "number") });

const item = part(
  columns(items, {
    id: idOf<"training_item">(),
    code: z.string().meta({ examples: ["1"] }),
    name: z.string().meta({ examples: ["Keeps direction in the take-off run"] }),
    scale: z.string().meta({ description: "The code of its grading scale.", examples: ["1-4"] }),
    milestone: z
      .enum(milestones)
      .nullable()
      .meta({ examples: [null] }),
  }),
);

/** Beside the ids of lessons. */
export const lessonName = knownBy(lessons, "name", "Take-off and climb to downwind");

export const lesson = shape("TrainingLesson", {
  ...columns(lessons, {
    id: idOf<"lesson">(),
    revision_id: idOf<"revision">(),
    position: z.int().meta({ examples: [1] }),
    code: z.string().meta({ examples: ["12"] }),
    name: z.string().meta({ examples: ["Take-off and climb to downwind"] }),
    kind: z.enum(lessonKinds),
    phase: z.string().nullable(),
    requires: z.array(z.string()).meta({ description: "Codes of lessons, all items of which must be done first." }),
  }),
  items: field(
    z.array(item.schema),
    json(sql`(select json_group_array(json(ordered.value)) from (select ${item.json} as value from ${items}
      where ${items.lesson_id} = ${lessons.id} order by ${items.position}) as ordered)`),
  ),
});
export type Lesson = Resource<typeof lesson>;

/** Returns JSON text, in the order of the syllabus. */
export const listLessons = listOf(lesson, { from: lessons, orderBy: ascending(lesson, "position", "id") });

const lessonsOfRevision = lookUpAll(
  getTableColumns(lessons),
  sql`from ${lessons} where ${lessons.revision_id} = ${sql.placeholder("id")} order by ${lessons.position}`,
);
const itemsOfRevision = lookUpAll(
  {
    lesson_id: items.lesson_id,
    code: items.code,
    name: items.name,
    scale: items.scale,
    milestone: items.milestone,
  },
  sql`from ${items} where ${items.revision_id} = ${sql.placeholder("id")} order by ${items.position}`,
);

/** Returns the lessons of a revision with their items, as the syllabus has them. */
export async function lessonsOf(
  reader: TenantReader,
  id: RevisionId,
): Promise<(Syllabus["lessons"][number] & { id: Lesson["id"] })[]> {
  const found = await lessonsOfRevision(reader, { id });
  const all = await itemsOfRevision(reader, { id });
  const byLesson = Map.groupBy(all, ({ lesson_id }) => lesson_id);
  return found.map(({ id, code, name, kind, phase, requires }) => ({
    id,
    code,
    name,
    kind,
    phase,
    requires,
    items: (byLesson.get(id) ?? []).map(({ lesson_id: _, ...item }) => item),
  }));
}

/** Returns the document of a revision, from which `POST …/revisions` makes an equal one. @throws NOT_FOUND */
export async function exportSyllabus(
  reader: TenantReader,
  ref: { programId: ProgramId; revisionId: RevisionId },
): Promise<Syllabus> {
  const row = await revisionEntity.row(reader, ref);
  const { kind, name } = await programEntity.row(reader, ref);
  const { legal_basis, effective_from, skill_test, theory, subjects, minima, aircraft_classes, scales, phases } = row;
  const lessons = (await lessonsOf(reader, row.id)).map(({ id: _, ...lesson }) => lesson);
  return {
    format: "windsock-syllabus-1",
    kind,
    name,
    legal_basis,
    effective_from,
    skill_test,
    theory,
    subjects,
    minima,
    aircraft_classes,
    scales,
    phases,
    lessons,
  };
}

/** Returns a revision of any program. */
export const findRevision = (reader: TenantReader, id: RevisionId): Promise<RevisionRow | undefined> =>
  rowById(reader, { id });

const rowById = lookUp(getTableColumns(table), sql`from ${table} where ${table.id} = ${sql.placeholder("id")}`);

/** @throws NOT_FOUND */
export async function requireRevision(reader: TenantReader, id: RevisionId): Promise<RevisionRow> {
  const row = await findRevision(reader, id);
  if (row === undefined) throw notFound();
  return row;
}

/** Returns the highest number of the program's revisions. */
export async function lastNumber(reader: TenantReader, programId: ProgramId): Promise<number> {
  const [row] = await reader
    .select({ last: sql<number>`ifnull(max(${table.number}), 0)` })
    .from(table)
    .where(and(eq(table.program_id, programId)));
  return row?.last ?? 0;
}
