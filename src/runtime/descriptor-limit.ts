import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import process from "node:process";
import { promisify } from "node:util";

/** Deno reads `/proc/self` only with all permissions, and runs a shell with `--allow-run`. */
const told = (command: string): Promise<string | undefined> =>
  promisify(execFile)("/bin/sh", ["-c", command]).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

/**
 * Returns how many files and sockets this process may have open, or `undefined` if it can't be read. Bun and Deno raise the soft
 * limit to the hard limit when they start.
 */
export async function descriptorLimit(): Promise<number | undefined> {
  if (process.platform === "win32") return Number.POSITIVE_INFINITY;
  const limits = await readFile("/proc/self/limits", "utf8").catch(() => "");
  return parse(/^Max open files\s+(\S+)/m.exec(limits)?.[1] ?? (await told("ulimit -n")));
}

function parse(limit: string | undefined): number | undefined {
  if (limit === "unlimited") return Number.POSITIVE_INFINITY;
  return limit !== undefined && /^\d+$/.test(limit) ? Number(limit) : undefined;
}

/** Returns how many files and sockets this process has open, or `undefined` where the system does not list them. */
export const openDescriptors = (): Promise<number | undefined> =>
  readdir("/proc/self/fd").then(
    ({ length }) => length - 1, // the list itself
    async () => (process.platform === "linux" ? parse(await told("ls /proc/$PPID/fd | wc -l")) : undefined),
  );
