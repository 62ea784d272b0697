import type { JobSettings, TenantJobServices } from "../../module.ts";
import { counted } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { nextLapse } from "./wishes/wishes.queries.ts";
import { passOnLapsed } from "./wishes/wishes.verbs.ts";

export const planningOffers = tenantJob<JobSettings, TenantJobServices, { offers: number }>({
  name: "planning-offers",
  schedule: "15 */5 * * * *",
  description: "Offers what became free, and was not booked in time, to the next who waits.",
  dueFrom: nextLapse,
  work: async (context) => ({ offers: await passOnLapsed(context) }),
  summary: ({ offers }) => `Passed on ${counted(offers, "offer")}`,
});
