/** Lists in the order of changes, by which a program reads what is new since it last asked. */
import { type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { yieldingEvery } from "../core/async.ts";
import { type Instant, shift } from "../core/clock.ts";
import type { Cursor } from "../core/cursor.ts";
import { lookUp } from "./lookup.ts";
import type { Kind, Reader, Tx, Value } from "./store.ts";

export interface Since {
  updated_since?: Instant | undefined;
}

interface Started {
  updated_since?: Instant | Placeholder | undefined;
  cursor?: Cursor | undefined;
}

/** Matches rows that changed at the instant or later. With a cursor, `+` makes SQLite search from the cursor instead. */
export const changedSince = (updatedAt: SQLWrapper, { updated_since, cursor }: Started): SQL | undefined =>
  updated_since && sql`${sql.raw(cursor ? "+" : "")}${updatedAt} >= ${updated_since}`;

/**
 * Makes a query for the `updated_at` of a change: now, but always later than the changes of transactions before. Otherwise a
 * program that has read one change would miss another of the same millisecond, or one after the clock was set back. All
 * changes of a transaction have the same time.
 *
 * @param among the rows that the list can show, if not all: the condition of the partial index on `updated_at`
 */
export function changeTime<K extends Kind>(
  table: SQLiteTable & { updated_at: SQLiteColumn & { _: { data: Instant } } },
  among: SQL = sql`true`,
): (tx: Tx<K>) => Promise<Instant> {
  const last = lookUp(
    { updated_at: table.updated_at },
    sql`from ${table} where ${among} order by ${table.updated_at} desc limit 1`,
  );
  const known = new WeakMap<Tx<K>, Promise<Instant>>();
  const timeOf = async (tx: Tx<K>) => {
    const newest = await last(tx, {});
    if (newest === undefined || newest.updated_at === null || newest.updated_at < tx.now) return tx.now;
    return shift(newest.updated_at, 1);
  };
  return (tx) => {
    const at = known.get(tx) ?? timeOf(tx);
    known.set(tx, at);
    return at;
  };
}

/** A resource with a list of changes. */
interface Listed<K extends Kind> {
  table: SQLiteTable & { updated_at: SQLiteColumn };
  changeTime(tx: Tx<K>): Promise<Instant>;
}

/** Rows that are written without a pause. */
const PIECE = 500;

/**
 * Makes a posting that gives rows a new `updated_at`, in pieces, so that requests run meanwhile. Its parts are `find` and `touch`.
 *
 * @param where which rows, with a `sql.placeholder` for each value
 */
export function touching<K extends Kind>({ table, changeTime }: Listed<K>, where: SQL) {
  const matching = sql`select json_group_array(rowid) from ${table} where ${where}`;
  const update = sql`update ${table} set updated_at = ${sql.placeholder("updated_at")}
    where rowid in (select value from json_each(${sql.placeholder("rowids")}))`;
  const find = async (reader: Reader<K>, values: Record<string, Value>): Promise<readonly number[]> => {
    const row = await reader.first(matching, values);
    return JSON.parse(String(row?.[0]));
  };
  const touch = async (tx: Tx<K>, rowids: readonly number[]): Promise<void> => {
    if (rowids.length === 0) return;
    const updated_at = await changeTime(tx);
    const pause = yieldingEvery();
    for (let from = 0; from < rowids.length; from += PIECE) {
      await tx.each(update, [{ updated_at, rowids: JSON.stringify(rowids.slice(from, from + PIECE)) }]);
      await pause();
    }
  };
  const touchFound = async (tx: Tx<K>, values: Record<string, Value>) => touch(tx, await find(tx, values));
  return Object.assign(touchFound, { find, touch });
}
