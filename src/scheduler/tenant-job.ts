/** Jobs that work in tenants: in each tenant that is due, one after the other. */
import { lte, sql } from "drizzle-orm";
import { union } from "drizzle-orm/sqlite-core";
import { type Clock, type Instant, latestPlanned, toInstant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { TenantContext } from "../storage/context.ts";
import { tenantMarks } from "../storage/control.tables.ts";
import type { Control, Reader, Tenant } from "../storage/store.ts";
import { suspendedSince } from "../storage/suspended.ts";
import { counted, type JobDefinition, jobContext, type RunResult } from "./job.ts";
import { nextRun } from "./timetable.ts";

interface TenantServices<Settings> {
  control: Control;
  tenant(id: OrgId): Tenant;
  clock: Clock;
  log: { error(details: Record<string, unknown>, message: string): void };
  settings: Settings;
}

/** Counts of a job's work, by kind. All zero means that there was no work. The summary shows the totals. */
type Done = Record<string, number>;

interface TenantJob<Services, Settings, D extends Done> {
  name: string;
  schedule: string;
  description: string;
  /** Whether it also runs when the scheduler is started, and does then what is due by its next scheduled run. */
  atStart?: boolean;
  /** Whether it also works for suspended organizations. By default its work waits until they are resumed. */
  whileSuspended?: boolean;
  /**
   * Returns the time from which a run has work in this tenant; null when there is none. Every checkpoint calls it, so it
   * must be one index lookup.
   */
  dueFrom(reader: Reader<"tenant">, settings: Settings): Promise<Instant | null>;
  /**
   * The number of milliseconds by which that can be ahead. Further away, it was stored while the clock was ahead, and is due:
   * `work` does it now. By default any number.
   */
  longest?: number;
  /** Does the work in one tenant. */
  work(context: TenantContext, services: Services, now: Date): Promise<D>;
  /** Describes the totals of all tenants: `Deleted 3 events`. */
  summary(total: D): string;
}

/** Returns a job that works in each tenant that may be due. An error in one tenant is logged and does not stop the run. */
export const tenantJob = <Settings, Services extends TenantServices<Settings>, D extends Done>({
  name,
  schedule,
  description,
  atStart,
  whileSuspended = false,
  dueFrom,
  longest,
  work,
  summary,
}: TenantJob<Services, Settings, D>): JobDefinition<Services, Settings> => ({
  name,
  schedule,
  description,
  ...(atStart !== undefined && { atStart }),
  whileSuspended,
  dueFrom,
  async due(reader, { now, settings }) {
    const from = await dueFrom(reader, settings);
    if (from === null) return null;
    const isAhead = longest !== undefined && from > latestPlanned(now, longest);
    return firstRun(schedule, isAhead ? toInstant(now) : from, now);
  },
  async run(services, now, { offSchedule = false } = {}) {
    const { control, tenant, clock, log } = services;
    const context = jobContext(name, { control, clock });
    const visits: Visits<D> = { total: undefined, tenants: 0, failed: 0 };
    // A tenant with work that was due after the last scheduled run has the next one as its time.
    const until = toInstant(offSchedule ? nextRun(schedule, now) : now);
    for (const { org_id } of await control.read((reader) => tenantsToVisit(reader, until))) {
      try {
        const own = tenant(org_id);
        if (!whileSuspended && (await own.read(suspendedSince)) !== null) continue;
        add(visits, await work({ ...context, tenant: own }, services, now));
      } catch (err) {
        log.error({ organization_id: org_id, job: name, err }, "A job failed in one tenant. It goes on with the next.");
        visits.failed += 1;
      }
    }
    return report(visits, summary);
  },
});

/**
 * Selects the tenants that may have due work: those whose last checkpoint stored a time up to `until`, and those written
 * since their last checkpoint. So a job does not open ten thousand files to find three.
 */
export function tenantsToVisit(reader: Reader<"control">, until: Instant) {
  const { org_id, dirty, next_wake_at } = tenantMarks;
  const marked = () => reader.select({ org_id }).from(tenantMarks);
  // Each query uses its partial index. SQLite uses neither index for an OR, nor the first for `dirty = 1`.
  return union(marked().where(sql`${dirty}`), marked().where(lte(next_wake_at, until)));
}

/** Returns the job's first run at or after `from`. A missed run is not repeated: the next run does its work. */
function firstRun(schedule: string, from: Instant, now: Date): Instant {
  const before = new Date(Math.max(Date.parse(from) - 1, now.getTime()));
  return toInstant(nextRun(schedule, before));
}

interface Visits<D> {
  total: D | undefined;
  /** Tenants in which work was done. */
  tenants: number;
  /** Tenants in which the work failed. */
  failed: number;
}

function add<D extends Done>(visits: Visits<D>, done: D): void {
  const before = visits.total;
  const sums = Object.entries(done).map(([kind, count]) => [kind, count + (before?.[kind] ?? 0)]);
  visits.total = { ...done, ...Object.fromEntries(sums) };
  if (Object.values(done).some((count) => count > 0)) visits.tenants += 1;
}

function report<D extends Done>({ total, tenants, failed }: Visits<D>, summary: (total: D) => string): RunResult {
  // A tenant in which the work has failed stays due, so it would have been visited.
  if (tenants + failed === 0) return "nothing_due";
  const did = total && tenants > 0 ? `${summary(total)} in ${counted(tenants, "school")}.` : "";
  const errors = failed > 0 ? `The job failed in ${counted(failed, "school")}. See the log for the cause.` : "";
  return { summary: [did, errors].filter(Boolean).join(" "), failed: failed > 0 };
}
