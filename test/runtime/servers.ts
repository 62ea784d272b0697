/** Windsock as an operator runs it: a process of its own, started in an empty folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const main = join(import.meta.dir, "../../src/main.ts");

export interface ServerProcess {
  directory: string;
  /** Everything on standard output and on standard error until now. */
  stdout(): string;
  stderr(): string;
  /** Waits until one of the two shows it. @returns the match @throws when the process ends without */
  shows(stream: "stdout" | "stderr", pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: "SIGTERM" | "SIGINT" | "SIGKILL"): void;
  /** The exit code, or the signal it was killed by, once both streams are read to their ends. */
  ended: Promise<number | string>;
}

const running = new Set<ServerProcess>();
const folders: string[] = [];

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "windsock-server-"));
  folders.push(folder);
  return folder;
}

/** Variables of whoever runs the tests are not the server's. */
const environment = () => Object.entries(process.env).filter(([name]) => !name.startsWith("WINDSOCK_"));

/** Starts a server on any free port; gone when the test ends (`stopServers`). */
export async function startServer(env: Record<string, string> = {}): Promise<ServerProcess> {
  const directory = env.WINDSOCK_DATA_DIR ?? join(await newFolder(), "data");
  const child = spawn(process.execPath, [main], {
    cwd: await newFolder(),
    env: {
      ...Object.fromEntries(environment()),
      WINDSOCK_PORT: "0",
      WINDSOCK_DATA_DIR: directory,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      said[stream] += text;
      child.emit("said");
    });
  const ended = once(child, "close").then(([code, signal]) => code ?? signal);
  const server: ServerProcess = {
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
    ended,
  };
  running.add(server);
  return server;
}

/** The address of a server, once it serves. */
export async function urlOf(server: ServerProcess): Promise<string> {
  const [, url = ""] = await server.shows("stderr", /serving at (http:\S+)/);
  return url;
}

/** To be called as `afterEach(stopServers)`. */
export async function stopServers(): Promise<void> {
  for (const server of running) {
    server.signal("SIGKILL");
    await server.ended;
  }
  running.clear();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}
