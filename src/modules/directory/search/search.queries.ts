/** The public search of the directory. */
import { and, eq, or, type SQL, sql } from "drizzle-orm";
import { invalid } from "../../../core/errors.ts";
import type { Bytes } from "../../../core/kept-body.ts";
import { wordsIn } from "../../../core/words.ts";
import { ascending, type PageRequest, pageBody } from "../../../storage/page.ts";
import { resourceBy } from "../../../storage/shape.ts";
import type { Reader } from "../../../storage/store.ts";
import { isManaged } from "../../organizations/usable.queries.ts";
import { ratingWord } from "../entries/rating-word.ts";
import { isPublic, directoryEntries as table, directoryWords as words } from "../entries.tables.ts";
import type { EntryType } from "../entry-types.ts";
import { entry } from "./entry.shapes.ts";
import { type Filter, intersect, isFew, MOST_COUNTED } from "./intersect.ts";
import { isNear, type Point } from "./near.ts";
import type { Search } from "./search.schemas.ts";

type ControlReader = Reader<"control">;

const inOrder = ascending(entry, "rank", "name", "id");

/** Kilometres from coordinates that are given without a distance. */
const USUAL_RADIUS = 50;

/** @throws VALIDATION_ERROR the coordinates of `place` are not known */
export async function searchEntries(
  reader: ControlReader,
  type: EntryType,
  { q, rating, country, place, radius_km, class: kind, ...page }: Search & PageRequest,
): Promise<Bytes> {
  const isAt = typeof place === "string" && radius_km === 0 ? place : undefined;
  const point = place === undefined || isAt !== undefined ? undefined : await pointOf(reader, place);
  const filters = [
    ...(q === undefined ? [] : wordsIn(q)).map((word) => byWord(type, sql`>= ${word}`, sql`< ${`${word}\u{10ffff}`}`)),
    ...(rating === undefined ? [] : [byWord(type, sql`= ${ratingWord(rating)}`)]),
    ...(point === undefined ? [] : [byDistance(type, point, radius_km || USUAL_RADIUS, place)]),
  ];
  const { found, others } = await intersect(reader, filters);
  // Few are sorted. If many are found, SQLite reads the list in its order instead, and soon has a page. A `+` keeps it from
  // the other index.
  const isSorted = found !== undefined && isFew(found);
  const [ofList, ofFound] = (isSorted ? ["+", ""] : ["", "+"]).map((plus) => sql.raw(plus));
  const where = and(
    sql`${ofList}${table.type} = ${type}`,
    isSorted ? sql`+${table.listed} = 1 and +${table.status} = 'published'` : isPublic,
    found && sql`${ofFound}${table.rowid} in (select value from json_each(${JSON.stringify(found)}))`,
    country === undefined ? undefined : sql`${ofList}${table.country} = ${country}`,
    isAt === undefined ? undefined : sql`${ofList}${table.place} = ${isAt}`,
    kind === undefined ? undefined : sql`${ofList}${table.class} = ${kind}`,
    ...others.map(({ matches }) => matches),
    isManaged(table.org_id),
  );
  return pageBody(reader, entry, { ...page, from: table, where, orderBy: inOrder });
}

function byWord(type: EntryType, ...bounds: readonly SQL[]): Filter {
  const isWord = and(...bounds.map((bound) => sql`${words.word} ${bound}`));
  return {
    rowids: sql`select ${words.entry} as entry from ${words} where ${words.type} = ${type} and ${isWord}`,
    mostRead: 10_000,
    matches: sql`exists (select 1 from ${words} where ${words.entry} = ${table.rowid} and ${isWord})`,
  };
}

function byDistance(type: EntryType, point: Point, radiusKm: number, place: Search["place"]): Filter {
  // What is at the place itself may have no coordinates.
  const isAt = (plus: string) => (typeof place === "string" ? [sql`${sql.raw(plus)}${table.place} = ${place}`] : []);
  const selects = [isNear(point, radiusKm, true), ...isAt("")].map(
    (isThere) =>
      sql`select ${table.rowid} as entry from ${table} where ${and(eq(table.type, type), isPublic, isThere)}`,
  );
  return {
    rowids: sql.join(selects, sql` union all `),
    mostRead: MOST_COUNTED,
    matches: or(isNear(point, radiusKm, false), ...isAt("+")),
  };
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
