import type { JobSettings } from "../../src/module.ts";
import type { JobDefinition, RunResult, Start } from "../../src/scheduler/job.ts";

/** Returns a job with the services that it runs with. */
export const bound = <Services>({ run }: JobDefinition<Services, JobSettings>, services: Services) => ({
  run: (now: Date, start?: Start) => run(services, now, start),
});

/** What a run says it did, or that it did nothing. */
export const summaryOf = (result: RunResult): string => (typeof result === "string" ? result : result.summary);
