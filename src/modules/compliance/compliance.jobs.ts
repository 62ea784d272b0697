import type { TenantJobServices } from "../../module.ts";
import { counted } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { announceMedicals, nextNotice } from "./records/medical-notices.ts";

export const medicalExpiry = tenantJob({
  name: "medical-expiry",
  schedule: "15 */10 * * * *",
  description: "Announces medicals 60, 30 and 14 days before they expire, in the organization's time zone.",
  dueFrom: nextNotice,
  work: async (context, _: TenantJobServices) => ({ medicals: await announceMedicals(context) }),
  summary: ({ medicals }) => `Announced the expiry of ${counted(medicals, "medical")}`,
});
