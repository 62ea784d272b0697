/** Pages of lists, by offset or by cursor, as JSON text that SQLite builds. */
import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { z } from "zod";
import { Cursor, encodeCursor } from "../core/cursor.ts";
import { badRequest } from "../core/errors.ts";
import type { Fields, Shape, Source } from "./shape.ts";
import type { Kind, Reader } from "./store.ts";

export interface PageRequest {
  limit: number;
  /** Missing for a list without `offset`. */
  offset?: number | undefined;
  /** The page begins after this row, which need not exist any more. */
  cursor?: Cursor | undefined;
  /** Also counts all rows of the list, which takes a second scan. */
  with_total?: boolean | undefined;
}

/** The order of a list: fields that together identify a row, all in one direction. */
export interface Order {
  keys: readonly { name: string; schema: z.ZodType; value: SQLWrapper; nullable: boolean }[];
  direction: "asc" | "desc";
}

/** Sorts null as the empty text: a row value with a null compares as unknown. The index must use the same expression. */
export const nullAsEmpty = (value: SQLWrapper): SQL => sql`case when ${value} is null then '' else ${value} end`;

const order =
  (direction: "asc" | "desc") =>
  <F extends Fields>({ fields }: Shape<F>, ...names: (keyof F & string)[]): Order => ({
    direction,
    keys: names.flatMap((name) => {
      const field = fields[name];
      if (field === undefined) return [];
      const { schema, value } = field;
      return schema.safeParse(null).success
        ? { name, schema: schema.or(z.literal("")), value: nullAsEmpty(value), nullable: true }
        : { name, schema, value, nullable: false };
    }),
  });

/** Sorts by fields of a shape, the smallest first; null before all other values. */
export const ascending = order("asc");
/** Sorts by fields of a shape, the greatest first; null after all other values. */
export const descending = order("desc");

/** Returns a list body, `{"data":[…],"page":{…}}`, as JSON text. @throws BAD_REQUEST the cursor is not of this list */
export async function pageText<K extends Kind>(
  reader: Reader<K>,
  { json }: Pick<Shape<Fields>, "json">,
  { from, where, orderBy, limit, offset, cursor, with_total }: Source & PageRequest & { orderBy: Order },
): Promise<string> {
  if (cursor !== undefined && offset) throw badRequest("Use `cursor` or `offset`, not both.");
  const source = (filter: SQL | undefined) => sql`from ${from} ${filter ? sql`where ${filter}` : sql``}`;
  // One row more than the page shows whether there are more. SQLite's JSON has no line feed, so a line feed separates the
  // rows.
  const [row] = await reader.values<[string | null, number | null]>(sql`
    select group_concat(item, char(10)), ${with_total ? sql`(select count(*) ${source(where)})` : sql`null`}
    from (
      select ${json} as item ${source(and(cursor && after(orderBy, cursor), where))}
      order by ${sorted(orderBy)} limit ${limit + 1} offset ${offset ?? 0})`);
  const [text, total] = row ?? [null, null];
  const items = text?.split("\n") ?? [];
  const has_more = items.length > limit;
  const shown = has_more ? items.slice(0, limit) : items;
  const page = {
    limit,
    ...(offset !== undefined && { offset }),
    has_more,
    next_cursor: has_more ? encodeCursor(keysOf(orderBy, shown.at(-1) ?? "{}")) : null,
    ...(total !== null && { total }),
  };
  return `{"data":[${shown.join(",")}],"page":${JSON.stringify(page)}}`;
}

const sorted = ({ keys, direction }: Order): SQL =>
  sql.join(
    keys.map(({ value }) => sql`${value} ${sql.raw(direction)}`),
    sql.raw(", "),
  );

/**
 * Compares row values, for which SQLite uses an index of the same columns. If the first column is an expression, SQLite does
 * not, so a bound for it is added.
 */
function after({ keys, direction }: Order, cursor: Cursor): SQL {
  const fits = cursor.length === keys.length && keys.every(({ schema }, at) => schema.safeParse(cursor[at]).success);
  if (!fits) throw badRequest("`cursor` must be the `next_cursor` of a page of this list.");
  const list = (parts: SQLWrapper[]) => sql.join(parts, sql.raw(", "));
  const isBeyond = sql.raw(direction === "asc" ? ">" : "<");
  const beyond = sql`(${list(keys.map(({ value }) => value))}) ${isBeyond} (${list(cursor.map((key) => sql`${key}`))})`;
  const [first] = keys;
  return first?.nullable ? sql`${first.value} ${isBeyond}= ${cursor[0]} and ${beyond}` : beyond;
}

/** @param item a row as JSON text, which has the fields of the order */
function keysOf({ keys }: Order, item: string): Cursor {
  const shown = z.record(z.string(), z.unknown()).parse(JSON.parse(item));
  return Cursor.parse(keys.map(({ name }) => shown[name] ?? ""));
}
