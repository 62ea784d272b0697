/** The three kinds of process that Windsock runs as: Bun from source, Deno from source, and the executable. */
import { join } from "node:path";
import process from "node:process";

export const root = join(import.meta.dir, "../..");

export interface Runtime {
  /** The command and its first arguments; Windsock's own follow. */
  command: readonly [string, ...string[]];
  /** Where to start it; in a folder of its own when it does not matter. */
  cwd?: string;
}

export const bunFromSource: Runtime = { command: [process.execPath, join(root, "src/main.ts")] };

/** The executable and the Deno of the lock file are for this platform; tests of them are skipped on any other. */
export const isLinuxX64 = process.platform === "linux" && process.arch === "x64";

/** The package with nothing but the executable: `deno` puts a script before it, which passes no signals on. */
export const denoPath = join(root, "node_modules/@deno/linux-x64-glibc/deno");

/** As an operator starts it, with the permissions of `deno.json`. */
export const denoFromSource: Runtime = { command: [denoPath, "task", "--quiet", "start"], cwd: root };
