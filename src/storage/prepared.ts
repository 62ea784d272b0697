import type { Kind, Reader } from "./store.ts";

/**
 * Builds a query once for each open database. drizzle takes longer to build a query than SQLite to look up a row by key, so
 * the look-ups of every request are prepared, with `sql.placeholder` for values.
 */
export function prepared<K extends Kind, Query>(build: (reader: Reader<K>) => Query): (reader: Reader<K>) => Query {
  const queries = new WeakMap<Reader<K>, Query>();
  return (reader) => {
    const home = reader.statements?.() ?? reader;
    const known = queries.get(home);
    if (known !== undefined) return known;
    const query = build(home);
    queries.set(home, query);
    return query;
  };
}
