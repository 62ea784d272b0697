import { type GetColumnData, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Kind, Reader, Value } from "./store.ts";

type Columns = Record<string, SQLiteColumn>;
type Row<C extends Columns> = { [Name in keyof C]: GetColumnData<C[Name]> };

/**
 * Makes a lookup of one row whose SQL is built once. drizzle takes longer to build a query than SQLite takes to answer a
 * lookup by key, so the lookups of every request and every write are made by this.
 *
 * @param rest the statement from `from` on, with `sql.placeholder` for the values
 */
export function lookUp<C extends Columns>(columns: C, rest: SQL) {
  const list = Object.entries(columns);
  const names = list.map(([, column]) => column);
  const statement = sql`select ${sql.join(names, sql.raw(", "))} ${rest}`;
  return async <K extends Kind>(reader: Reader<K>, values: Record<string, Value>): Promise<Row<C> | undefined> => {
    const row = await reader.first(statement, values);
    return row && (Object.fromEntries(list.map(([name, column], at) => [name, decoded(column, row[at])])) as Row<C>);
  };
}

const decoded = (column: SQLiteColumn, value: unknown) =>
  value === null || value === undefined ? null : column.mapFromDriverValue(value);
