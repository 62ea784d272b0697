import type { Clock } from "../../../core/clock.ts";
import type { OrgId } from "../../../core/ids.ts";
import { jobContext } from "../../../scheduler/job.ts";
import type { Control, Tenant } from "../../../storage/store.ts";
import { suspendedSince } from "../../../storage/suspended.ts";
import { advanceReplay } from "./advance-replay.ts";

interface Dependencies {
  clock: Clock;
  control: Control;
  tenant(orgId: OrgId): Tenant;
  log: { error(details: Record<string, unknown>, message: string): void };
}

/** Knows which schools have a running replay. After a restart the job `event-replays` finds them again. */
export interface ReplayRunner {
  /** Adds a school that has started a replay. */
  add(orgId: OrgId): void;
  /** Advances the school's replay. @returns the number of processed events */
  advance(tenant: Tenant): Promise<number>;
  /** Advances the replays of all known schools. Housekeeping calls it every second. */
  advanceAll(): Promise<void>;
}

/** The name of the job, which is also the actor in the audit log. */
export const replayJobName = "event-replays";

export function createReplayRunner({ clock, control, tenant: tenantOf, log }: Dependencies): ReplayRunner {
  const running = new Set<OrgId>();

  const advance = async (tenant: Tenant): Promise<number> => {
    if ((await tenant.read(suspendedSince)) !== null) {
      running.delete(tenant.id); // the job finds it when the organization is resumed
      return 0;
    }
    const context = { ...jobContext(replayJobName, { control, clock }), tenant };
    const { considered, isRunning } = await advanceReplay(context);
    if (isRunning) running.add(tenant.id);
    else running.delete(tenant.id);
    return considered;
  };

  return {
    add: (orgId) => void running.add(orgId),
    advance,
    async advanceAll() {
      for (const orgId of [...running]) {
        try {
          await advance(tenantOf(orgId));
        } catch (err) {
          running.delete(orgId); // the job finds it again
          log.error({ organization_id: orgId, err }, "A replay failed. The job event-replays retries it.");
        }
      }
    },
  };
}
