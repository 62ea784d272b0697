/**
 * How long each way of running Windsock takes from its start to the first answer of /health, on an empty and on an
 * existing installation, and the memory it then holds.
 *
 *   bun scripts/bench/startup.ts [rounds]
 */
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildBinary } from "../build.ts";
import { freePort } from "./server.ts";

const rounds = Number(process.argv[2] ?? 10);
const root = join(import.meta.dir, "../..");
const scratch = await mkdtemp(join(tmpdir(), "windsock-startup-"));
const executable = join(scratch, "windsock");
await buildBinary(executable);

const { tasks } = JSON.parse(await readFile(join(root, "deno.json"), "utf8"));
const [, ...denoArgs] = tasks.start.split(" ");
const ways = [
  { name: "Bun, from source", command: [process.execPath, "scripts/start.ts"] },
  { name: "Bun, the single files", command: [process.execPath, "src/main.ts"] },
  { name: "Deno, from source", command: [join(root, "node_modules/@deno/linux-x64-glibc/deno"), ...denoArgs] },
  { name: "executable", command: [executable] },
];

try {
  console.log(`executable: ${((await stat(executable)).size / 1e6).toFixed(1)} MB\n`);
  console.log("| | first start, ms | later start, ms (median) | slowest | RSS, MB |\n|---|---|---|---|---|");
  for (const { name, command } of ways) {
    const directory = join(scratch, name);
    const first = await start(command, directory);
    const later = [];
    for (let round = 0; round < rounds; round += 1) later.push(await start(command, directory));
    const times = later.map(({ ms }) => ms).sort((a, b) => a - b);
    const memory = later.map(({ rss }) => rss).sort((a, b) => a - b);
    const figures = [first.ms, middle(times), times.at(-1) ?? Number.NaN, middle(memory)];
    console.log(`| ${name} | ${figures.map((figure) => figure.toFixed(0)).join(" | ")} |`);
  }
} finally {
  await rm(scratch, { recursive: true });
}

function middle(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function start(command: string[], directory: string): Promise<{ ms: number; rss: number }> {
  const port = freePort();
  const began = performance.now();
  const server = Bun.spawn(command, {
    cwd: root,
    env: { ...process.env, WINDSOCK_PORT: String(port), WINDSOCK_DATA_DIR: directory },
    stdout: "ignore",
    stderr: "ignore",
  });
  try {
    while (!(await isUp(port))) {
      if (server.exitCode !== null) throw new Error(`${command[0]} ended with ${server.exitCode}.`);
      await Bun.sleep(1);
    }
    const ms = performance.now() - began;
    const status = await readFile(`/proc/${server.pid}/status`, "utf8");
    return { ms, rss: (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6 };
  } finally {
    server.kill("SIGTERM");
    await server.exited;
  }
}

function isUp(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}
