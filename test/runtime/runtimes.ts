/** Windsock as processes of the three kinds there are: Bun from source, Deno from source, and the executable. */
import { spawn } from "node:child_process";
import { join } from "node:path";

export const root = join(import.meta.dir, "../..");

export interface Runtime {
  /** The command and its first arguments; Windsock's own follow. */
  command: readonly string[];
  cwd: string;
}

export const bunFromSource: Runtime = { command: [process.execPath, "src/main.ts"], cwd: root };

/** The executable and the Deno of the lock file are for this platform; tests of them are skipped on any other. */
export const isLinuxX64 = process.platform === "linux" && process.arch === "x64";

/** The package with nothing but the executable: `deno` puts a script before it, which passes no signals on. */
export const denoPath = join(root, "node_modules/@deno/linux-x64-glibc/deno");

/** As an operator starts it, with the permissions of `deno.json`. */
export const denoFromSource: Runtime = { command: [denoPath, "task", "--quiet", "start"], cwd: root };

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of Windsock's to its end. */
export const run = (runtime: Runtime, args: readonly string[], env: Record<string, string>): Promise<Ended> =>
  launch(runtime, args, env).ended;

export interface Running {
  url: string;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<Ended>;
  /** The same by Ctrl-C, which a terminal sends to every process that was started in it. */
  interrupt(): Promise<Ended>;
  /** Leaves nothing of it behind. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server on any free port. */
export async function startServer(runtime: Runtime, env: Record<string, string>): Promise<Running> {
  const { child, ended, output, signalAll } = launch(runtime, [], { ...env, WINDSOCK_PORT: "0" });
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", () => {
      const told = /serving at (\S+)/.exec(output.stderr);
      if (told?.[1] !== undefined) resolve(told[1]);
    });
    void ended.then(({ code, stderr }) => reject(new Error(`It ended with ${code}: ${stderr}`)), reject);
  });
  return {
    url,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
    interrupt() {
      signalAll("SIGINT");
      return ended;
    },
    async [Symbol.asyncDispose]() {
      signalAll("SIGKILL");
      await ended;
    },
  };
}

/** Nothing here takes longer; a process that does is killed. */
const deadline = 20_000;

function launch({ command: [file = "", ...first], cwd }: Runtime, args: readonly string[], env: NodeJS.ProcessEnv) {
  // A group of its own, so that what it started in turn can be killed with it.
  const child = spawn(file, [...first, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let closed = false;
  const signalAll = (signal: NodeJS.Signals) => {
    // Closed means that nobody holds its output any more: nothing of the group is left.
    if (!closed && child.pid !== undefined) process.kill(-child.pid, signal);
  };
  const timer = setTimeout(() => signalAll("SIGKILL"), deadline);
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => {
    output.stdout += text;
  });
  child.stderr.on("data", (text) => {
    output.stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      closed = true;
      clearTimeout(timer);
      resolve({ code, ...output });
    });
  });
  return { child, ended, output, signalAll };
}
