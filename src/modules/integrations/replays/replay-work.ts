import type { Clock } from "../../../core/clock.ts";
import type { OrgId } from "../../../core/ids.ts";
import { jobContext } from "../../../scheduler/job.ts";
import type { Control, Tenant } from "../../../storage/store.ts";
import { workOffReplay } from "./work-off-replay.ts";

interface Dependencies {
  clock: Clock;
  control: Control;
  tenant(orgId: OrgId): Tenant;
  log: { error(details: Record<string, unknown>, message: string): void };
}

/** The replays that are running: which schools have one. What is forgotten with the process the job finds again. */
export interface ReplayWork {
  /** One was begun there. */
  add(orgId: OrgId): void;
  /** Goes on with a school's, and remembers it if there is more to do. @returns how many events were looked at */
  workOff(tenant: Tenant): Promise<number>;
  /** Goes on with each of those that are known; housekeeping, every second. */
  advance(): Promise<void>;
}

/** What the job and the audit log call it. */
export const replayJobName = "event-replays";

export function createReplayWork({ clock, control, tenant, log }: Dependencies): ReplayWork {
  const running = new Set<OrgId>();

  const workOff = async (of: Tenant): Promise<number> => {
    const { considered, goesOn } = await workOffReplay({
      ...jobContext(replayJobName, { control, clock }),
      tenant: of,
    });
    if (goesOn) running.add(of.id);
    else running.delete(of.id);
    return considered;
  };

  return {
    add: (orgId) => void running.add(orgId),
    workOff,
    async advance() {
      for (const orgId of [...running]) {
        try {
          await workOff(tenant(orgId));
        } catch (err) {
          running.delete(orgId); // the job comes back to it
          log.error({ organization_id: orgId, err }, "A replay could not go on; it is tried again.");
        }
      }
    },
  };
}
