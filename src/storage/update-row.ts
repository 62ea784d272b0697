import { sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { given, rowStatements } from "./row-statements.ts";
import type { OnlyColumns, Tx } from "./store.ts";

type WithId = SQLiteTable & { id: SQLiteColumn };

/** Updates a row with a statement that is built once for each table and set of columns. An undefined column keeps its value. */
export async function updateRow<T extends WithId, V extends Partial<T["$inferInsert"]>>(
  tx: Tx,
  table: T,
  id: string,
  set: OnlyColumns<V, T["$inferInsert"]>,
): Promise<void> {
  const { columns, values } = given(table, set);
  if (columns.length === 0) return;
  await tx.each(updateOf(table, columns), [[...values, id]]);
}

const updateOf = rowStatements((table: WithId, columns) => {
  const set = columns.map(({ name }) => sql`${sql.identifier(name)} = ${sql.placeholder(name)}`);
  return sql`update ${table} set ${sql.join(set, sql.raw(", "))} where ${table.id} = ${sql.placeholder("id of the row")}`;
});

/** Deletes a row with a statement that is built once for each table. */
export async function deleteRow(tx: Tx, table: WithId, id: string): Promise<void> {
  await tx.each(deleteOf(table, []), [[id]]);
}

const deleteOf = rowStatements(
  (table: WithId) => sql`delete from ${table} where ${table.id} = ${sql.placeholder("id")}`,
);
