/** What the benchmarks over HTTP share: a server in a process of its own, and how long `/health` takes beside some work. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { operatorSocket } from "../../src/modules/operations/operator-client.ts";

/** Returns a port of this machine that nobody listens on. */
export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = listener;
  listener.stop();
  return port;
}

export interface Server {
  pid: number;
  /** Milliseconds from its start until it answered. */
  ready: number;
  stop(): Promise<void>;
}

/** The executable that `EXECUTABLE` names, or else this source. */
const program = process.env.EXECUTABLE
  ? [process.env.EXECUTABLE]
  : [process.execPath, join(import.meta.dir, "../../src/main.ts")];

/**
 * Starts Windsock on a data directory, and waits until it takes requests, also those of the operator.
 *
 * @throws an error if it ends before
 */
export async function startServer(port: number, directory: string, env: Record<string, string> = {}): Promise<Server> {
  const began = performance.now();
  const server = Bun.spawn(program, {
    env: {
      ...process.env,
      WINDSOCK_PORT: String(port),
      WINDSOCK_DATA_DIR: directory,
      WINDSOCK_LOG_LEVEL: "error",
      ...env,
    },
    stdout: "ignore",
    stderr: "inherit",
  });
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  const until = async (isSo: () => Promise<boolean> | boolean) => {
    while (!(await isSo())) {
      if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`);
      await Bun.sleep(2);
    }
  };
  await until(isUp);
  const ready = performance.now() - began;
  await until(() => existsSync(operatorSocket(directory)));
  return {
    pid: server.pid,
    ready,
    async stop() {
      server.kill("SIGTERM");
      await server.exited;
    },
  };
}

/** Returns the milliseconds that a process has spent on a processor. Linux counts in hundredths of a second. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** Returns the seconds for which the server's event loop could have run, but had no processor. On Linux only. */
export async function waited(pid: number): Promise<number> {
  const [, nanoseconds] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, "utf8")).split(" ");
  return Number(nanoseconds) / 1e9;
}

/**
 * Starts a request of `/health` every 5 ms while the work runs, whether or not the last one has ended.
 *
 * @param longest milliseconds after which no further request starts
 * @returns milliseconds of each request, and those of the work
 */
export async function healthBeside(
  url: string,
  work: () => Promise<unknown>,
  longest = Number.MAX_SAFE_INTEGER,
): Promise<{ took: number; health: number[] }> {
  const health: number[] = [];
  let began = performance.now();
  const open = new Set<Promise<void>>();
  const ping = async () => {
    const asked = performance.now();
    await (await fetch(`${url}/health`)).text();
    health.push(performance.now() - asked);
  };
  const timer = setInterval(() => {
    if (performance.now() - began > longest) return;
    const pinged = ping()
      .catch(() => undefined) // the work has failed, and the server is stopped
      .finally(() => open.delete(pinged));
    open.add(pinged);
  }, 5);
  await Bun.sleep(100);
  health.length = 0;
  began = performance.now();
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  const took = performance.now() - began;
  await Promise.all(open);
  return { took, health };
}
