import { and, eq, type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../core/actor.ts";
import type { FlightId } from "../../../core/ids.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { changeTime } from "../../../storage/changes.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { lookUp } from "../../../storage/lookup.ts";
import { descending, type Marked, type PageRequest, pageBody, pageBy } from "../../../storage/page.ts";
import { resourceJson } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { flights } from "../../flights/flights.tables.ts";
import { visibleTo } from "../own-training.queries.ts";
import {
  trainingLessons as lessons,
  type SignoffId,
  trainingSignoffs as table,
  trainingItems,
} from "../training.tables.ts";
import type { SignoffFilter } from "./signoffs.schemas.ts";
import { publicSignoff, type Signoff, signoff } from "./signoffs.shapes.ts";

type TenantReader = Reader<"tenant">;

/** Its reads do not check the actor. */
export const signoffEntity = entityOf("training_signoff", {
  table,
  shape: signoff,
  path: { signoffId: table.id },
  changeTime: changeTime(table),
});

const newestFirst = descending(publicSignoff, "signed_at", "id");

/** A student has few signoffs in other programs: their index is the right one. */
const matching = ({ student_id, program_id, from, to }: Marked<SignoffFilter>): SQL | undefined =>
  and(
    student_id && eq(table.student_id, student_id),
    program_id && sql`${sql.raw(student_id ? "+" : "")}${table.program_id} = ${program_id}`,
    from && sql`${table.signed_at} >= ${from}`,
    to && sql`${table.signed_at} < ${to}`,
  );

/** For the public API: the newest first. */
export const listPublicSignoffs = pageBy(publicSignoff, {
  from: table,
  where: (filter: Marked<SignoffFilter>) => matching(filter),
  orderBy: newestFirst,
});

/** Returns JSON text, the newest first. */
export const listSignoffs = (reader: TenantReader, actor: MemberActor, query: SignoffFilter & PageRequest) =>
  pageBody(reader, signoff, {
    ...query,
    from: table,
    where: and(matching(query), visibleTo(actor, table.student_id)),
    orderBy: newestFirst,
  });

/** @throws NOT_FOUND no such signoff, or the actor may not see it */
export const findSignoff = (reader: TenantReader, id: SignoffId, actor: MemberActor): Promise<JsonOf<Signoff>> =>
  resourceJson(reader, signoff, {
    from: table,
    where: and(eq(table.id, id), visibleTo(actor, table.student_id)),
  });

/** An item with the lesson that it is of. */
export const itemById = lookUp(
  {
    id: trainingItems.id,
    revision_id: trainingItems.revision_id,
    lesson_id: trainingItems.lesson_id,
    scale: trainingItems.scale,
    milestone: trainingItems.milestone,
  },
  sql`from ${trainingItems} where ${trainingItems.id} = ${sql.placeholder("id")}`,
);

/** Returns what a signoff needs to know about its flight. */
export async function trainingFlight(reader: TenantReader, id: FlightId) {
  const { enrollment_id, status, off_block_at } = flights;
  const [row] = await reader
    .select({ enrollment_id, status, off_block_at, lesson: lessons.code })
    .from(flights)
    .leftJoin(lessons, eq(lessons.id, flights.lesson_id))
    .where(eq(flights.id, id));
  return row;
}
