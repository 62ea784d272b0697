/** Windsock as an operator runs it: a process of its own, in an empty folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { bundled } from "./bundle.ts";
import { type Runtime, root } from "./runtimes.ts";

export interface Running extends AsyncDisposable {
  /** Of its data. */
  directory: string;
  /** Everything on standard output and on standard error until now. */
  stdout(): string;
  stderr(): string;
  /** Waits until one of the two shows it. @returns the match @throws when the process ends without */
  shows(stream: "stdout" | "stderr", pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** Ctrl-C, which a terminal sends to every process that was started in it. */
  interrupt(): void;
  /** The exit code, or the signal it was killed by, once both streams are read to their ends. */
  ended: Promise<number | string>;
}

export interface Ended {
  code: number | string;
  stdout: string;
  stderr: string;
}

interface Options {
  env?: Record<string, string>;
  /** Bun with the sources as one file, if not given. */
  runtime?: Runtime;
}

const oneFile = async (): Promise<Runtime> => ({
  command: [process.execPath, await bundled(join(root, "src/main.ts"))],
});

const running = new Set<Running>();
const folders: string[] = [];

/** Gone when the test ends (`endProcesses`). */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "windsock-process-"));
  folders.push(folder);
  return folder;
}

/** Variables of whoever runs the tests are not Windsock's. */
const surroundings = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("WINDSOCK_")));

/** Starts a command of Windsock's; a server listens on any free port. It is gone when the test ends (`endProcesses`). */
export async function start(args: readonly string[], { env = {}, ...options }: Options = {}) {
  const runtime = options.runtime ?? (await oneFile());
  const directory = env.WINDSOCK_DATA_DIR ?? join(await newFolder(), "data");
  const [file, ...first] = runtime.command;
  // A group of its own, so that what it starts in turn can be killed with it.
  const child = spawn(file, [...first, ...args], {
    cwd: runtime.cwd ?? (await newFolder()),
    env: { ...surroundings(), NO_COLOR: "1", WINDSOCK_PORT: "0", WINDSOCK_DATA_DIR: directory, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      said[stream] += text;
      child.emit("said");
    });
  let isClosed = false;
  const signalAll = (name: NodeJS.Signals) => {
    // Closed means that nobody holds its output any more: nothing of the group is left.
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

/** Runs a command of Windsock's to its end. */
export async function run(args: readonly string[], options?: Options): Promise<Ended> {
  const { ended, stdout, stderr } = await start(args, options);
  return { code: await ended, stdout: stdout(), stderr: stderr() };
}

/** Starts a server. */
export const startServer = (env: Record<string, string> = {}, runtime?: Runtime): Promise<Running> =>
  start([], { env, ...(runtime && { runtime }) });

/** The address of a server, once it serves. */
export async function urlOf(server: Running): Promise<string> {
  const [, url = ""] = await server.shows("stderr", /serving at (http:\S+)/);
  return url;
}

/** Asks a server to stop, and waits until it has. */
export async function stop(server: Running): Promise<Ended> {
  server.signal("SIGTERM");
  return { code: await server.ended, stdout: server.stdout(), stderr: server.stderr() };
}

/** To be called as `afterEach(endProcesses)`. */
export async function endProcesses(): Promise<void> {
  for (const one of [...running]) await one[Symbol.asyncDispose]();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}
