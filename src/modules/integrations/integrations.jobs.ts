import { days, shift } from "../../core/clock.ts";
import { nextDue } from "../../events/outbox.ts";
import { rotationWindow } from "../../events/signing-secrets.ts";
import type { JobServices, JobSettings, TenantJobServices } from "../../module.ts";
import { counted, type JobDefinition } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { keyLifetime, oldestKey, removeOldKeys } from "../../storage/used-keys.ts";
import { oldestEvent } from "./event-log/event-log.queries.ts";
import { removeOldEvents } from "./event-log/remove-old-events.ts";
import { type ReplayRunner, replayJobName } from "./replays/replay-runner.ts";
import { runningReplay } from "./replays/replays.queries.ts";
import { deleteExpiredSecrets } from "./webhooks/delete-expired-secrets.ts";
import { nextSecretExpiry } from "./webhooks/webhooks.queries.ts";

/**
 * Commits that make deliveries due wake the dispatcher, and so do the wake-up times that storage keeps; hence `due` is the
 * exact time. The job finds due deliveries that the dispatcher missed.
 */
export const webhookOutbox: JobDefinition<Pick<JobServices, "sweep">, JobSettings> = {
  name: "webhook-outbox",
  schedule: "* * * * *",
  description: "Finds schools with due webhook deliveries that the dispatcher missed.",
  due: nextDue,
  async run({ sweep }) {
    const { schools, attempts } = await sweep();
    const made = attempts ? attempts.succeeded + attempts.failed : 0;
    if (schools + made === 0) return "nothing_due";
    const outcome = attempts ? ` Attempts: ${attempts.succeeded} succeeded, ${attempts.failed} failed.` : "";
    return { summary: `Checked ${counted(schools, "school")}.${outcome}` };
  },
};

/** Not in the same second as `webhook-outbox`, which would otherwise find the schools that are due only for this job. */
export const secretRotation = tenantJob({
  name: "webhook-secret-rotation",
  schedule: "30 */10 * * * *",
  description: "Deletes the previous signing secrets of webhook endpoints 72 hours after a rotation.",
  dueFrom: nextSecretExpiry,
  longest: rotationWindow,
  work: async (context, _: TenantJobServices) => ({ secrets: await deleteExpiredSecrets(context) }),
  summary: ({ secrets }) => `Deleted ${counted(secrets, "expired signing secret")}`,
});

/** Housekeeping advances the replays that `ReplayRunner` knows. This job continues replays after a restart or an error. */
export const eventReplays = tenantJob({
  name: replayJobName,
  schedule: "45 * * * * *",
  description: "Continues replays of many events.",
  dueFrom: async (reader) => (await runningReplay(reader))?.created_at ?? null,
  longest: 0,
  work: async ({ tenant }, { replayRunner }: TenantJobServices & { replayRunner: ReplayRunner }) => ({
    events: await replayRunner.advance(tenant),
  }),
  summary: ({ events }) => `Replayed ${counted(events, "event")}`,
});

export const retention = tenantJob({
  name: "retention",
  schedule: "30 41 3 * * *",
  description:
    "Deletes events older than `WINDSOCK_EVENT_RETENTION_DAYS`, with their deliveries, and idempotency keys that were used more than 24 hours ago.",
  dueFrom: async (reader, { eventRetentionDays }: JobSettings) => {
    const [event, key] = [await oldestEvent(reader), await oldestKey(reader)];
    // An event of exactly that age is kept, a key is not.
    const times = [event && shift(event, days(eventRetentionDays) + 1), key && shift(key, keyLifetime)];
    return times.filter((at) => at !== null).sort()[0] ?? null;
  },
  async work(context, { settings }: TenantJobServices, now) {
    const events = await removeOldEvents(context, { before: shift(now, -days(settings.eventRetentionDays)) });
    return { events, keys: await removeOldKeys(context.tenant, now) };
  },
  summary({ events, keys }) {
    const used = keys > 0 ? ` and ${counted(keys, "idempotency key")}` : "";
    return `Deleted ${counted(events, "event")}${used}`;
  },
});
