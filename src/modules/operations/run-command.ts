import { access } from "node:fs/promises";
import { join } from "node:path";
import type { OnProgress } from "../../core/progress.ts";
import { DataDirectoryLocked } from "../../storage/data-lock.ts";
import { requireControl } from "../../storage/lost-control.ts";
import type { Command, OperatorDeps } from "./command.ts";
import { callServer, NoServer } from "./operator-client.ts";

export interface Installation {
  directory: string;
  /** Whether its databases are on a server: then the directory has none. */
  isOnServer?: boolean;
  /** Opens the installation if no server has opened it. */
  open(): Promise<OperatorDeps & { close(): Promise<unknown> }>;
}

/**
 * Runs a command in the running server. If no server is running, it runs the command in this process, which then holds the
 * lock of the data directory.
 *
 * @throws Problem, or an error whose message tells the operator what to do
 */
export async function runCommand<Args, Result>(
  installation: Installation,
  command: Command<Args, Result>,
  args: Args,
  onProgress?: OnProgress,
): Promise<Result> {
  try {
    return await callServer(installation.directory, command, args, onProgress);
  } catch (error) {
    if (!(error instanceof NoServer)) throw error;
    return withInstallation(installation, (deps) => command.handle(deps, args, onProgress));
  }
}

/** Opens an installation that no server uses, and closes it after `work`. Creates no installation in an empty directory. */
export async function withInstallation<T>(
  { directory, isOnServer = false, open }: Installation,
  work: (deps: OperatorDeps) => Promise<T>,
): Promise<T> {
  if (!isOnServer) await requireInstallation(directory);
  const opened = await open().catch((error: unknown) => {
    if (!(error instanceof DataDirectoryLocked)) throw error;
    const message = `A server uses ${directory} but does not accept commands: it is starting or stopping. Retry in a moment.`;
    throw new Error(message, { cause: error });
  });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

async function requireInstallation(directory: string): Promise<void> {
  await access(join(directory, "control.db")).catch(async () => {
    await requireControl(directory).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error)) throw error; // there is no such directory
    });
    throw new Error(`${directory} contains no installation. Check WINDSOCK_DATA_DIR.`);
  });
}
