/** Windsock as an operator runs it: a process in an empty folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { yieldToEventLoop } from "../../src/core/async.ts";
import { bundled } from "./bundle.ts";
import { executableOfRun } from "./executable.ts";
import { type Runtime, root } from "./runtimes.ts";

export interface Running extends AsyncDisposable {
  /** Of its data. */
  directory: string;
  /** The output on standard output and standard error until now. */
  stdout(): string;
  stderr(): string;
  /** Waits for a match in one of the two. @returns the match @throws the process ends without one */
  shows(stream: "stdout" | "stderr", pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** Stops it as Ctrl-Z does, and waits until it does nothing any more. `SIGCONT` lets it go on. */
  stopWholly(): Promise<void>;
  /** Sends Ctrl-C, which a terminal sends to all its processes. */
  interrupt(): void;
  /** The exit code or signal, after both streams have ended. */
  ended: Promise<number | string>;
}

export interface Ended {
  code: number | string;
  stdout: string;
  stderr: string;
}

interface Options {
  env?: Record<string, string>;
  /** By default `oneFile`. */
  runtime?: Runtime | undefined;
  /** A file descriptor in place of a standard output that the test reads. */
  stdout?: number;
}

/** The executable of this run, and without one Bun with the bundled sources. */
export const oneFile = async (): Promise<Runtime> => ({
  command: executableOfRun ? [executableOfRun] : [process.execPath, await bundled(join(root, "src/main.ts"))],
});

const running = new Set<Running>();
const folders: string[] = [];

/** Ended after the test (`endProcesses`). */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "windsock-process-"));
  folders.push(folder);
  return folder;
}

/** Removes Windsock's variables of the environment that runs the tests, and what `scripts/test` sets for the tests' own memory. */
const surroundings = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(WINDSOCK|MIMALLOC)_/.test(name)));

/** Starts a Windsock command; a server uses any free port. It is killed after the test (`endProcesses`). */
export async function start(args: readonly string[], { env = {}, stdout = undefined, ...options }: Options = {}) {
  const runtime = options.runtime ?? (await oneFile());
  const directory = env.WINDSOCK_DATA_DIR ?? join(await newFolder(), "data");
  const [file, ...first] = runtime.command;
  // Its own process group, so that its children can be killed with it.
  const child = spawn(file, [...first, ...args], {
    cwd: runtime.cwd ?? (await newFolder()),
    env: { ...surroundings(), NO_COLOR: "1", WINDSOCK_PORT: "0", WINDSOCK_DATA_DIR: directory, ...env },
    stdio: ["ignore", stdout ?? "pipe", "pipe"],
    detached: true,
  });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      said[stream] += text;
      child.emit("said");
    });
  let isClosed = false;
  const signalAll = (name: NodeJS.Signals) => {
    // Closed means that no process of the group holds the output.
    if (!isClosed && child.pid !== undefined) process.kill(-child.pid, name);
  };
  const ended = once(child, "close").then(([code, signal]): number | string => {
    isClosed = true;
    running.delete(self);
    return code ?? signal;
  });
  const self: Running = {
    directory,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    async shows(stream, pattern) {
      for (;;) {
        const found = pattern.exec(said[stream]);
        if (found) return found;
        const over = await Promise.race([once(child, "said").then(() => false), ended.then(() => true)]);
        if (over && !pattern.test(said[stream]))
          throw new Error(`It ended with ${await ended} and without ${pattern}: ${said.stdout}${said.stderr}`);
      }
    },
    signal: (name) => void child.kill(name),
    async stopWholly() {
      child.kill("SIGSTOP");
      const isStopped = async () => / T /.test(await readFile(`/proc/${child.pid}/stat`, "utf8"));
      while (!(await isStopped())) await yieldToEventLoop();
    },
    interrupt: () => signalAll("SIGINT"),
    ended,
    async [Symbol.asyncDispose]() {
      signalAll("SIGKILL");
      await ended;
    },
  };
  running.add(self);
  return self;
}

/** Runs a Windsock command to its end. */
export async function run(args: readonly string[], options?: Options): Promise<Ended> {
  const { ended, stdout, stderr } = await start(args, options);
  return { code: await ended, stdout: stdout(), stderr: stderr() };
}

/** Starts a server. */
export const startServer = (env: Record<string, string> = {}, runtime?: Runtime): Promise<Running> =>
  start([], { env, ...(runtime && { runtime }) });

/** Waits until a server serves, and returns its address. */
export async function urlOf(server: Running): Promise<string> {
  const [, url = ""] = await server.shows("stderr", /serving at (http:\S+)/);
  return url;
}

/** Stops a server, and waits for its end. */
export async function stop(server: Running): Promise<Ended> {
  server.signal("SIGTERM");
  return { code: await server.ended, stdout: server.stdout(), stderr: server.stderr() };
}

/** Call it as `afterEach(endProcesses)`. */
export async function endProcesses(): Promise<void> {
  for (const one of [...running]) await one[Symbol.asyncDispose]();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}
