import { type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { Kind, Reader, Value } from "../../src/storage/store.ts";

const dialect = new SQLiteAsyncDialect();

/** Returns SQLite's plans of all raw SQL statements that a query runs, one line per step. */
export async function planOf<K extends Kind>(
  reader: Reader<K>,
  query: (reader: Reader<K>) => Promise<unknown>,
): Promise<string[]> {
  const plan: string[] = [];
  const explain = async (statement: SQL) => {
    // Without values: the plan does not depend on them.
    const asked = sql.raw(`explain query plan ${dialect.sqlToQuery(statement).sql}`);
    const rows = await reader.values<[number, number, number, string]>(asked);
    plan.push(...rows.map(([, , , detail]) => detail));
  };
  const explaining = new Proxy(reader, {
    get(target, name) {
      if (name === "values")
        return async (asked: SQL) => {
          await explain(asked);
          return target.values(asked);
        };
      if (name === "first" || name === "rows")
        return async (asked: SQL<unknown[]>, values: Record<string, Value>) => {
          await explain(asked);
          return target[name](asked, values);
        };
      return Reflect.get(target, name);
    },
  });
  await query(explaining);
  return plan;
}
