/** Writes of the directory in the control database, inside the transactions that apply the tenants' intents. */
import { isDeepStrictEqual } from "node:util";
import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { OrgId, PersonId } from "../../../core/ids.ts";
import { wordsOf } from "../../../core/words.ts";
import type { Tx } from "../../../storage/store.ts";
import { directoryEntries as table, directoryWords as words } from "../entries.tables.ts";
import type { EntryRef } from "../entry-types.ts";
import { ratingWord } from "./rating-word.ts";

type Row = typeof table.$inferSelect;
type Moderation = Pick<Row, "status" | "featured" | "sort_priority">;

/** What a tenant publishes of one subject. */
export type Published = { name: string } & Partial<
  Omit<Row, keyof Moderation | "rowid" | "id" | "type" | "org_id" | "listed" | "rank" | "name" | "updated_at">
>;

export const rankOf = ({ featured, sort_priority }: Omit<Moderation, "status">): number =>
  (featured ? 0 : 10_000) + 1000 - sort_priority;

const unmoderated: Moderation = { status: "published", featured: false, sort_priority: 0 };

const {
  rowid: _rowid,
  id: _id,
  type: _type,
  org_id: _org,
  listed: _l,
  status: _s,
  featured: _f,
  sort_priority: _p,
  ...others
} = getTableColumns(table);
const { rank: _rank, name: _name, updated_at: _at, ...publishable } = others;
/** All fields that a tenant can publish, without a value. */
const nothing = Object.fromEntries(Object.keys(publishable).map((name) => [name, null]));

/**
 * Makes the entry what the tenant publishes; `undefined`: nothing. Its moderation stays. An entry of another organization is
 * never changed.
 */
export async function putEntry(
  tx: Tx<"control">,
  orgId: OrgId,
  { type, id }: EntryRef,
  published: Published | undefined,
): Promise<void> {
  const [before] = await tx.select().from(table).where(eq(table.id, id));
  if (before !== undefined && (before.org_id !== orgId || before.type !== type)) return;
  const shown = { ...nothing, ...(published ?? { name: "" }), listed: published !== undefined };
  if (before !== undefined && isShown(before, shown)) return;
  if (before !== undefined) await tx.delete(words).where(eq(words.entry, before.rowid));
  const moderation = before ?? unmoderated;
  const isModerated = moderation.status !== "published" || moderation.featured || moderation.sort_priority !== 0;
  if (published === undefined && !isModerated) {
    await tx.delete(table).where(eq(table.id, id));
    return;
  }
  const { status, featured, sort_priority } = moderation;
  const rank = rankOf(moderation);
  const [entry] = await tx
    .insert(table)
    .values({ id, type, org_id: orgId, status, featured, sort_priority, rank, ...shown, updated_at: tx.now })
    .onConflictDoUpdate({ target: table.id, set: { ...shown, updated_at: tx.now } })
    .returning({ rowid: table.rowid });
  if (published && entry)
    await tx.each(
      addWord,
      indexed(published).map((word) => [entry.rowid, word, type]),
    );
}

/** Then nothing is written: `updated_at` would tell everybody when something changed that is not published. */
const isShown = (before: Row, shown: object): boolean =>
  Object.entries(shown).every(([name, value]) => isDeepStrictEqual(before[name as keyof Row], value));

const addWord = sql`insert into ${words} (entry, word, type)
  values (${sql.placeholder("entry")}, ${sql.placeholder("word")}, ${sql.placeholder("type")})`;

const indexed = ({ ratings, ...texts }: Published): string[] => [
  ...wordsOf(
    texts.name,
    texts.headline,
    texts.description,
    texts.place,
    texts.approval_number,
    texts.authority,
    texts.registration,
    texts.icao_type,
    texts.class,
    ...(ratings ?? []),
  ),
  ...new Set((ratings ?? []).map(ratingWord)),
];

/** Deletes the entry of a person whose data is erased, with its moderation. */
export async function removeEntryOf(tx: Tx<"control">, orgId: OrgId, personId: PersonId): Promise<void> {
  const isTheirs = and(eq(table.id, personId), eq(table.org_id, orgId));
  const found = await tx.select({ rowid: table.rowid }).from(table).where(isTheirs);
  for (const { rowid } of found) await tx.delete(words).where(eq(words.entry, rowid));
  await tx.delete(table).where(isTheirs);
}
