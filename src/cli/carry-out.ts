import process from "node:process";
import { loadConfig } from "../config.ts";
import { systemClock } from "../core/clock.ts";
import { openEngine } from "../engine.ts";
import { createLog } from "../http/request-log.ts";
import type { Command } from "../modules/operations/command.ts";
import { runCommand } from "../modules/operations/run-command.ts";

/** Has a command carried out by the server that uses the data directory, or, when none does, here. */
export function carryOut<Args, Result>(command: Command<Args, Result>, args: Args): Promise<Result> {
  const config = loadConfig(process.env);
  const open = () => openEngine({ config, clock: systemClock, log: createLog("silent") });
  return runCommand({ directory: config.dataDir, open }, command, args);
}
