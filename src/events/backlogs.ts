/** What there is still to deliver: of one organization, and of all that have any. */
import { sql } from "drizzle-orm";
import { type Clock, type Instant, seconds, toInstant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { Reader, Tenant } from "../storage/store.ts";
import { deliveries, isDelivering, isPending } from "./events.tables.ts";

/** What one organization still has to deliver. */
export interface Backlog {
  /** Deliveries that have not ended: pending, claimed, or under way. So many are counted at most: `mostCounted`. */
  deliveries: number;
  /** When the one that is due for longest was due, or the first will be; null when there is none. */
  oldestDue: Instant | null;
}

/** Whoever has more has a lot; counting on would only take time. */
const mostCounted = 100_000;

/** Reads no more than two partial indexes. */
export async function backlogOf(reader: Reader<"tenant">): Promise<Backlog> {
  const [row] = await reader.values<[number, Instant | null]>(sql`
    select count(*), min(due) from (
      select * from (
        select ${deliveries.due_at} as due from ${deliveries}
        where ${isPending} order by ${deliveries.due_at} limit ${mostCounted})
      union all
      select ${deliveries.due_at} from ${deliveries} where ${isDelivering})`);
  return { deliveries: row?.[0] ?? 0, oldestDue: row?.[1] ?? null };
}

export interface OrganizationBacklog {
  orgId: OrgId;
  deliveries: number;
  /** Seconds for which the oldest has been due; 0 when none is due yet. */
  lag: number;
}

interface BacklogsOptions {
  clock: Clock;
  tenant: (orgId: OrgId) => Tenant;
  /** Organizations that have, or soon will have, something due. */
  known: (most: number) => OrgId[];
  /** Told of an organization whose records can't be read. */
  onUnreadable: (orgId: OrgId, err: unknown) => void;
}

/** Organizations looked into for one answer. */
const mostOrganizations = 1000;

/** An answer is good for so long: two collectors do not read everything twice. */
const fresh = seconds(10);

/**
 * Tells how much each organization has to deliver. Idle ones are not looked into: only those that the dispatcher knows
 * of, one after the other, so that requests are served in between.
 */
export function createBacklogs({ clock, tenant, known, onUnreadable }: BacklogsOptions) {
  let last: { at: number; found: Promise<OrganizationBacklog[]> } | undefined;

  const look = async (now: Instant): Promise<OrganizationBacklog[]> => {
    const found: OrganizationBacklog[] = [];
    for (const orgId of known(mostOrganizations)) {
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

  /** @returns organizations with anything to deliver */
  return (): Promise<OrganizationBacklog[]> => {
    const now = clock.now();
    if (last === undefined || now.getTime() - last.at >= fresh)
      last = { at: now.getTime(), found: look(toInstant(now)) };
    return last.found;
  };
}

const lagOf = (due: Instant, now: Instant): number => Math.max(0, (Date.parse(now) - Date.parse(due)) / 1000);
