import type { Kind, Reader } from "./store.ts";

/**
 * Builds a query once for each open database. drizzle takes longer to put a query together than SQLite to answer a
 * look-up by key, so those that every request makes are prepared, with `sql.placeholder` where values go.
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
