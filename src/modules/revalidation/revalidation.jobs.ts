import { days } from "../../core/clock.ts";
import { counted } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { nextLook } from "./next-look.queries.ts";
import { tellMissing } from "./tell.ts";

export const revalidationNotices = tenantJob({
  name: "revalidation-notices",
  schedule: "25 */10 * * * *",
  description:
    "Tells people once a week by mail what is missing to revalidate a rating or a certificate, a month before it is too late to begin.",
  dueFrom: nextLook,
  longest: days(8),
  work: async (context) => ({ people: await tellMissing(context) }),
  summary: ({ people }) => `Queued mails about ${counted(people, "revalidation")}`,
});
