/** What the command line can have done. */
import { z } from "zod";
import { idOf } from "../../http/fields.ts";
import { jobNamePattern } from "../../scheduler/job.ts";
import {
  accountDisable,
  accountDropMfa,
  accountEnable,
  accountResetLink,
  adminGrant,
  adminList,
  adminRevoke,
} from "./account-commands.ts";
import { AuditVerification } from "./audit-verification.ts";
import { type Command, define } from "./command.ts";
import { JobRun } from "./job-run.ts";
import { verifyAuditLogs } from "./verify-audit.ts";

/** `windsock audit verify [--org ID]` */
export const auditVerify = define({
  name: "audit-verify",
  args: z.strictObject({ org: idOf<"organization">().optional() }),
  result: AuditVerification,
  run: (context, { storage }, { org }) => verifyAuditLogs(context, { storage, orgId: org }),
});

/** `windsock jobs run NAME` */
export const jobsRun = define({
  name: "jobs-run",
  args: z.strictObject({ name: z.string().regex(jobNamePattern, "No job can have such a name.") }),
  result: JobRun,
  async run(_, { scheduler }, { name }) {
    const { started_at: startedAt, finished_at: finishedAt, outcome, summary } = await scheduler.runNow(name);
    return { started_at: startedAt, finished_at: finishedAt, outcome, summary };
  },
});

/** All there are: the operator channel answers these. */
export const commands: readonly Command<unknown, unknown>[] = [
  auditVerify,
  jobsRun,
  accountResetLink,
  accountDisable,
  accountEnable,
  accountDropMfa,
  adminGrant,
  adminRevoke,
  adminList,
];
