/**
 * What the command line can have done. A command runs in the server when one runs (`operator-channel.ts`), else in the
 * process of the command line itself (`run-command.ts`): the same verbs either way.
 */
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { invalid } from "../../core/errors.ts";
import { idOf } from "../../http/fields.ts";
import { jobName } from "../../scheduler/job.ts";
import type { Scheduler } from "../../scheduler/scheduler.ts";
import type { Storage } from "../../storage/storage.ts";
import { AuditVerification } from "./audit-verification.ts";
import { JobRun } from "./job-run.ts";
import { type OperatorContext, verifyAuditLogs } from "./verify-audit.ts";

export interface OperatorDeps {
  storage: Storage;
  clock: Clock;
  scheduler: Pick<Scheduler, "runNow">;
}

export interface Command<Args, Result> {
  /** As in `POST /<name>` on the operator channel. */
  name: string;
  args: z.ZodType<unknown, Args>;
  result: z.ZodType<Result>;
  /** Checks what was given, then does it. @throws VALIDATION_ERROR, and what the verb throws */
  handle(deps: OperatorDeps, given: unknown): Promise<Result>;
}

interface Definition<Args, Parsed, Result> {
  name: string;
  args: z.ZodType<Parsed, Args>;
  result: z.ZodType<Result>;
  run(context: OperatorContext, deps: OperatorDeps, args: Parsed): Promise<Result>;
}

function define<Args, Parsed, Result>({ run, ...command }: Definition<Args, Parsed, Result>): Command<Args, Result> {
  return {
    ...command,
    async handle(deps, given) {
      const args = command.args.safeParse(given);
      if (!args.success) throw invalidArguments(args.error);
      const { storage, clock } = deps;
      return run({ actor: { kind: "command_line" }, requestId: "", clock, control: storage.control }, deps, args.data);
    },
  };
}

function invalidArguments({ issues }: z.ZodError) {
  const [first, ...rest] = issues.map(({ path, code, message }) => ({
    path: ["args", ...path].join("."),
    code,
    message,
  }));
  return invalid(first ?? { path: "args", code: "invalid", message: "Invalid input" }, ...rest);
}

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
  args: z.strictObject({ name: z.string().regex(jobName, "No job can have such a name.") }),
  result: JobRun,
  async run(_, { scheduler }, { name }) {
    const { startedAt, finishedAt, outcome, summary } = await scheduler.runNow(name);
    return { started_at: startedAt, finished_at: finishedAt, outcome, summary };
  },
});

/** All there are: the operator channel answers these. */
export const commands: readonly Command<unknown, unknown>[] = [auditVerify, jobsRun];
