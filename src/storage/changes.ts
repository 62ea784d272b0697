/** Lists in the order of changes, by which a program reads what is new since it last asked. */
import { type Placeholder, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { type Instant, shift } from "../core/clock.ts";
import type { Cursor } from "../core/cursor.ts";
import { lookUp } from "./lookup.ts";
import type { Kind, Tx } from "./store.ts";

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
 * Makes a query for the `updated_at` of a change: now, but always later than the changes before. Otherwise a program that has
 * read one change would miss another of the same millisecond, or one after the clock was set back.
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
  return async (tx) => {
    const newest = await last(tx, {});
    if (newest === undefined || newest.updated_at === null || newest.updated_at < tx.now) return tx.now;
    return shift(newest.updated_at, 1);
  };
}
