/** What `/debug` takes and answers. */
import { z } from "zod";
import { documentedAs } from "../../http/documented-as.ts";
import { instantOut } from "../../http/fields.ts";
import { jobNamePattern } from "../../scheduler/job.ts";

const name = z
  .string()
  .meta(documentedAs({ type: "string", pattern: jobNamePattern.source, examples: ["webhook-outbox"] }));

/** A name of the wrong form is a 400 here, and not the 404 of a malformed id: the route says so itself. */
export const SchedulerRef = z.object({ name });

const Run = z
  .strictObject({
    started_at: instantOut,
    finished_at: instantOut,
    duration_ms: z.int().meta({ examples: [12] }),
    outcome: z.enum(["succeeded", "failed"]).meta({ examples: ["succeeded"] }),
    summary: z.string().meta({ description: "What it did, or why it failed.", examples: ["Deleted 3 sessions."] }),
  })
  .meta({ id: "SchedulerRun" });

export const SchedulerStatus = z
  .strictObject({
    name: z.string().meta({ examples: ["session-cleanup"] }),
    schedule: z.string().meta({ description: "A cron pattern, in UTC.", examples: ["17 3 * * *"] }),
    description: z.string().meta({ examples: ["Deletes sessions that ended more than 30 days ago."] }),
    next_run_at: instantOut.nullable().meta({ description: "Null while this process runs no jobs by itself." }),
    running_since: instantOut.nullable().meta({ description: "Null while it is not running.", examples: [null] }),
    runs: z.array(Run).meta({ description: "Newest first; runs that found nothing to do are not in here." }),
  })
  .meta({ id: "Scheduler" });
