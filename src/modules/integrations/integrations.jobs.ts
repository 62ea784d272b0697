import { days, type Instant, shift } from "../../core/clock.ts";
import { nextDue } from "../../events/outbox.ts";
import type { JobServices, JobSettings, TenantJobServices } from "../../module.ts";
import { counted, type JobDefinition } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { keyLifetime, oldestKey, removeOldKeys } from "../../storage/used-keys.ts";
import { nextSecretExpiry, oldestEvent } from "./due.queries.ts";
import { removeOldEvents } from "./event-log/remove-old-events.ts";
import { replayJobName } from "./replays/replay-work.ts";
import { runningReplay } from "./replays/replays.queries.ts";
import { forgetExpiredSecrets } from "./webhooks/forget-expired-secrets.ts";

/**
 * The dispatcher is woken by every commit that makes a delivery due, and by the times that storage keeps: hence `due` is
 * the exact time. The job looks for what the dispatcher was not told of.
 */
export const webhookOutbox: JobDefinition<Pick<JobServices, "sweep">, JobSettings> = {
  name: "webhook-outbox",
  schedule: "* * * * *",
  description: "Looks for schools with webhook deliveries that are due and that nobody is making.",
  due: nextDue,
  async run({ sweep }) {
    const { schools, attempts } = await sweep();
    const made = attempts ? attempts.succeeded + attempts.failed : 0;
    if (schools + made === 0) return undefined;
    const outcome = attempts
      ? ` Deliveries sent: ${attempts.succeeded}; attempts that failed: ${attempts.failed}.`
      : "";
    return { summary: `Looked after ${counted(schools, "school")}.${outcome}` };
  },
};

/** Not at the same second as `webhook-outbox`, which would then find the schools that are due for this job alone. */
export const secretRotation = tenantJob({
  name: "webhook-secret-rotation",
  schedule: "30 */10 * * * *",
  description: "Forgets the old signing secrets of webhook endpoints 72 hours after their rotation.",
  dueFrom: nextSecretExpiry,
  work: async (context, _: TenantJobServices) => ({ secrets: await forgetExpiredSecrets(context) }),
  summary: ({ secrets }) => `Forgot ${counted(secrets, "old signing secret")}`,
});

/** A replay goes on by itself while the server runs; this job continues one that a crash interrupted. */
export const eventReplays = tenantJob({
  name: replayJobName,
  schedule: "45 * * * * *",
  description: "Goes on with replays of many events.",
  dueFrom: async (reader) => (await runningReplay(reader))?.created_at ?? null,
  work: async ({ tenant }, { replayWork }: TenantJobServices & Pick<JobServices, "replayWork">) => ({
    events: await replayWork.workOff(tenant),
  }),
  summary: ({ events }) => `Looked at ${counted(events, "event")} to replay`,
});

export const retention = tenantJob({
  name: "retention",
  schedule: "30 41 3 * * *",
  description:
    "Deletes events older than `WINDSOCK_EVENT_RETENTION_DAYS`, with the log of their deliveries, and idempotency keys used more than 24 hours ago.",
  dueFrom: async (reader, { eventRetentionDays }: JobSettings) => {
    const [event, key] = [await oldestEvent(reader), await oldestKey(reader)];
    const times = [event && justAfter(event, days(eventRetentionDays)), key && justAfter(key, keyLifetime)];
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

/** The first millisecond at which something is older than `age`. */
const justAfter = (at: Instant, age: number): Instant => shift(at, age + 1);
