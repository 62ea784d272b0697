/** Work that is due from a legal date on, which is in a column and begins where the organization is. */
import { lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";
import { type LegalDate, toLegalDate } from "../core/dates.ts";
import type { TenantContext } from "./context.ts";
import { inBatches } from "./in-batches.ts";
import type { Reader, Tx } from "./store.ts";
import { startOf, today } from "./today.ts";

type DateColumn = SQLiteColumn & { _: { data: LegalDate } };

/**
 * For `dueFrom` of a job: makes a query for the start of the earliest date in the columns. Each needs an index of the dates
 * that are not null.
 */
export function onDates(...columns: readonly [DateColumn, ...DateColumn[]]) {
  const firsts = columns.map(firstIn);
  return async (reader: Reader<"tenant">): Promise<Instant | null> => {
    const dates: string[] = [];
    for (const first of firsts) {
      const row = await reader.first(first, {});
      if (typeof row?.[0] === "string") dates.push(row[0]);
    }
    const [earliest] = dates.sort();
    return earliest === undefined ? null : startOf(reader, Temporal.PlainDate.from(earliest));
  };
}

const firstIn = (column: DateColumn): SQL =>
  sql`select min(${column}) from ${column.table} where ${column} is not null`;

interface Dated<T extends SQLiteTable> {
  table: T;
  on: DateColumn;
  /** Works on a row whose date has come, so that its date is later or null afterwards. @param date today's */
  work(tx: Tx<"tenant">, row: T["$inferSelect"], date: Temporal.PlainDate): Promise<void>;
}

/** Works on the rows whose date has come. @returns how many */
export const workOnDates = <T extends SQLiteTable>(
  { tenant, clock }: TenantContext,
  { table, on, work }: Dated<T>,
): Promise<number> =>
  inBatches<"tenant", T["$inferSelect"]>(tenant, {
    next: async (reader) =>
      reader
        .select()
        .from(table)
        .where(lte(on, toLegalDate(await today(reader, clock.now()))))
        .limit(100),
    async work(tx, rows) {
      const date = await today(tx, tx.now);
      for (const row of rows) await work(tx, row, date);
      return rows.length;
    },
  });
