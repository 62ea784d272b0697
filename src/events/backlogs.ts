/** Reads how many deliveries are outstanding, of one organization and of all. */
import { sql } from "drizzle-orm";
import { type Clock, type Instant, seconds, toInstant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import { countInPieces } from "../storage/count-in-pieces.ts";
import type { Reader, Tenant } from "../storage/store.ts";
import { deliveries, isDelivering, isPending } from "./events.tables.ts";

/** The outstanding deliveries of one organization. */
export interface Backlog {
  /** Deliveries that are pending, claimed or in flight. */
  deliveries: number;
  /** The earliest due time, past or future; null without deliveries. */
  oldestDue: Instant | null;
}

/** Returns one organization's backlog. It is read from two partial indexes. */
export async function backlogOf(reader: Reader<"tenant">): Promise<Backlog> {
  const [row] = await reader.values<[number, Instant | null, Instant | null]>(sql`
    select count(*), min(${deliveries.due_at}), (
      select min(${deliveries.due_at}) from ${deliveries} where ${isPending})
    from ${deliveries} where ${isDelivering}`);
  const [delivering, ...due] = row ?? [0, null, null];
  const oldestDue = due.filter((at) => at !== null).sort()[0] ?? null;
  return { deliveries: delivering + (await countPending(reader)), oldestDue };
}

const countPending = (reader: Reader<"tenant">): Promise<number> => {
  const [due, row] = [sql.placeholder("due"), sql.placeholder("row")];
  const all = sql`from ${deliveries} where ${isPending}`;
  return countInPieces(reader, {
    keys: [
      ["due", deliveries.due_at],
      ["row", sql`rowid`],
    ],
    sorted: sql`${deliveries.due_at}, rowid`,
    all,
    rest: sql`${all} and (${deliveries.due_at}, rowid) > (${due}, ${row})`,
    values: {},
  });
};

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
