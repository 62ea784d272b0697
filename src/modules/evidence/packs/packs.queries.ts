import { and, desc, eq, getTableColumns, isNull, type SQL, sql } from "drizzle-orm";
import { authorize, type MemberActor, permits, type Rights } from "../../../core/actor.ts";
import type { Instant } from "../../../core/clock.ts";
import { notFound } from "../../../core/errors.ts";
import type { JsonOf } from "../../../core/json-of.ts";
import { changeTime } from "../../../storage/changes.ts";
import { entityOf } from "../../../storage/entity-of.ts";
import { lookUp, lookUpAll } from "../../../storage/lookup.ts";
import { descending, listOf, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resourceBy, resourceJson } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { people } from "../../people/people.tables.ts";
import { type PackId, evidencePacks as table } from "../evidence.tables.ts";
import type { PackListQuery } from "./packs.schemas.ts";
import { type EvidencePack, evidencePack, publicVtr } from "./packs.shapes.ts";

type TenantReader = Reader<"tenant">;
export type PackRow = typeof table.$inferSelect;

/** Its reads do not check the actor. */
export const packEntity = entityOf("evidence_pack", {
  table,
  shape: evidencePack,
  path: { packId: table.id },
  changeTime: changeTime(table),
});

const newestFirst = descending(evidencePack, "id");

/** Returns JSON text, newest first. @throws FORBIDDEN */
export function listPacks(
  reader: TenantReader,
  actor: MemberActor,
  { type, status, person_id, ...page }: PackListQuery,
) {
  // A person has few packs: their index is the right one. The `+` keeps SQLite from using another for these.
  const isOfPerson = person_id !== undefined || !permits(actor, "evidence:manage");
  const [typeOf, statusOf] = isOfPerson ? [sql`+${table.type}`, sql`+${table.status}`] : [table.type, table.status];
  const where = and(
    visibleTo(actor),
    person_id && eq(table.person_id, person_id),
    type && sql`${typeOf} = ${type}`,
    status && sql`${statusOf} = ${status}`,
  );
  return pageBody(reader, evidencePack, { ...page, from: table, where, orderBy: newestFirst });
}

/** @throws NOT_FOUND no such pack, or the actor may not see it; FORBIDDEN */
export const findPack = (reader: TenantReader, id: PackId, actor: MemberActor): Promise<JsonOf<EvidencePack>> =>
  resourceJson(reader, evidencePack, { from: table, where: and(eq(table.id, id), visibleTo(actor)) });

/** @throws NOT_FOUND, FORBIDDEN as `findPack` */
export async function requirePack(reader: TenantReader, id: PackId, actor: Rights): Promise<PackRow> {
  const [row] = await reader
    .select()
    .from(table)
    .where(and(eq(table.id, id), visibleTo(actor)));
  if (row === undefined) throw notFound();
  return row;
}

/** Returns whether the actor may see a pack. */
export const seesPack = async (reader: TenantReader, id: PackId, actor: Rights): Promise<boolean> =>
  (permits(actor, "evidence:manage") || permits(actor, "evidence:own")) &&
  (await reader.$count(table, and(eq(table.id, id), visibleTo(actor)))) > 0;

/** Members without `evidence:manage` see packs of themselves. @throws FORBIDDEN */
function visibleTo(actor: Rights): SQL | undefined {
  if (permits(actor, "evidence:manage")) return undefined;
  authorize(actor, "evidence:own");
  return sql`${table.person_id} in (select ${people.id} from ${people} where ${people.user_id} = ${actor.userId})`;
}

/** Returns JSON text for the public API, newest first. */
export const listPublicVtr = listOf(publicVtr, { from: table, orderBy: descending(publicVtr, "id") });

const byId = resourceBy(publicVtr, { from: table, where: eq(table.id, sql.placeholder("id")) });

/** @throws NOT_FOUND */
export const findPublicVtr = (reader: TenantReader, id: PackId) => byId(reader, { id });

/** Returns a person's packs, newest first, as JSON text. */
export const pageOfPerson = (reader: TenantReader, id: NonNullable<PackRow["person_id"]>, page: PageRequest) =>
  pageBody(reader, evidencePack, { ...page, from: table, where: eq(table.person_id, id), orderBy: newestFirst });

const rowById = lookUp(getTableColumns(table), sql`from ${table} where ${table.id} = ${sql.placeholder("id")}`);

export const findPackRow = (reader: TenantReader, id: PackId): Promise<PackRow | undefined> => rowById(reader, { id });

const waiting = lookUp(
  { id: table.id, created_at: table.created_at },
  sql`from ${table} where ${table.status} = 'generating' order by ${table.id} limit 1`,
);

/** Returns since when a pack waits to be built; null if none does. */
export const nextPack = async (reader: TenantReader): Promise<Instant | null> =>
  (await waiting(reader, {}))?.created_at ?? null;

const allWaiting = lookUpAll(
  { id: table.id },
  sql`from ${table} where ${table.status} = 'generating' order by ${table.id}`,
);

/** Returns the packs that wait to be built, the oldest first. */
export const waitingPacks = async (reader: TenantReader): Promise<PackId[]> =>
  (await allWaiting(reader, {})).map(({ id }) => id);

const ownSince = lookUpAll(
  { id: table.id, size_bytes: table.size_bytes },
  sql`from ${table} where ${table.type} = 'compliance_pack' and ${table.status} = 'ready'
    and ${table.content_removed_at} is null and ${table.issued_at} >= ${sql.placeholder("since")}`,
);

/** Returns the organization's own packs that were issued since, of whatever day, as far as they have content. */
export const packsSince = (reader: TenantReader, since: Instant): Promise<Pick<PackRow, "id" | "size_bytes">[]> =>
  ownSince(reader, { since });

/** Returns the ready packs of the same type and subject that no other supersedes, the newest first. */
export async function supersededBy(
  reader: TenantReader,
  { type, person_id, as_of }: Pick<PackRow, "type" | "person_id" | "as_of">,
): Promise<PackId[]> {
  const isOf =
    person_id === null ? and(isNull(table.person_id), sql`${table.as_of} = ${as_of}`) : eq(table.person_id, person_id);
  const isCurrent = and(eq(table.type, type), eq(table.status, "ready"), isNull(table.superseded_by));
  const rows = await reader
    .select({ id: table.id })
    .from(table)
    .where(and(isOf, isCurrent))
    .orderBy(desc(table.issued_at), desc(table.id));
  return rows.map(({ id }) => id);
}
