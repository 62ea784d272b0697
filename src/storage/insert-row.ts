import { sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { given, rowStatements } from "./row-statements.ts";
import type { OnlyColumns, Tx } from "./store.ts";

/**
 * Inserts a row with a statement that is built once for each table and set of columns: for 30 columns, drizzle takes five
 * times as long to build it as SQLite to insert the row. Omitted columns get their default.
 */
export async function insertRow<T extends SQLiteTable, V extends T["$inferInsert"]>(
  tx: Tx,
  table: T,
  row: OnlyColumns<V, T["$inferInsert"]>,
): Promise<void> {
  const { columns, values } = given(table, row);
  await tx.each(statementFor(table, columns), [values]);
}

const statementFor = rowStatements((table, columns) => {
  const names = columns.map(({ name }) => sql.identifier(name));
  const values = columns.map(({ name }) => sql.placeholder(name));
  const comma = sql.raw(", ");
  return sql`insert into ${table} (${sql.join(names, comma)}) values (${sql.join(values, comma)})`;
});
