import type { JobSettings, TenantJobServices } from "../../module.ts";
import { counted } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { nextEnd } from "./wishes/wishes.queries.ts";
import { endPastWishes, passOnLapsed } from "./wishes/wishes.verbs.ts";

export const planningOffers = tenantJob<JobSettings, TenantJobServices, { offers: number; wishes: number }>({
  name: "planning-offers",
  schedule: "15 */5 * * * *",
  description:
    "Offers what became free, and was not booked in time, to the next who waits. Ends wishes whose time is over.",
  dueFrom: nextEnd,
  work: async (context) => ({ offers: await passOnLapsed(context), wishes: await endPastWishes(context) }),
  summary: ({ offers, wishes }) => `Passed on ${counted(offers, "offer")}, ended wishes: ${wishes}`,
});
