import { toInstant } from "../../core/clock.ts";
import type { JobServices, JobSettings, TenantJobServices } from "../../module.ts";
import { counted, type JobDefinition, noTenantWork } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { oldestIntent } from "../../storage/intents.ts";

/** Applies the intents whose first application failed. The server's start applies those that a crash left open. */
export const applyIntents: JobDefinition<Pick<JobServices, "intents">, JobSettings> = {
  name: "intents",
  schedule: "*/5 * * * *",
  description: "Applies changes of the control database to tenant databases whose first application failed.",
  due: noTenantWork,
  async run({ intents }) {
    const open = await intents.countOpen();
    if (open === 0) return "nothing_due";
    await intents.recover();
    const left = await intents.countOpen();
    if (left === 0) return { summary: `Applied ${counted(open, "intent")}.` };
    return { summary: `Applied ${Math.max(0, open - left)} of ${counted(open, "intent")}.`, failed: true };
  },
};

/** Also at the start: a crash leaves the intents of the tenants that were in use. */
export const applyTenantIntents: JobDefinition<TenantJobServices & Pick<JobServices, "intents">, JobSettings> = {
  ...tenantJob<JobSettings, TenantJobServices & Pick<JobServices, "intents">, { organizations: number }>({
    name: "tenant-intents",
    schedule: "*/5 * * * *",
    description: "Applies changes of tenant databases to the control database whose first application failed.",
    dueFrom: oldestIntent,
    longest: 0,
    whileSuspended: true,
    async work({ tenant }, { intents }) {
      if ((await tenant.read(oldestIntent)) === null) return { organizations: 0 };
      await intents.apply(tenant.id);
      return { organizations: 1 };
    },
    summary: () => "Applied the open changes",
  }),
  atStart: true,
  // Not the next run: a tenant with an open intent is visited at the next start, too.
  async due(reader, { now }) {
    const oldest = await oldestIntent(reader);
    const at = toInstant(now);
    return oldest !== null && oldest > at ? at : oldest; // written while the clock was ahead
  },
};
