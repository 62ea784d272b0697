/** Statements whose text is made once: drizzle takes longer to build one than SQLite to run it. */
import { fillPlaceholders, type Query, type SQL } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { Value } from "./store.ts";

const dialect = new SQLiteAsyncDialect();
const queries = new WeakMap<SQL, Query>();

/** Compiles each statement object once. */
export function compiled(statement: SQL): Query {
  const known = queries.get(statement);
  if (known !== undefined) return known;
  const query = dialect.sqlToQuery(statement);
  queries.set(statement, query);
  return query;
}

/** The values of a statement's `sql.placeholder`s, by name or in their order. */
export type ValuesOf = Record<string, Value> | readonly Value[];

/** `Array.isArray` does not narrow to a readonly array. */
const isInOrder = (row: ValuesOf): row is readonly Value[] => Array.isArray(row);

/** Returns the values of a statement in their order. */
export const filled = (params: unknown[], values: ValuesOf): Value[] | readonly Value[] =>
  isInOrder(values) ? values : (fillPlaceholders(params, values) as Value[]);
