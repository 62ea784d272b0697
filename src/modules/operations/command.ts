/**
 * A command of the command line. It runs in the server if one is running (`operator-channel.ts`), otherwise in the process
 * of the command line (`run-command.ts`). Both call the same verbs.
 */
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { invalid, issue } from "../../core/errors.ts";
import type { Finding } from "../../core/finding.ts";
import type { OnProgress } from "../../core/progress.ts";
import { faultOf } from "../../http/fault-of.ts";
import { plainMessage } from "../../http/plain-messages.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { Scheduler } from "../../scheduler/scheduler.ts";
import type { OperatorContext } from "../../storage/context.ts";
import type { Intents } from "../../storage/intents.ts";
import type { MovedData } from "../../storage/moved-data.ts";
import type { Storage } from "../../storage/storage.ts";

export interface OperatorDeps {
  storage: Storage;
  clock: Clock;
  scheduler: Pick<Scheduler, "runNow">;
  intents: Pick<Intents, "apply" | "keep">;
  mailer: Mailer;
  /** The address of the installation. */
  publicUrl: string;
  /** The URL of the page for links, such as a reset link. */
  linkUrl: string;
  /** The configured directory of backups. */
  backupPlace: string | undefined;
  /** Whether a recipient of backups is configured. */
  encryptsBackups: boolean;
  /** What moves with a school. */
  moved: readonly MovedData[];
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  /** Looks whether the server and its data are as they should be. */
  examine(): Promise<readonly Finding[]>;
}

export interface Command<Args, Result> {
  /** The path on the operator channel: `POST /<name>`. */
  name: string;
  args: z.core.$ZodType<unknown, Args>;
  result: z.core.$ZodType<Result>;
  /** Validates the arguments and runs the command. @throws VALIDATION_ERROR, and the errors of the verb */
  handle(deps: OperatorDeps, given: unknown, onProgress?: OnProgress): Promise<Result>;
}

interface Definition<Args, Parsed, Result> {
  name: string;
  args: z.core.$ZodType<Parsed, Args>;
  result: z.core.$ZodType<Result>;
  run(context: OperatorContext, deps: OperatorDeps, args: Parsed, onProgress?: OnProgress): Promise<Result>;
}

export function define<Args, Parsed, Result>({
  run,
  ...command
}: Definition<Args, Parsed, Result>): Command<Args, Result> {
  return {
    ...command,
    async handle(deps, given, onProgress) {
      const args = z.safeParse(command.args, given, { error: plainMessage });
      if (!args.success) throw invalidArguments(args.error);
      const { storage, clock } = deps;
      const context = { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control } as const;
      return run(context, deps, args.data, onProgress);
    },
  };
}

function invalidArguments({ issues }: z.ZodError) {
  const [first, ...rest] = issues.map((one) => ({
    path: ["args", ...one.path].join("."),
    ...faultOf(one),
    message: one.message,
  }));
  return invalid(first ?? issue("args", "invalid"), ...rest);
}
