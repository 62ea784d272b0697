/** The input and output of `/debug`. */
import { z } from "zod";
import { documentedAs } from "../../http/documented-as.ts";
import { idOf, instantOut } from "../../http/fields.ts";
import { jobNamePattern } from "../../scheduler/job.ts";

const name = z
  .string()
  .meta(documentedAs({ type: "string", pattern: jobNamePattern.source, examples: ["webhook-outbox"] }));

/** No check here: the schema would turn a malformed name into 404 like a malformed id, but the route answers 400. */
export const SchedulerRef = z.object({ name });

export const Run = z
  .strictObject({
    started_at: instantOut,
    finished_at: instantOut,
    duration_ms: z.int().meta({ examples: [12] }),
    outcome: z.enum(["succeeded", "failed"]).meta({ examples: ["succeeded"] }),
    summary: z
      .string()
      .meta({ description: "The result of the run, or why it failed.", examples: ["Deleted 3 sessions."] }),
  })
  .meta({ id: "SchedulerRun" });

export const DispatcherStatus = z
  .strictObject({
    in_flight: z.int().meta({ description: "Attempts in progress.", examples: [3] }),
    slow: z.int().meta({ description: "Attempts in progress that are slow.", examples: [0] }),
    waiting: z.int().meta({ description: "Claimed deliveries that wait for a slot.", examples: [12] }),
    active: z.int().meta({ description: "Organizations with claimed deliveries.", examples: [2] }),
    scheduled: z.int().meta({ description: "Organizations with deliveries that are due later.", examples: [5] }),
    attempts: z.record(z.string(), z.int()).meta({
      description: "Attempts since the server started, by outcome.",
      examples: [{ succeeded: 480, timeout: 2 }],
    }),
    organizations: z
      .array(
        z.strictObject({
          organization_id: z.string().meta({ examples: ["01890a5d-ac96-774b-bcce-b302099a8057"] }),
          organization_name: z
            .string()
            .nullable()
            .meta({ examples: ["Windy Hill Flight School"] }),
          backlog: z.int().meta({ description: "Unfinished deliveries.", examples: [12] }),
          lag_seconds: z
            .number()
            .meta({ description: "For how long the oldest delivery has been due; 0 if none is due.", examples: [0.2] }),
          failing_endpoints: z.int().meta({
            description: "Endpoints whose last attempt failed, or that were disabled for that.",
            examples: [1],
          }),
          read_at: instantOut.meta({
            description: "When these were read: earlier, if the file could not be read now.",
          }),
        }),
      )
      .meta({ description: "Organizations with unfinished deliveries, largest lag first, at most 100." }),
  })
  .meta({ id: "Dispatcher" });

export const UnusableTenant = z
  .strictObject({
    organization_id: idOf<"organization">(),
    since: instantOut,
    faults: z.array(z.string()).meta({
      description: "What is wrong with the file, or why it could not be checked.",
      examples: [["events.data of row 17 is not UTF-8"]],
    }),
  })
  .meta({ id: "UnusableTenant" });

export const SchedulerStatus = z
  .strictObject({
    name: z.string().meta({ examples: ["session-cleanup"] }),
    schedule: z.string().meta({ description: "A cron pattern, in UTC.", examples: ["17 3 * * *"] }),
    description: z.string().meta({ examples: ["Deletes sessions that ended more than 30 days ago."] }),
    next_run_at: instantOut.nullable().meta({ description: "Null if this process does not run scheduled jobs." }),
    running_since: instantOut.nullable().meta({ description: "Null if it is not running.", examples: [null] }),
    progress: z
      .strictObject({ done: z.int().meta({ examples: [120] }), total: z.int().meta({ examples: [500] }) })
      .nullable()
      .meta({
        description: "How far the current run is. Null if it is not running, or does not tell.",
        examples: [null],
      }),
    failures_in_a_row: z.int().meta({ description: "How many of the last runs failed.", examples: [0] }),
    runs: z.array(Run).meta({ description: "Newest first. Runs without work are not recorded." }),
  })
  .meta({ id: "Scheduler" });
