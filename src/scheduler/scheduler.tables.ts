/** Control database: what scheduled jobs have done. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Instant } from "../core/clock.ts";

/** One row for each run that did something or failed; idle runs leave none. */
export const schedulerRuns = sqliteTable(
  "scheduler_runs",
  {
    id: integer().primaryKey(),
    job: text().notNull(),
    startedAt: text("started_at").$type<Instant>().notNull(),
    finishedAt: text("finished_at").$type<Instant>().notNull(),
    outcome: text({ enum: ["succeeded", "failed"] }).notNull(),
    summary: text().notNull(),
  },
  (table) => [
    index("scheduler_runs_job").on(table.job, table.id),
    index("scheduler_runs_started_at").on(table.startedAt),
  ],
);
