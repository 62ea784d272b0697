import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * Selects the ids of the rows in which a text in lower case begins with `q`, by an index of that text.
 *
 * @param where the condition of the index, if it is partial
 */
export function idsStartingWith(
  table: SQLiteTable & { id: SQLiteColumn },
  text: SQLWrapper,
  q: string,
  where?: SQL,
): SQL {
  const from = q.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const isBetween = sql`${text} >= ${from} and ${text} < ${`${from}\u{10ffff}`}`;
  return sql`select ${table.id} from ${table} where ${and(isBetween, where)}`;
}
