/** Everything that runs by itself, in one place. */
import type { Clock } from "../core/clock.ts";
import type { Job } from "../scheduler/job.ts";
import type { Intents } from "../storage/intents.ts";
import type { Storage } from "../storage/storage.ts";
import { sessionCleanup } from "./accounts/accounts.jobs.ts";
import { retention, type Swept, secretRotation, webhookOutbox } from "./integrations/integrations.jobs.ts";
import { settleIntents } from "./operations/operations.jobs.ts";

interface JobDeps {
  storage: Pick<Storage, "control" | "tenants">;
  clock: Clock;
  log: { error(details: Record<string, unknown>, message: string): void };
  intents: Intents;
  /** The dispatcher's. */
  sweep(): Promise<Swept>;
}

export function jobsOf({ storage: { control, tenants }, clock, log, intents, sweep }: JobDeps): readonly Job[] {
  const deps = { control, tenant: tenants.tenant.bind(tenants), clock, log };
  return [
    webhookOutbox({ sweep }),
    secretRotation(deps),
    retention(deps),
    sessionCleanup(deps),
    settleIntents({ control, intents }),
  ];
}
