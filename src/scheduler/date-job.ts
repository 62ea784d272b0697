import { lte } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { yieldingBetween } from "../core/async.ts";
import { toLegalDate } from "../core/dates.ts";
import type { By } from "../storage/context.ts";
import { type DateColumn, firstDay } from "../storage/first-day.ts";
import { inBatches } from "../storage/in-batches.ts";
import type { Tx } from "../storage/store.ts";
import { today } from "../storage/today.ts";
import type { Job } from "./job.ts";
import { tenantJob } from "./tenant-job.ts";

interface DateJob<T extends SQLiteTable> extends Pick<Job, "name" | "schedule" | "description"> {
  table: T;
  /** The date from which on a row needs work, where the organization is. Null: never. */
  on: DateColumn;
  /** Works on a row whose date has come. Its date is later or null afterwards. @param date today's */
  work(tx: Tx<"tenant">, by: By, row: T["$inferSelect"], date: Temporal.PlainDate): Promise<unknown>;
  /** Describes the number of rows: `Announced 3 medicals`. */
  summary(rows: number): string;
}

/** Returns a job that works on the rows of a table from a legal date on, which is in one of their columns. */
export const dateJob = <T extends SQLiteTable>({ table, on, work, summary, ...job }: DateJob<T>) =>
  tenantJob({
    ...job,
    dueFrom: firstDay(on),
    work: async ({ tenant, ...by }, _, now) => ({
      rows: await inBatches<"tenant", T["$inferSelect"]>(tenant, {
        next: async (reader) =>
          reader
            .select()
            .from(table)
            .where(lte(on, toLegalDate(await today(reader, now))))
            .limit(50),
        async work(tx, rows) {
          const date = await today(tx, tx.now);
          for await (const row of yieldingBetween(rows)) await work(tx, by, row, date);
          return rows.length;
        },
      }),
    }),
    summary: ({ rows }) => summary(rows),
  });
