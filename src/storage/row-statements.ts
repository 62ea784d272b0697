/** Statements that write a row: each is built once for its table and set of columns, and kept. */
import { getTableColumns, type SQL } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Value } from "./store.ts";

interface Given {
  columns: readonly SQLiteColumn[];
  /** As SQLite stores them, in the order of the columns. */
  values: readonly Value[];
}

/** Returns the columns of which the row has a value, and these values. */
export function given(table: SQLiteTable, row: object): Given {
  const columns = getTableColumns(table);
  const entries = Object.entries(row).flatMap(([name, value]) => {
    const column = columns[name];
    return value === undefined || column === undefined ? [] : [{ column, value }];
  });
  return {
    columns: entries.map(({ column }) => column),
    values: entries.map(({ column, value }) => (value === null ? null : (column.mapToDriverValue(value) as Value))),
  };
}

/** @param build builds the statement, with a placeholder for each column's value */
export function rowStatements<T extends SQLiteTable>(build: (table: T, columns: readonly SQLiteColumn[]) => SQL) {
  const known = new WeakMap<T, Map<string, SQL>>();
  return (table: T, columns: readonly SQLiteColumn[]): SQL => {
    const ofTable = known.get(table) ?? new Map<string, SQL>();
    known.set(table, ofTable);
    const key = columns.map(({ name }) => name).join();
    const statement = ofTable.get(key) ?? build(table, columns);
    ofTable.set(key, statement);
    return statement;
  };
}
