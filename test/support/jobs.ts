import type { JobSettings } from "../../src/module.ts";
import type { JobDefinition, Start } from "../../src/scheduler/job.ts";

/** Returns a job with the services that it runs with. */
export const bound = <Services>({ run }: JobDefinition<Services, JobSettings>, services: Services) => ({
  run: (now: Date, start?: Start) => run(services, now, start),
});
