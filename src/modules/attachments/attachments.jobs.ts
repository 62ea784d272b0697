import type { TenantJobServices } from "../../module.ts";
import { counted } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { abandonedAfter, nextAbandoned, removeAbandoned } from "./upload.ts";

export const attachmentUploads = tenantJob({
  name: "attachment-uploads",
  schedule: "25 */10 * * * *",
  description: "Deletes uploads that did not end within an hour, because the server was killed.",
  dueFrom: nextAbandoned,
  longest: abandonedAfter,
  work: async ({ tenant }, _: TenantJobServices, now) => ({ uploads: await removeAbandoned(tenant, now) }),
  summary: ({ uploads }) => `Deleted ${counted(uploads, "interrupted upload")}`,
});
