/** Control database: the history of scheduled jobs. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";

/** One row for each run that did work or failed, and for an idle one that ends a failure. */
export const schedulerRuns = sqliteTable(
  "scheduler_runs",
  {
    id: integer().primaryKey(),
    job: text().notNull(),
    started_at: text().$type<Instant>().notNull(),
    finished_at: text().$type<Instant>().notNull(),
    outcome: text({ enum: ["succeeded", "failed"] }).notNull(),
    summary: text().notNull(),
  },
  (table) => [
    index("scheduler_runs_job").on(table.job, table.id),
    index("scheduler_runs_started_at").on(table.started_at),
  ],
);
