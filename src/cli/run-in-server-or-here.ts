import process from "node:process";
import { type Config, loadConfig } from "../config.ts";
import { systemClock } from "../core/clock.ts";
import type { OnProgress } from "../core/progress.ts";
import { openEngine } from "../engine.ts";
import { createLog } from "../http/request-log.ts";
import type { Command } from "../modules/operations/command.ts";
import { runCommand } from "../modules/operations/run-command.ts";
import { createChecker } from "./create-checker.ts";

interface Followed {
  /** Called before a run in this process, with this shell's configuration. */
  onLocalRun?: (config: Config) => void;
  onProgress?: OnProgress;
}

/** Runs a command in the server that uses the data directory. When no server runs, runs it in this process. */
export function runInServerOrHere<Args, Result>(
  command: Command<Args, Result>,
  args: Args,
  { onLocalRun, onProgress }: Followed = {},
): Promise<Result> {
  const config = loadConfig(process.env);
  const open = () => {
    onLocalRun?.(config);
    return openEngine({ config, clock: systemClock, log: createLog("silent"), checker: createChecker() });
  };
  return runCommand({ directory: config.dataDir, open }, command, args, onProgress);
}
