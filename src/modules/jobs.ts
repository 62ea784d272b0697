/** Everything that runs by itself, in one place. */
import type { Clock } from "../core/clock.ts";
import type { Job } from "../scheduler/job.ts";
import type { Intents } from "../storage/intents.ts";
import type { Storage } from "../storage/storage.ts";
import { sessionCleanup } from "./accounts/accounts.jobs.ts";
import {
  eventReplays,
  retention,
  type Swept,
  secretRotation,
  webhookOutbox,
} from "./integrations/integrations.jobs.ts";
import type { ReplayWork } from "./integrations/replays/replay-work.ts";
import { settleIntents } from "./operations/operations.jobs.ts";

interface JobDeps {
  storage: Pick<Storage, "control" | "tenants">;
  clock: Clock;
  log: { error(details: Record<string, unknown>, message: string): void };
  intents: Intents;
  /** The dispatcher's. */
  sweep(): Promise<Swept>;
  replayWork: ReplayWork;
  /** For how many days events are kept. */
  retentionDays: number;
}

export function jobsOf({
  storage: { control, tenants },
  clock,
  log,
  intents,
  sweep,
  replayWork,
  retentionDays,
}: JobDeps): readonly Job[] {
  const deps = { control, tenant: tenants.tenant.bind(tenants), clock, log };
  return [
    webhookOutbox({ sweep }),
    secretRotation(deps),
    eventReplays(deps, replayWork),
    retention(deps, { retentionDays }),
    sessionCleanup(deps),
    settleIntents({ control, intents }),
  ];
}
