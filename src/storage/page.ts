/** Pages of lists, by offset or by cursor, as JSON that SQLite builds. */
import { isUtf8 } from "node:buffer";
import { and, getTableColumns, type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import { Cursor, encodeCursor } from "../core/cursor.ts";
import { badRequest, gone } from "../core/errors.ts";
import type { Bytes } from "../core/kept-body.ts";
import { changedSince, type Since } from "./changes.ts";
import { countInPieces, countOf, countsAtOnce, mostAtOnce } from "./count-in-pieces.ts";
import { containsPlace, Place, presentPlace } from "./history.ts";
import { asText, type Fields, type Shape, type Source } from "./shape.ts";
import { invalidText } from "./sqlite-error.ts";
import type { Kind, Reader, Value } from "./store.ts";

export interface PageRequest {
  limit: number;
  /** Missing for a list without `offset`. */
  offset?: number | undefined;
  /** The page begins after this row, which need not exist any more. */
  cursor?: Cursor | undefined;
  /** Also counts all rows of the list, which takes a second scan. */
  with_total?: boolean | undefined;
}

/** The page of a list with several orders. */
export interface InOrder<Name extends string = string> {
  order?: Name | undefined;
}

/** The order of a list: fields that together identify a row, all in one direction. */
export interface Order {
  keys: readonly { name: string; schema: z.core.$ZodType; value: SQLWrapper; nullable: boolean; absent: Absent }[];
  direction: "asc" | "desc";
  /** Names the order in its cursors, e.g. `-off_block_at,id`. */
  tag: string;
  /** The terms of `order by`. */
  sorted: SQL;
  /**
   * Whether new rows come last, so that a program can continue from the end: pages have a `last_cursor`. Cursors are kept for
   * days, so they have the place in the history of the database (`history.ts`).
   */
  resumable?: boolean;
}

/** Sorts null as the empty text: a row value with a null compares as unknown. The index must use the same expression. */
export const nullAsEmpty = (value: SQLWrapper): SQL => nullAs("", value);

const nullAs = (absent: Absent, value: SQLWrapper): SQL =>
  sql`case when ${value} is null then ${sql.raw(`'${absent}'`)} else ${value} end`;

/** Instead of null, before or after all texts. */
type Absent = "" | "~";

const order =
  (direction: "asc" | "desc", absent: Absent = "") =>
  <F extends Fields>({ fields }: Pick<Shape<F>, "fields">, ...names: (keyof F & string)[]): Order => {
    const keys = names.flatMap((name) => {
      const field = fields[name];
      if (field === undefined) return [];
      const { schema, value } = field;
      return z.safeParse(schema, null).success
        ? { name, schema: z.union([schema, z.literal(absent)]), value: nullAs(absent, value), nullable: true, absent }
        : { name, schema, value, nullable: false, absent };
    });
    const terms = keys.map(({ value }) => sql`${value} ${sql.raw(direction)}`);
    const tag = `${direction === "desc" ? "-" : ""}${keys.map(({ name }) => name).join()}`;
    return { keys, direction, tag, sorted: asText(sql.join(terms, sql.raw(", "))) };
  };

/** Returns the order from its end. An index of the one is an index of the other. */
export const reversed = ({ keys, direction, tag, ...rest }: Order): Order => {
  const other = direction === "asc" ? "desc" : "asc";
  const terms = keys.map(({ value }) => sql`${value} ${sql.raw(other)}`);
  return {
    ...rest,
    keys,
    direction: other,
    tag: direction === "asc" ? `-${tag}` : tag.slice(1),
    sorted: asText(sql.join(terms, sql.raw(", "))),
  };
};

/** The orders of a list that a client may ask for by name (`order`), besides or with the usual one. */
export type Orders<Name extends string = string> = Readonly<Record<Name, Order>>;

/** Returns the order that a query names. @param usual without a name */
export const orderIn = (usual: Order, orders: Orders, name: string | undefined): Order =>
  (name === undefined ? undefined : orders[name]) ?? usual;

/** Sorts by fields of a shape, the smallest first; null before all other values. */
export const ascending = order("asc");
/** Sorts by fields of a shape, the greatest first; null after all other values. */
export const descending = order("desc");
/** Sorts by fields of a shape, the smallest first; null after all other values: what has no day is never due. */
export const soonest = order("asc", "~");

/** Returns the order of a list to which new rows are added only at the end. */
export const resumable = (order: Order): Order => ({ ...order, resumable: true });

/** Sorts by changes, the oldest first: for a list with `updated_since`. */
export const inOrderOfChanges = ({ fields }: { fields: Fields }): Order =>
  resumable(ascending({ fields }, "updated_at", "id"));

/** Between two rows. SQLite's JSON has no line feed, so this occurs nowhere else, and the body is still JSON. */
const SEPARATOR = ",\n";

const Found = z.tuple([z.instanceof(Uint8Array).nullable(), z.int(), z.int().nullable()]);

/** A filter with a placeholder for each of its values. */
export type Marked<Filter> = { [Name in keyof Filter]: Filter[Name] | Placeholder };

interface Filtered<Filter> {
  from: SQLWrapper;
  /** Makes the condition of a filter, whose values are bound as they are: text or numbers. */
  where(filter: Marked<Filter>, isOfChanges: boolean): SQL | undefined;
  orderBy: Order;
  orders?: Orders | undefined;
}

/** Makes a list whose SQL is compiled once for each combination of filters. With `updated_since` it is in the order of changes. */
export function pageBy<F extends Fields, Filter extends object>(
  { json, fields }: Shape<F>,
  { from, where, orderBy: usual, orders = {} }: Filtered<Filter>,
) {
  const changes = inOrderOfChanges({ fields });
  const statements = new Map<string, SQL>();
  return <K extends Kind>(
    reader: Reader<K>,
    { limit, offset, cursor, with_total, order, ...rest }: Filter & Since & InOrder & PageRequest,
  ): Promise<Bytes> => {
    const filter = Object.entries(rest).filter((entry): entry is [string, Value] => entry[1] !== undefined);
    const key = [with_total === true, cursor !== undefined, order, ...filter.map(([name]) => name)].join();
    const marked = Object.fromEntries(filter.map(([name]) => [name, sql.placeholder(name)]));
    const { updated_since, ...others } = marked;
    const orderBy = updated_since ? changes : orderIn(usual, orders, order);
    const isAfter = fields.updated_at && changedSince(fields.updated_at.value, { updated_since, cursor });
    const source = { from, where: and(isAfter, where(others as Marked<Filter>, updated_since !== undefined)) };
    const statement = statements.get(key) ?? select(json, source, orderBy, cursor, with_total);
    statements.set(key, statement);
    return body(reader, { statement, source, orderBy }, { limit, offset, cursor }, Object.fromEntries(filter));
  };
}

type Equal<T extends SQLiteTable> = { [Name in keyof T["$inferSelect"]]?: T["$inferSelect"][Name] | undefined };
type Period<P> = P extends SQLiteColumn
  ? { from?: P["_"]["data"] | undefined; to?: P["_"]["data"] | undefined }
  : object;
type Surplus<Q, T extends SQLiteTable, P> = Exclude<
  keyof Q,
  keyof (PageRequest & InOrder & Since) | keyof T["$inferSelect"] | keyof Period<P>
>;

/**
 * Makes the list of a table. What a query has besides the page filters by the column of the same name, and `from` and `to`
 * by the one of the period; the compiler rejects what is no column, and an `order` that is none of the orders.
 *
 * @param period the day or the instant of a row, for a query with `fromAndToDays` or `fromAndTo`
 */
export function listOf<
  T extends SQLiteTable,
  F extends Fields,
  P extends SQLiteColumn | undefined = undefined,
  O extends string = never,
>(shape: Shape<F>, { from, orderBy, orders, period }: { from: T; orderBy: Order; orders?: Orders<O>; period?: P }) {
  const columns: Record<string, SQLiteColumn> = getTableColumns(from);
  const matches = ([name, value]: [string, unknown]): SQL => {
    if (period && name === "from") return sql`${period} >= ${value}`;
    if (period && name === "to") return sql`${period} < ${value}`;
    const column = columns[name];
    if (column === undefined) throw new Error(`The filter ${name} is no column.`);
    return sql`${column} = ${value}`;
  };
  const list = pageBy<F, object>(shape, {
    from,
    where: (filter) => and(...Object.entries(filter).map(matches)),
    orderBy,
    orders,
  });
  return <K extends Kind, Q extends PageRequest & InOrder<O> & Since & Equal<T> & Period<P>>(
    reader: Reader<K>,
    query: Q & { [Name in Surplus<Q, T, P>]: never },
  ): Promise<Bytes> => list(reader, query);
}

/**
 * A list whose rows are found in several ways, each of which is read in the order of an index. SQLite merges them, a row that is
 * found twice once, and reads no more of each than the page needs.
 */
export interface Merged {
  /** At least one; SQLite allows 500. */
  parts: readonly Part[];
  /** Joins what the shape reads to the keys of a page's rows, the columns of `page` with the names of the list's order. */
  join: SQL;
}

/** Its order has the names and the direction of the list's, and its own columns. */
type Part = Source & { orderBy: Order };

/** Returns a page of a list whose condition differs from call to call. The parameters and the result are as `pageBy`'s. */
export const pageBody = <K extends Kind>(
  reader: Reader<K>,
  { json }: Pick<Shape<Fields>, "json">,
  { orderBy, limit, offset, cursor, with_total, ...source }: (Source | Merged) & PageRequest & { orderBy: Order },
): Promise<Bytes> => {
  const statement = select(json, source, orderBy, cursor, with_total);
  return body(reader, { statement, source, orderBy }, { limit, offset, cursor }, {});
};

/** Returns the statement of a page, with placeholders for the limit, the offset and the cursor's keys. */
function select(json: SQL, source: Source | Merged, orderBy: Order, cursor: unknown, with_total = false): SQL {
  const isAfter = cursor !== undefined;
  // One row more than the page shows whether there are more.
  const extent = sql`limit ${sql.placeholder("limit")} + 1 offset ${sql.placeholder("offset")}`;
  const rows =
    "parts" in source
      ? sql`from (${merged(source, orderBy, isAfter)} ${extent}) as page ${source.join} order by ${orderBy.sorted}`
      : sql`${rowsOf(source, orderBy, isAfter)} order by ${orderBy.sorted} ${extent}`;
  // libSQL returns a blob faster than text.
  return sql`
    select cast(group_concat(item, ${sql.raw(`'${SEPARATOR}'`)}) as blob), count(*),
      ${with_total ? countOf(counted(source, orderBy).all) : sql`null`}
    from (select ${json} as item ${rows})`;
}

const rowsOf = ({ from, where }: Source, orderBy: Order, isAfter: boolean): SQL => {
  const condition = and(isAfter ? after(orderBy) : undefined, where);
  return sql`from ${from} ${condition ? sql`where ${condition}` : sql``}`;
};

/** Returns the keys of the rows, in the order of the list. */
function merged({ parts }: Merged, { keys, direction }: Order, isAfter: boolean): SQL {
  const rows = parts.map(({ orderBy, ...source }) => {
    const columns = orderBy.keys.map(({ name, value }) => sql`${value} as ${sql.identifier(name)}`);
    return sql`select ${listed(columns)} ${rowsOf(source, orderBy, isAfter)}`;
  });
  const terms = keys.map((_, at) => sql.raw(`${at + 1} ${direction}`));
  return sql`${sql.join(rows, sql.raw(" union "))} order by ${listed(terms)}`;
}

/** Returns what `countInPieces` needs. */
function counted(source: Source | Merged, orderBy: Order) {
  const { keys, direction, sorted } = orderBy;
  const values = keys.map(({ value }) => value);
  if (!("parts" in source))
    return { values, sorted, all: rowsOf(source, orderBy, false), rest: rowsOf(source, orderBy, true) };
  const names = keys.map(({ name }) => sql.identifier(name));
  const limited = (isAfter: boolean) =>
    sql`from (${merged(source, orderBy, isAfter)} limit ${sql.raw(String(mostAtOnce + 1))})`;
  const terms = names.map((name) => sql`${name} ${sql.raw(direction)}`);
  return { values: names, sorted: listed(terms), all: limited(false), rest: limited(true) };
}

const listed = (parts: SQLWrapper[]): SQL => sql.join(parts, sql.raw(", "));

interface List {
  statement: SQL;
  source: Source | Merged;
  orderBy: Order;
}

/**
 * Returns a list body, `{"data":[…],"page":{…}}`, as the bytes of JSON text.
 *
 * @throws BAD_REQUEST   the cursor is not of this list, or of another order
 * @throws GONE          the file was restored from a copy that is older than the cursor
 * @throws SqliteFailure the file is damaged
 */
async function body<K extends Kind>(
  reader: Reader<K>,
  { statement, source, orderBy }: List,
  { limit, offset, cursor }: PageRequest,
  filter: Record<string, Value>,
): Promise<Bytes> {
  if (cursor !== undefined && offset) throw badRequest("Use `cursor` or `offset`, not both.");
  const values = { ...filter, limit, offset: offset ?? 0, ...(cursor && (await keysIn(reader, cursor, orderBy))) };
  const [found, count, some] = Found.parse((await reader.first(statement, values)) ?? [null, 0, null]);
  const isCounted = some === null || countsAtOnce(some);
  const total = isCounted ? some : await countAll(reader, source, orderBy, filter);
  const rows = found === null ? Buffer.alloc(0) : Buffer.from(found.buffer, found.byteOffset, found.length);
  // SQLite does not check text, and libSQL checks no blob. This takes 1 µs for 100 rows.
  if (!isUtf8(rows)) throw invalidText();
  const has_more = count > limit;
  const shown = has_more ? rows.subarray(0, rows.lastIndexOf(SEPARATOR)) : rows;
  const reached =
    count > 0 && (has_more || orderBy.resumable) ? await cursorAt(reader, orderBy, lastOf(shown)) : cursor;
  const last_cursor = reached === undefined ? null : encodeCursor(reached);
  const page = {
    limit,
    ...(offset !== undefined && { offset }),
    has_more,
    next_cursor: has_more ? last_cursor : null,
    ...(orderBy.resumable && { last_cursor }),
    ...(total !== null && { total }),
  };
  return Buffer.concat([Buffer.from('{"data":['), shown, Buffer.from(`],"page":${JSON.stringify(page)}}`)]);
}

const countAll = (
  reader: Reader,
  source: Source | Merged,
  orderBy: Order,
  filter: Record<string, Value>,
): Promise<number> => {
  const { values, ...list } = counted(source, orderBy);
  const keys = values.map((value, at): [string, SQLWrapper] => [keyName(at), value]);
  return countInPieces(reader, { keys, ...list, values: filter });
};

const keyName = (at: number) => `cursor_${at}`;

/** Returns the values for `after`'s placeholders. */
async function keysIn(reader: Reader, [tag, ...rest]: Cursor, order: Order): Promise<Record<string, Value>> {
  if (tag !== order.tag) throw badRequest(OTHER_ORDER);
  const [place, cursor] = order.resumable ? [Place.safeParse(rest[0]), rest.slice(1)] : [undefined, rest];
  const { keys } = order;
  const fits = cursor.length === keys.length && keys.every(({ schema }, at) => z.safeParse(schema, cursor[at]).success);
  if (!fits || place?.success === false) throw badRequest("`cursor` must be the `next_cursor` of a page of this list.");
  if (place && !(await containsPlace(reader, place.data))) throw gone("records_restored", RESTORED);
  return Object.fromEntries(cursor.map((key, at) => [keyName(at), key]));
}

const RESTORED =
  "The organization's records were restored from a backup that is older than `cursor`. Delete what you have of this list and read it from its beginning, without `cursor`.";

const OTHER_ORDER =
  "`cursor` is of a list in another order, or was given out by an earlier version. Send it with the same `order`, and with `updated_since` if it was given out with that. Otherwise read the list from its beginning.";

/**
 * Compares row values, for which SQLite uses an index of the same columns. If the first column is an expression, SQLite does
 * not, so a bound for it is added.
 */
function after({ keys, direction }: Order): SQL {
  const isBeyond = sql.raw(direction === "asc" ? ">" : "<");
  const marks = keys.map((_, at) => sql.placeholder(keyName(at)));
  const beyond = sql`(${listed(keys.map(({ value }) => value))}) ${isBeyond} (${listed(marks)})`;
  const [first] = keys;
  return first?.nullable ? sql`${first.value} ${isBeyond}= ${marks[0]} and ${beyond}` : beyond;
}

/** Returns the last row of some. */
function lastOf(rows: Bytes): string {
  const before = rows.lastIndexOf(SEPARATOR);
  return rows.toString("utf8", before < 0 ? 0 : before + SEPARATOR.length);
}

const Row = z.record(z.string(), z.unknown());

/** @param row as JSON text, which has the fields of the order */
async function cursorAt(reader: Reader, { keys, tag, resumable }: Order, row: string): Promise<Cursor> {
  const shown = Row.parse(JSON.parse(row));
  // After the page was read: a place that is later than the row is refused once too often, an earlier one once too few.
  const place = resumable ? [await presentPlace(reader)] : [];
  return Cursor.parse([tag, ...place, ...keys.map(({ name, absent }) => shown[name] ?? absent)]);
}
