/** The public search of the directory. */
import { and, eq, type SQL, sql } from "drizzle-orm";
import { invalid } from "../../../core/errors.ts";
import type { Bytes } from "../../../core/kept-body.ts";
import { ascending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resourceBy } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { isManaged } from "../../organizations/usable.queries.ts";
import { ratingWord, wordsOf } from "../entries/words.ts";
import { isPublic, directoryEntries as table, directoryWords as words } from "../entries.tables.ts";
import type { EntryType } from "../entry-types.ts";
import { entry } from "./entry.shapes.ts";
import { isNear, type Point } from "./near.ts";
import type { Search } from "./search.schemas.ts";

type ControlReader = Reader<"control">;

const inOrder = ascending(entry, "rank", "name", "id");

/** Kilometres from coordinates that are given without a distance. */
const USUAL_RADIUS = 50;

/** Entries that SQLite sorts. If more match, it reads the entries in their order instead, and soon finds a page. */
const MOST_SORTED = 700;

/** A filter's entries are counted up to this number, to begin with the narrowest. */
const MOST_COUNTED = 2000;

/** A filter by an index that is not in the order of the list. */
interface Filter {
  /** Selects the `id`s of the entries. */
  ids: SQL;
  /** Matches one entry. */
  matches: SQL | undefined;
  /** Matches the id of a candidate. */
  holds: SQL;
}

/** @throws VALIDATION_ERROR the coordinates of `place` are not known */
export async function searchEntries(
  reader: ControlReader,
  type: EntryType,
  { q, rating, country, place, radius_km, class: kind, ...page }: Search & PageRequest,
): Promise<Bytes> {
  const isAt = typeof place === "string" && radius_km === 0 ? place : undefined;
  const point = place === undefined || isAt !== undefined ? undefined : await pointOf(reader, place);
  const filters = [
    ...wordsOf(q).map((word) => byWord(type, sql`>= ${word}`, sql`< ${`${word}\u{10ffff}`}`)),
    ...(rating === undefined ? [] : [byWord(type, sql`= ${ratingWord(rating)}`)]),
    ...(point === undefined ? [] : [byDistance(type, point, radius_km || USUAL_RADIUS)]),
  ];
  const found = await foundBy(reader, filters);
  // `+` keeps SQLite from the index of the list where another is narrower.
  const plus = sql.raw(found === undefined ? "" : "+");
  const where = and(
    sql`${plus}${table.type} = ${type}`,
    found === undefined ? isPublic : sql`+${table.listed} = 1 and +${table.status} = 'published'`,
    found && sql`${table.id} in (select value from json_each(${JSON.stringify(found)}))`,
    country === undefined ? undefined : sql`${plus}${table.country} = ${country}`,
    isAt === undefined ? undefined : sql`${plus}${table.place} = ${isAt}`,
    kind === undefined ? undefined : sql`${plus}${table.class} = ${kind}`,
    ...(found === undefined ? filters.map(({ matches }) => matches) : []),
    isManaged(table.org_id),
  );
  return pageBody(reader, entry, { ...page, from: table, where, orderBy: inOrder });
}

const candidate = sql.raw("candidate.id");

function byWord(type: EntryType, ...bounds: readonly SQL[]): Filter {
  const isWord = and(...bounds.map((bound) => sql`${words.word} ${bound}`));
  const has = (id: SQL) => sql`exists (select 1 from ${words} where ${words.entry_id} = ${id} and ${isWord})`;
  return {
    ids: sql`select ${words.entry_id} as id from ${words} where ${words.type} = ${type} and ${isWord}`,
    matches: has(sql`${table.id}`),
    holds: has(candidate),
  };
}

function byDistance(type: EntryType, point: Point, radiusKm: number): Filter {
  const isThere = isNear(point, radiusKm, false);
  return {
    ids: sql`select ${table.id} as id from ${table} where ${and(eq(table.type, type), isPublic, isNear(point, radiusKm, true))}`,
    matches: isThere,
    holds: sql`exists (select 1 from ${table} where ${and(sql`${table.id} = ${candidate}`, isThere)})`,
  };
}

/** Returns the ids that all filters match, beginning with the narrowest; `undefined` if there are too many to sort. */
async function foundBy(reader: ControlReader, filters: readonly Filter[]): Promise<string[] | undefined> {
  const counted: { filter: Filter; count: number }[] = [];
  for (const filter of filters) counted.push({ filter, count: await countOf(reader, filter.ids, MOST_COUNTED) });
  const [narrowest, ...others] = counted.sort((one, other) => one.count - other.count);
  if (narrowest === undefined) return undefined;
  const holds = others.map(({ filter }) => filter.holds);
  const where = holds.length > 0 ? sql`where ${and(...holds)}` : sql``;
  const found = await reader.values<[string]>(
    sql`select ${candidate} from (${narrowest.filter.ids}) as candidate ${where} limit ${MOST_SORTED + 1}`,
  );
  return found.length <= MOST_SORTED ? found.flat() : undefined;
}

/** Counts at most one more than `most`. */
async function countOf(reader: ControlReader, ids: SQL, most: number): Promise<number> {
  const [row] = await reader.values<[number]>(sql`select count(*) from (${ids} limit ${most + 1})`);
  return row?.[0] ?? 0;
}

/** Returns the coordinates of a place: those that an entry at this place has. @throws VALIDATION_ERROR none has any */
async function pointOf(reader: ControlReader, place: string | Point): Promise<Point> {
  if (typeof place !== "string") return place;
  const { latitude, longitude } = table;
  const [row] = await reader.values<[number, number]>(sql`select ${latitude}, ${longitude} from ${table}
    where ${table.type} in ('schools', 'aircraft', 'instructors') and ${table.place} = ${place} and ${isPublic}
      and ${isManaged(table.org_id)} and +${latitude} is not null limit 1`);
  if (row === undefined)
    throw invalid({
      path: "place",
      code: "unknown",
      message: "No entry at this place has coordinates. Give `place` as coordinates, such as 49.96,8.64.",
    });
  return { latitude: row[0], longitude: row[1] };
}

/** @throws NOT_FOUND there is none, or it is not public */
export const findEntry = resourceBy(entry, {
  from: table,
  where: and(
    eq(table.id, sql.placeholder("id")),
    eq(table.type, sql.placeholder("type")),
    isPublic,
    isManaged(table.org_id),
  ),
});
