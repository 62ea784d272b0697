/** Reads how many deliveries are outstanding, of one organization and of all. */
import { sql } from "drizzle-orm";
import { type Clock, type Instant, seconds, toInstant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { Reader, Tenant } from "../storage/store.ts";
import { deliveries, isDelivering, isPending } from "./events.tables.ts";

/** The outstanding deliveries of one organization. */
export interface Backlog {
  /** Deliveries that are pending, claimed or in flight; those pending are counted up to `maxCounted`. */
  deliveries: number;
  /** The earliest due time, past or future; null without deliveries. */
  oldestDue: Instant | null;
}

/** A limit on the time that a count takes. */
const maxCounted = 100_000;

/** Returns one organization's backlog. It is read from two partial indexes. */
export async function backlogOf(reader: Reader<"tenant">): Promise<Backlog> {
  const [row] = await reader.values<[number, Instant | null]>(sql`
    select count(*), min(due) from (
      select * from (
        select ${deliveries.due_at} as due from ${deliveries}
        where ${isPending} order by ${deliveries.due_at} limit ${maxCounted})
      union all
      select ${deliveries.due_at} from ${deliveries} where ${isDelivering})`);
  return { deliveries: row?.[0] ?? 0, oldestDue: row?.[1] ?? null };
}

export interface OrganizationBacklog {
  orgId: OrgId;
  deliveries: number;
  /** Seconds since the oldest delivery became due; 0 when none is due yet. */
  lag: number;
}

interface BacklogsOptions {
  clock: Clock;
  tenant: (orgId: OrgId) => Tenant;
  /** Organizations with deliveries that are due or scheduled. */
  organizations: (limit: number) => OrgId[];
  /** Called for an organization whose records can't be read. */
  onUnreadable: (orgId: OrgId, err: unknown) => void;
}

/** Organizations read for one result. */
const maxOrganizations = 1000;

/** How long a result is kept, so that two collectors do not read everything twice. */
const maxAge = seconds(10);

/**
 * Returns a function that reads each organization's backlog. It skips idle organizations: it reads only those that the
 * dispatcher has scheduled, one after the other, so that requests are served in between.
 */
export function createBacklogs({ clock, tenant, organizations, onUnreadable }: BacklogsOptions) {
  let last: { at: number; found: Promise<OrganizationBacklog[]> } | undefined;

  const readAll = async (now: Instant): Promise<OrganizationBacklog[]> => {
    const found: OrganizationBacklog[] = [];
    for (const orgId of organizations(maxOrganizations)) {
      try {
        const { deliveries, oldestDue } = await tenant(orgId).read(backlogOf);
        if (deliveries > 0 && oldestDue !== null) found.push({ orgId, deliveries, lag: lagOf(oldestDue, now) });
      } catch (err) {
        onUnreadable(orgId, err);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  };

  /** Returns the organizations that have outstanding deliveries. */
  return (): Promise<OrganizationBacklog[]> => {
    const now = clock.now();
    if (last === undefined || now.getTime() - last.at >= maxAge)
      last = { at: now.getTime(), found: readAll(toInstant(now)) };
    return last.found;
  };
}

const lagOf = (due: Instant, now: Instant): number => Math.max(0, (Date.parse(now) - Date.parse(due)) / 1000);
