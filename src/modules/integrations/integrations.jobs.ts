import { type Clock, days, type Instant, shift, toInstant } from "../../core/clock.ts";
import type { OrgId } from "../../core/ids.ts";
import type { Job, Report } from "../../scheduler/job.ts";
import { type Visits, visit } from "../../scheduler/tenants-to-visit.ts";
import { nextRun } from "../../scheduler/timetable.ts";
import type { Control, Tenant } from "../../storage/store.ts";
import { keysKept, removeOldKeys } from "../../storage/used-keys.ts";
import { counted } from "../counted.ts";
import { jobContext } from "../job-context.ts";
import { removeOldEvents } from "./event-log/remove-old-events.ts";
import { type ReplayWork, replayJobName } from "./replays/replay-work.ts";
import { forgetExpiredSecrets } from "./webhooks/forget-expired-secrets.ts";

interface Deps {
  control: Control;
  tenant(id: OrgId): Tenant;
  clock: Clock;
  log: { error(details: Record<string, unknown>, message: string): void };
}

export interface Swept {
  /** In which something was due that nobody was looking after. */
  schools: number;
  /** Attempts that were waited for: without a server, when nobody makes them afterwards. */
  attempts?: { succeeded: number; failed: number };
}

/** The dispatcher is woken by every commit that makes something due; this is for whatever it was not told of. */
export const webhookOutbox = ({ sweep }: { sweep(): Promise<Swept> }): Job => ({
  name: "webhook-outbox",
  schedule: "* * * * *",
  description: "Looks for schools with webhook deliveries that are due and that nobody is making.",
  async run() {
    const { schools, attempts } = await sweep();
    const made = attempts ? attempts.succeeded + attempts.failed : 0;
    if (schools + made === 0) return undefined;
    const outcome = attempts
      ? ` Deliveries sent: ${attempts.succeeded}; attempts that failed: ${attempts.failed}.`
      : "";
    return { summary: `Looked after ${counted(schools, "school")}.${outcome}` };
  },
});

/** Half a minute beside `webhook-outbox`, which would otherwise find the same schools due, for nothing that concerns it. */
const rotationSchedule = "30 */10 * * * *";

export function secretRotation(deps: Deps): Job {
  const name = "webhook-secret-rotation";
  return {
    name,
    schedule: rotationSchedule,
    description: "Forgets the old signing secrets of webhook endpoints 72 hours after their rotation.",
    async run(now) {
      const context = jobContext(name, deps);
      return report(
        await visit(deps, now, (tenant) => forgetExpiredSecrets({ ...context, tenant })),
        (count) => `Forgot ${counted(count, "old signing secret")}`,
      );
    },
  };
}

/** Beside the others, as `rotationSchedule`. */
const replaySchedule = "45 * * * * *";

/** A replay goes on by itself while the server runs; this is for one that a crash interrupted. */
export function eventReplays(deps: Deps, work: Pick<ReplayWork, "workOff">): Job {
  return {
    name: replayJobName,
    schedule: replaySchedule,
    description: "Goes on with replays of many events.",
    async run(now) {
      const visits = await visit(deps, now, (tenant) => work.workOff(tenant));
      return report(visits, (count) => `Looked at ${counted(count, "event")} to replay`);
    },
  };
}

/** The next run of `event-replays`. */
export const replayingOf = (now: Date): Instant => toInstant(nextRun(replaySchedule, now));

const retentionSchedule = "30 41 3 * * *";
/** For how many days events are kept, unless the operator says otherwise. */
export const defaultRetentionDays = 30;

export function retention(deps: Deps, { retentionDays = defaultRetentionDays } = {}): Job {
  const name = "retention";
  return {
    name,
    schedule: retentionSchedule,
    description: `Deletes events older than ${counted(retentionDays, "day")}, with the log of their deliveries, and idempotency keys used more than 24 hours ago.`,
    async run(now) {
      const context = jobContext(name, deps);
      const before = shift(now, -days(retentionDays));
      let keys = 0;
      const visits = await visit(deps, now, async (tenant) => {
        const events = await removeOldEvents({ ...context, tenant }, { before });
        const forgotten = await removeOldKeys(tenant, now);
        keys += forgotten;
        return events + forgotten;
      });
      return report(visits, (count) => {
        const used = keys > 0 ? ` and ${counted(keys, "idempotency key")}` : "";
        return `Deleted ${counted(count - keys, "event")}${used}`;
      });
    },
  };
}

/** The next run of `webhook-secret-rotation` at which a secret that signs until then is over. */
export const forgettingOf = (until: Instant, now: Date): Instant =>
  toInstant(nextRun(rotationSchedule, later(until, -1, now)));

/** The next run of `retention` at which an event that occurred then is too old to keep. */
export const retentionOf = (occurredAt: Instant, now: Date, retentionDays = defaultRetentionDays): Instant =>
  toInstant(nextRun(retentionSchedule, later(occurredAt, days(retentionDays), now)));

/** The next run of `retention` at which a key that was used then is older than 24 hours. */
export const forgettingKeyOf = (usedAt: Instant, now: Date): Instant =>
  toInstant(nextRun(retentionSchedule, later(usedAt, keysKept, now)));

/** What was missed is not due at once: it waits for the next run, and nobody is to be woken for it in between. */
const later = (at: Instant, milliseconds: number, now: Date): Date =>
  new Date(Math.max(Date.parse(at) + milliseconds, now.getTime()));

function report({ done, tenants, failed }: Visits, what: (count: number) => string): Report | undefined {
  if (done + failed === 0) return undefined;
  const missed = failed > 0 ? ` ${counted(failed, "school")} could not be visited; the log says why.` : "";
  return { summary: `${what(done)} in ${counted(tenants, "school")}.${missed}`, failed: failed > 0 };
}
