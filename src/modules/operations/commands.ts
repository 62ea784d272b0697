/** The commands of the operator channel. */
import { z } from "zod";
import program from "../../../package.json" with { type: "json" };
import type { OnProgress } from "../../core/progress.ts";
import { idOf, instantOut, text } from "../../http/fields.ts";
import { jobNamePattern } from "../../scheduler/job.ts";
import { requireIdentity } from "../../storage/backup/identity.ts";
import { AcceptedRestore, acceptRestore } from "./accept-restore.ts";
import {
  accountDisable,
  accountDropMfa,
  accountEnable,
  accountResetLink,
  adminGrant,
  adminList,
  adminRevoke,
} from "./account-commands.ts";
import { BackupAsked, backup as backupJob, requirePlace } from "./backup.ts";
import { backupDrill, DrillAsked } from "./backup-drill.ts";
import { checkFiles, FileCheck } from "./check-files.ts";
import { type Command, define, type OperatorDeps } from "./command.ts";
import { Finding } from "./installation.schemas.ts";
import { adopt, controlRebuild, orgExport } from "./move-commands.ts";
import { orgCreate, orgDelete, orgList, orgRename, orgResume, orgSuspend } from "./org-commands.ts";
import { restoreOne } from "./restore-one.ts";
import { seeFiles } from "./see-files.ts";
import { AuditVerification, verifyAuditLogs } from "./verify-audit.ts";

/** `windsock audit verify [--org ID]` */
export const auditVerify = define({
  name: "audit-verify",
  args: z.strictObject({ org: idOf<"organization">().optional() }),
  result: AuditVerification,
  run: (context, { storage }, { org }) => verifyAuditLogs(context, { storage, orgId: org }),
});

/** `windsock audit accept-restore --org ID --reason TEXT` */
export const auditAcceptRestore = define({
  name: "audit-accept-restore",
  args: z.strictObject({ org: idOf<"organization">(), by: text(200), reason: text(500) }),
  result: AcceptedRestore,
  run: (context, { storage: { tenants, keys, inspection } }, { org, by, reason }) =>
    acceptRestore(context, { keys, inspection, tenant: tenants.tenant(org), by, reason }),
});

/** `windsock check [--org ID]` */
export const check = define({
  name: "check",
  args: z.strictObject({ org: idOf<"organization">().optional() }),
  result: FileCheck,
  run: (context, { storage }, { org }) => checkFiles(context, { storage, orgId: org }),
});

const JobRun = z.strictObject({
  started_at: instantOut,
  finished_at: instantOut,
  /** `idle`: the job had nothing to do. */
  outcome: z.enum(["succeeded", "failed", "idle"]),
  summary: z.string(),
});

/** `windsock jobs run NAME` */
export const jobsRun = define({
  name: "jobs-run",
  args: z.strictObject({ name: z.string().regex(jobNamePattern, "Invalid job name.") }),
  result: JobRun,
  async run(_, { scheduler, backupPlace }, { name }) {
    if (ofBackups.has(name)) requirePlace(undefined, backupPlace);
    return runJob(scheduler, name);
  },
});

/** Jobs that have nothing to do where no backups are configured: an operator who runs one expects a backup. */
const ofBackups: ReadonlySet<string> = new Set([backupJob.name, backupDrill.name]);

async function runJob(
  scheduler: OperatorDeps["scheduler"],
  name: string,
  { request, onProgress }: { request?: unknown; onProgress?: OnProgress | undefined } = {},
) {
  const { started_at, finished_at, outcome, summary } = await scheduler.runNow(name, request, onProgress);
  return { started_at, finished_at, outcome, summary };
}

/** `windsock backup [--org ID] [--to DIR] [--full]` */
export const backup = define({
  name: "backup",
  args: BackupAsked,
  result: JobRun.extend({
    /** The backup is made, and has no `secret.key`, because it is not encrypted. */
    lacks_secret: z.boolean(),
  }),
  async run(_, { scheduler, backupPlace, encryptsBackups }, request, onProgress) {
    requirePlace(request.to, backupPlace);
    const made = await runJob(scheduler, "backup", { request, onProgress });
    return { ...made, lacks_secret: made.outcome === "succeeded" && !encryptsBackups };
  },
});

/** `windsock backup --verify-restore [--to DIR] [--identity FILE]` */
export const drill = define({
  name: "backup-drill",
  args: DrillAsked,
  result: JobRun,
  async run(_, { scheduler, storage: { backups }, backupPlace }, request, onProgress) {
    const newest = await backups.newest(requirePlace(request.to, backupPlace));
    // A mistake of the operator is no failure of the job.
    if (newest !== undefined && request.identity !== undefined)
      await requireIdentity(newest.manifest, request.identity);
    return runJob(scheduler, "backup-drill", { request, onProgress });
  },
});

/** `windsock restore FROM --org ID` */
export const restoreSchool = define({
  name: "restore-school",
  args: z.strictObject({
    org: idOf<"organization">(),
    from: z.string(),
    by: text(200),
    reason: text(500),
    force: z.boolean(),
    identity: z.string().optional(),
  }),
  result: z.strictObject({ kept: z.string().nullable(), run: JobRun }),
  run: (context, deps, { org, ...request }, onProgress) =>
    restoreOne(context, deps, { orgId: org, onProgress, ...request }),
});

/** What the program does after a restore of the whole installation. */
export const finishRestore = define({
  name: "finish-restore",
  args: z.strictObject({}),
  result: JobRun,
  run: (_, { scheduler }, _args, onProgress) => runJob(scheduler, "finish-restore", { onProgress }),
});

const Examination = z.strictObject({
  /** Of the program that looked: a server may be older than the command line. */
  version: z.string(),
  findings: z.array(Finding),
});

/** `windsock doctor` */
export const doctor = define({
  name: "doctor",
  args: z.strictObject({}),
  result: Examination,
  run: async (_, { examine }) => ({ version: program.version, findings: [...(await examine())] }),
});

/** All commands. */
export const commands: readonly Command<unknown, unknown>[] = [
  auditVerify,
  auditAcceptRestore,
  check,
  jobsRun,
  backup,
  drill,
  restoreSchool,
  finishRestore,
  accountResetLink,
  accountDisable,
  accountEnable,
  accountDropMfa,
  adminGrant,
  adminRevoke,
  adminList,
  orgList,
  orgCreate,
  orgRename,
  orgSuspend,
  orgResume,
  orgDelete,
  orgExport,
  adopt,
  controlRebuild,
  doctor,
  seeFiles,
];
