import { resolve } from "node:path";
import process from "node:process";
import { type Config, loadConfig } from "../config.ts";
import type { OnProgress } from "../core/progress.ts";
import type { Command } from "../modules/operations/command.ts";
import { callServer, NoServer } from "../modules/operations/operator-client.ts";
import { runCommand } from "../modules/operations/run-command.ts";
import { seeFiles, seenHere } from "../modules/operations/see-files.ts";
import { openHere } from "./open-here.ts";

interface Followed {
  /** The files that the command reads or writes, as absolute paths. */
  files?: readonly (string | undefined)[];
  /** Called before a run in this process, with this shell's configuration. */
  onLocalRun?: (config: Config) => void;
  onProgress?: OnProgress;
  /** The installation's; by default that of this process. */
  config?: Config;
}

/** Runs a command in the server that uses the data directory. When no server runs, runs it in this process. */
export async function runInServerOrHere<Args, Result>(
  command: Command<Args, Result>,
  args: Args,
  { files = [], onLocalRun, onProgress, config = loadConfig(process.env) }: Followed = {},
): Promise<Result> {
  await requireSeen(config.dataDir, files);
  const open = () => {
    onLocalRun?.(config);
    return openHere(config);
  };
  const installation = { directory: config.dataDir, isOnServer: config.store !== undefined, open };
  return runCommand(installation, command, args, onProgress);
}

/** @throws an error if a running server would read or write other files than those that this process sees */
async function requireSeen(directory: string, files: readonly (string | undefined)[]): Promise<void> {
  const named = files.filter((path) => path !== undefined).map(seenHere);
  if (named.length === 0) return;
  const { unseen } = await callServer(directory, seeFiles, { files: named }).catch((error: unknown) => {
    if (error instanceof NoServer) return { unseen: [] };
    throw error;
  });
  if (unseen.length > 0)
    throw new Error(
      `The running server does not see ${unseen.join(", ")} as this shell does: a service of systemd has its own /tmp, and no home directories. Nothing was done. Use a place below ${resolve(directory)}.`,
    );
}
