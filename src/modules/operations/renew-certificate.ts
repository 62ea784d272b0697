import type { JobServices, JobSettings } from "../../module.ts";
import { type JobDefinition, noTenantWork } from "../../scheduler/job.ts";

/** Every minute, since it says itself when it is due: after a failure it waits for longer each time. */
export const renewCertificate: JobDefinition<Pick<JobServices, "renewal">, JobSettings> = {
  name: "certificate",
  schedule: "* * * * *",
  description: "Obtains the certificate by ACME, and renews it when a third of its lifetime is left.",
  atStart: true,
  onEachNode: true,
  due: noTenantWork,
  run: async ({ renewal }, now, { offSchedule = false, atStart = false } = {}) =>
    renewal?.renew(now, offSchedule && !atStart) ?? "nothing_due",
};
