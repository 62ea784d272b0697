import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import type { LegalDate } from "../core/dates.ts";
import type { Reader } from "./store.ts";
import { startOf } from "./today.ts";

export type DateColumn = SQLiteColumn & { _: { data: LegalDate } };

/**
 * Makes a query for the first moment of the earliest date in the columns, for `dueFrom` of a job. Each needs an index of the
 * dates that are not null.
 */
export function firstDay(...columns: readonly [DateColumn, ...DateColumn[]]) {
  const statements = columns.map(earliestIn);
  return async (reader: Reader<"tenant">): Promise<Instant | null> => {
    const dates: string[] = [];
    for (const statement of statements) {
      const row = await reader.first(statement, {});
      if (typeof row?.[0] === "string") dates.push(row[0]);
    }
    const [earliest] = dates.sort();
    return earliest === undefined ? null : startOf(reader, Temporal.PlainDate.from(earliest));
  };
}

const earliestIn = (column: DateColumn): SQL =>
  sql`select min(${column}) from ${column.table} where ${column} is not null`;
