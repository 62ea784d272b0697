import process from "node:process";
import { type Config, loadConfig } from "../config.ts";
import { systemClock } from "../core/clock.ts";
import { openEngine } from "../engine.ts";
import { createLog } from "../http/request-log.ts";
import type { Command } from "../modules/operations/command.ts";
import { runCommand } from "../modules/operations/run-command.ts";

/**
 * Has a command carried out by the server that uses the data directory, or, when none does, here.
 *
 * @param whenHere told so in the latter case, where this shell's configuration counts and not the server's
 */
export function carryOut<Args, Result>(
  command: Command<Args, Result>,
  args: Args,
  whenHere: (config: Config) => void = () => undefined,
): Promise<Result> {
  const config = loadConfig(process.env);
  const open = () => {
    whenHere(config);
    return openEngine({ config, clock: systemClock, log: createLog("silent") });
  };
  return runCommand({ directory: config.dataDir, open }, command, args);
}
