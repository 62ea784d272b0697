/** Directories and open databases of one test, removed when it ends. Call it as `afterEach(cleanUp)`. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeInstallations } from "../support/installation.ts";

const directories: string[] = [];
const closable: { close(): Promise<unknown> }[] = [];

export async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "windsock-storage-"));
  directories.push(directory);
  return directory;
}

/** Closes it when the test ends, unless the test has closed it. */
export function closedLater<A extends unknown[], T extends { close(...args: A): Promise<unknown> }>(opened: T): T {
  let closed: Promise<unknown> | undefined;
  const close = opened.close.bind(opened);
  const once = Object.assign(opened, { close: (...args: A) => (closed ??= close(...args)) });
  closable.push(once);
  return once;
}

export async function cleanUp(): Promise<void> {
  for (const opened of closable.splice(0).reverse()) await opened.close();
  await closeInstallations();
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
}
