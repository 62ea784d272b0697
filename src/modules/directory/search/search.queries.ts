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

/** Candidates that SQLite sorts. If each filter has more, it reads the entries in their order instead, and finds a page soon. */
const MOST_SORTED = 400;

/** A filter by an index that is not in the order of the list. */
interface Filter {
  /** Selects the ids of the entries. */
  ids: SQL;
  /** Matches one entry. */
  matches: SQL | undefined;
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
  const narrowest = await narrowestOf(reader, filters);
  // `+` keeps SQLite from the index of the list where another is narrower.
  const plus = sql.raw(narrowest === undefined ? "" : "+");
  const where = and(
    sql`${plus}${table.type} = ${type}`,
    narrowest === undefined ? isPublic : sql`+${table.listed} = 1 and +${table.status} = 'published'`,
    narrowest && sql`${table.id} in (${narrowest.ids})`,
    country === undefined ? undefined : sql`${plus}${table.country} = ${country}`,
    isAt === undefined ? undefined : sql`${plus}${table.place} = ${isAt}`,
    kind === undefined ? undefined : sql`${plus}${table.class} = ${kind}`,
    ...filters.filter((filter) => filter !== narrowest).map(({ matches }) => matches),
    isManaged(table.org_id),
  );
  return pageBody(reader, entry, { ...page, from: table, where, orderBy: inOrder });
}

function byWord(type: EntryType, ...bounds: readonly SQL[]): Filter {
  const isWord = and(...bounds.map((bound) => sql`${words.word} ${bound}`));
  return {
    ids: sql`select ${words.entry_id} from ${words} where ${words.type} = ${type} and ${isWord}`,
    matches: sql`exists (select 1 from ${words} where ${words.entry_id} = ${table.id} and ${isWord})`,
  };
}

function byDistance(type: EntryType, point: Point, radiusKm: number): Filter {
  const isThere = isNear(point, radiusKm, true);
  return {
    ids: sql`select ${table.id} from ${table} where ${and(eq(table.type, type), isPublic, isThere)}`,
    matches: isNear(point, radiusKm, false),
  };
}

/** Returns the filter with the fewest candidates, if SQLite can sort them. Counts no more than that of each. */
async function narrowestOf(reader: ControlReader, filters: readonly Filter[]): Promise<Filter | undefined> {
  let narrowest: { filter: Filter; count: number } | undefined;
  for (const filter of filters) {
    const limit = (narrowest?.count ?? MOST_SORTED) + 1;
    const [row] = await reader.values<[number]>(sql`select count(*) from (${filter.ids} limit ${limit})`);
    const count = row?.[0] ?? 0;
    if (count < limit) narrowest = { filter, count };
  }
  return narrowest?.filter;
}

/** Returns the coordinates of a place: those that an entry at this place has. @throws VALIDATION_ERROR none has any */
async function pointOf(reader: ControlReader, place: string | Point): Promise<Point> {
  if (typeof place !== "string") return place;
  const { latitude, longitude } = table;
  const [row] = await reader.values<[number, number]>(sql`select ${latitude}, ${longitude} from ${table}
    where ${table.type} in ('schools', 'aircraft', 'instructors') and ${table.place} = ${place} and ${isPublic}
      and +${latitude} is not null limit 1`);
  if (row === undefined)
    throw invalid({
      path: "place",
      code: "unknown",
      message: "No entry at this place has coordinates. Give `place` as coordinates, such as 49.96;8.64.",
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
