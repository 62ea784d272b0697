/** Counts the rows of a list, however many, without stopping other requests. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { yieldToEventLoop } from "../core/async.ts";
import { Cursor } from "../core/cursor.ts";
import type { Reader, Value } from "./store.ts";

/** Rows that are counted in one turn of the event loop: SQLite takes about a millisecond for them. */
export const mostAtOnce = 5000;

/** Returns SQL for the number of rows, if they are few, and otherwise for a larger number than `countsAtOnce` accepts. */
export const countOf = (source: SQL): SQL => sql`(select count(*) from (select 1 ${source} limit ${mostAtOnce + 1}))`;

export const countsAtOnce = (count: number): boolean => count <= mostAtOnce;

interface List {
  /** The sort keys of a row, by the names of the placeholders in `rest`. */
  keys: readonly [name: string, value: SQLWrapper][];
  sorted: SQL;
  /** All rows: `from … where …`. */
  all: SQL;
  /** The rows after the one whose keys the placeholders have. */
  rest: SQL;
  /** For the other placeholders. */
  values: Record<string, Value>;
}

/** Counts many rows in pieces, from key to key, so that other requests are served in between. */
export async function countInPieces(reader: Reader, { keys, sorted, all, rest, values }: List): Promise<number> {
  const list = sql.join(
    keys.map(([, value]) => value),
    sql.raw(", "),
  );
  const nextOf = (source: SQL) => sql`select ${list} ${source} order by ${sorted} limit 1 offset ${mostAtOnce - 1}`;
  const next = nextOf(rest);
  let count = 0;
  let at = values;
  for (let last = await reader.first(nextOf(all), at); last !== undefined; last = await reader.first(next, at)) {
    count += mostAtOnce;
    const row = Cursor.parse(last);
    at = { ...values, ...Object.fromEntries(keys.map(([name], index) => [name, row[index] ?? ""])) };
    await yieldToEventLoop();
  }
  const source = count === 0 ? all : rest;
  const [left] = (await reader.first(sql`select count(*) ${source}`, at)) ?? [];
  return count + Number(left);
}
