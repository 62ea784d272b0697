import type { JobServices } from "../../module.ts";
import { counted } from "../../scheduler/job.ts";
import { tenantJob } from "../../scheduler/tenant-job.ts";
import { longestRetry, nextMail } from "../mails/mails.queries.ts";

export const mailSending = tenantJob({
  name: "mail-sending",
  schedule: "30 * * * * *",
  description: "Sends the mails about records that expire and about maintenance, and repeats failed attempts.",
  dueFrom: nextMail,
  longest: longestRetry,
  async work(context, services: JobServices) {
    const { sendMails } = await import("./mails/send-mails.ts");
    return sendMails(context, services);
  },
  summary: ({ sent, not_needed, unverified, failed }) =>
    `Sent ${counted(sent, "mail")}, deleted ${not_needed} without a recipient or a reason and ${unverified} to unverified addresses, failed to send ${failed}`,
});
