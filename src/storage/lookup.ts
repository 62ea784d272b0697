/**
 * Queries whose SQL is built once. drizzle takes longer to build a query than SQLite takes to answer a lookup by key, so those of
 * every request and of every write are made by these.
 */
import { type GetColumnData, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Kind, Reader, Value } from "./store.ts";

type Columns = Record<string, SQLiteColumn>;
type Row<C extends Columns> = { [Name in keyof C]: GetColumnData<C[Name]> };

/**
 * Makes a lookup of one row.
 *
 * @param rest the statement from `from` on, with `sql.placeholder` for the values
 */
export function lookUp<C extends Columns>(columns: C, rest: SQL) {
  const { statement, decode } = selecting(columns, rest);
  return async <K extends Kind>(reader: Reader<K>, values: Record<string, Value>): Promise<Row<C> | undefined> => {
    const row = await reader.first(statement, values);
    return row && decode(row);
  };
}

/** As `lookUp`, of all rows. */
export function lookUpAll<C extends Columns>(columns: C, rest: SQL) {
  const { statement, decode } = selecting(columns, rest);
  return async <K extends Kind>(reader: Reader<K>, values: Record<string, Value>): Promise<Row<C>[]> =>
    (await reader.rows(statement, values)).map(decode);
}

function selecting<C extends Columns>(columns: C, rest: SQL) {
  const list = Object.entries(columns);
  const names = list.map(([, column]) => column);
  return {
    statement: sql<unknown[]>`select ${sql.join(names, sql.raw(", "))} ${rest}`,
    // A loop: of hundreds of rows, pairs for each would be most of the garbage.
    decode: (row: readonly unknown[]) => {
      const named: Record<string, unknown> = {};
      for (const [at, [name, column]] of list.entries()) named[name] = decoded(column, row[at]);
      return named as Row<C>;
    },
  };
}

const decoded = (column: SQLiteColumn, value: unknown) =>
  value === null || value === undefined ? null : column.mapFromDriverValue(value);
