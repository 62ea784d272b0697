import { type Clock, type Instant, seconds, toInstant } from "../core/clock.ts";
import type { OrgId } from "../core/ids.ts";
import type { Tenant } from "../storage/store.ts";
import { backlogOf } from "./backlog.ts";

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
