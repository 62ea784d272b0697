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

export const DispatcherStatus = z
  .strictObject({
    in_flight: z.int().meta({ description: "Attempts under way.", examples: [3] }),
    slow: z.int().meta({ description: "Of those, the ones that take long.", examples: [0] }),
    waiting: z.int().meta({ description: "Deliveries claimed that wait for a slot.", examples: [12] }),
    active: z.int().meta({ description: "Organizations being delivered for.", examples: [2] }),
    scheduled: z.int().meta({ description: "Organizations in which deliveries become due later.", examples: [5] }),
    attempts: z.record(z.string(), z.int()).meta({
      description: "Attempts since the start, by how they ended.",
      examples: [{ succeeded: 480, timeout: 2 }],
    }),
    organizations: z
      .array(
        z.strictObject({
          organization_id: z.string().meta({ examples: ["01890a5d-ac96-774b-bcce-b302099a8057"] }),
          backlog: z.int().meta({ description: "Deliveries that have not ended.", examples: [12] }),
          lag_seconds: z
            .number()
            .meta({ description: "For how long the oldest has been due; 0 when none is yet.", examples: [0.2] }),
        }),
      )
      .meta({ description: "With anything to deliver, the largest lag first; 100 at most." }),
  })
  .meta({ id: "Dispatcher" });

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
