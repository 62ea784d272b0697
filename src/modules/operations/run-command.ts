import { access } from "node:fs/promises";
import { join } from "node:path";
import { DataDirectoryLocked } from "../../storage/data-lock.ts";
import type { Command, OperatorDeps } from "./command.ts";
import { callServer, NoServer } from "./operator-client.ts";

export interface Installation {
  directory: string;
  /** Opens it, when no server has. */
  open(): Promise<OperatorDeps & { close(): Promise<void> }>;
}

/**
 * Carries out a command in the running server, or, when none runs, here, with the data directory locked meanwhile.
 *
 * @throws Problem, or an error whose message tells the operator what to do
 */
export async function runCommand<Args, Result>(
  installation: Installation,
  command: Command<Args, Result>,
  args: Args,
): Promise<Result> {
  try {
    return await callServer(installation.directory, command, args);
  } catch (error) {
    if (!(error instanceof NoServer)) throw error;
    return withInstallation(installation, (deps) => command.handle(deps, args));
  }
}

/** Opens an installation that no server uses, for the time of `work`. An empty directory is not made into one. */
export async function withInstallation<T>(
  { directory, open }: Installation,
  work: (deps: OperatorDeps) => Promise<T>,
): Promise<T> {
  await access(join(directory, "control.db")).catch(() => {
    throw new Error(`${directory} holds no installation: is WINDSOCK_DATA_DIR right?`);
  });
  const opened = await open().catch((error: unknown) => {
    if (!(error instanceof DataDirectoryLocked)) throw error;
    const message = `A server uses ${directory} but does not listen to commands: it is starting or stopping. Try again in a moment.`;
    throw new Error(message, { cause: error });
  });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
