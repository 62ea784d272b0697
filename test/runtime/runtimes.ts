/** The three ways to run Windsock: Bun from source, Deno from source, and the executable. */
import { join } from "node:path";
import process from "node:process";

export const root = join(import.meta.dir, "../..");

export interface Runtime {
  /** The command and its first arguments, before Windsock's own. */
  command: readonly [string, ...string[]];
  /** The folder to start in; by default a new one. */
  cwd?: string;
}

export const bunFromSource: Runtime = { command: [process.execPath, join(root, "src/main.ts")] };

/** The executable and the Deno of the lock file are for this platform; on others their tests are skipped. */
export const isLinuxX64 = process.platform === "linux" && process.arch === "x64";

/** The package with only the executable: the package `deno` starts a script first, which forwards no signals. */
export const denoPath = join(root, "node_modules/@deno/linux-x64-glibc/deno");

/** As an operator starts it, with the permissions of `deno.json`. */
export const denoFromSource: Runtime = { command: [denoPath, "task", "--quiet", "start"], cwd: root };
