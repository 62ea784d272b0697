import type { JobServices, JobSettings } from "../../module.ts";
import { counted, type JobDefinition, noTenantWork } from "../../scheduler/job.ts";
import { countOpenIntents } from "./intents.queries.ts";

/** A start applies the intents that a crash left open. This job applies those that could not be applied then. */
export const settleIntents: JobDefinition<Pick<JobServices, "control" | "intents">, JobSettings> = {
  name: "intents",
  schedule: "*/5 * * * *",
  description: "Carries changes from the control database to the schools' files that could not be carried at once.",
  due: noTenantWork,
  async run({ control, intents }) {
    const open = await control.read(countOpenIntents);
    if (open === 0) return undefined;
    await intents.recover();
    const left = await control.read(countOpenIntents);
    if (left === 0) return { summary: `Settled ${counted(open, "intent")}.` };
    return { summary: `Settled ${Math.max(0, open - left)} of ${counted(open, "intent")}.`, failed: true };
  },
};
