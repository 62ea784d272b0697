import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { OnlyColumns, Tx, Value } from "./store.ts";

/** The statements of each table, by the names of their columns. */
const statements = new WeakMap<SQLiteTable, Map<string, SQL>>();

/**
 * Inserts a row with a statement that is built once for each table and set of columns: for 30 columns, drizzle takes five
 * times as long to build it as SQLite to insert the row. Omitted columns get their default.
 */
export async function insertRow<T extends SQLiteTable, V extends T["$inferInsert"]>(
  tx: Tx,
  table: T,
  row: OnlyColumns<V, T["$inferInsert"]>,
): Promise<void> {
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => name);
  const columns = getTableColumns(table);
  const values = given.map(
    ([name, value]) => (value === null ? null : columns[name]?.mapToDriverValue(value)) as Value,
  );
  await tx.each(statementFor(table, names), [values]);
}

function statementFor(table: SQLiteTable, names: readonly string[]): SQL {
  const known = statements.get(table) ?? new Map<string, SQL>();
  statements.set(table, known);
  const key = names.join();
  const statement = known.get(key) ?? newStatement(table, names);
  known.set(key, statement);
  return statement;
}

function newStatement(table: SQLiteTable, names: readonly string[]): SQL {
  const columns = getTableColumns(table);
  const list = names.map((name) => sql.identifier(columns[name]?.name ?? name));
  const values = names.map((name) => sql.placeholder(name));
  const comma = sql.raw(", ");
  return sql`insert into ${table} (${sql.join(list, comma)}) values (${sql.join(values, comma)})`;
}
