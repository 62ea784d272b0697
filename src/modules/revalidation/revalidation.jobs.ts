import { counted } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { nextLook } from "./next-look.queries.ts";
import { longestAhead, tellMissing } from "./tell.ts";

export const revalidationNotices = tenantJob({
  name: "revalidation-notices",
  schedule: "25 */10 * * * *",
  description:
    "Tells people once a week by mail what is missing to revalidate a rating or a certificate, a month before it is too late to begin.",
  dueFrom: nextLook,
  longest: longestAhead,
  work: tellMissing,
  summary: ({ people }) => `Queued mails about ${counted(people, "revalidation")}`,
});
