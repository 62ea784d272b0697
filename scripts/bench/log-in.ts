/**
 * What logins cost: whether the time tells that an address has no account, how many there are a second, and whether
 * anybody else notices. The server is a process of its own on loopback; each request claims another client address, so
 * that the limits stay out of the way.
 *
 *   bun scripts/bench/log-in.ts [pairs]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const pairs = Number(process.argv[2] ?? 300);
const directory = await mkdtemp(join(tmpdir(), "windsock-bench-"));
const base = "http://127.0.0.1:3903";
const server = Bun.spawn([process.execPath, "src/main.ts"], {
  env: {
    ...process.env,
    WINDSOCK_PORT: "3903",
    WINDSOCK_DATA_DIR: directory,
    WINDSOCK_LOG_LEVEL: "silent",
    WINDSOCK_TRUSTED_PROXIES: "127.0.0.0/8",
  },
  stdout: "ignore",
  stderr: "ignore",
});
const email = "known@bench.example";
const password = "correct horse battery staple";
try {
  for (let tries = 0; tries < 200 && !(await isUp()); tries += 1) await Bun.sleep(50);
  const organization = { name: "Bench", kind: "ato" };
  await post("/auth/signup-org", { email, password, name: "A", organization }, 201);
  await timing();
  await load();
} finally {
  server.kill("SIGTERM");
  await server.exited;
  await rm(directory, { recursive: true });
}

/** Wrong passwords for an address that has an account and for one that has none, in turn. */
async function timing(): Promise<void> {
  const known: number[] = [];
  const unknown: number[] = [];
  for (let pair = -20; pair < pairs; pair += 1) {
    const wrong = { password: `wrong ${password} ${pair}` };
    const [a, b] = [
      { email, ...wrong },
      { email: `nobody${pair}@bench.example`, ...wrong },
    ];
    // Whoever goes second finds warmer caches.
    const [first, second] = pair % 2 === 0 ? [a, b] : [b, a];
    for (const body of [first, second]) {
      const took = await post("/auth/login", body, 401);
      if (pair >= 0) (body === a ? known : unknown).push(took);
    }
  }
  const [a, b] = [percentile(known, 50), percentile(unknown, 50)];
  console.log(
    `wrong password, ${pairs} each: known address ${ms(a)}, unknown ${ms(b)}, ratio ${(b / a).toFixed(3)} (medians)`,
  );
}

/** Twenty clients log in without a pause; meanwhile somebody asks for `/health` every 10 ms. */
async function load(): Promise<void> {
  const quiet = await health(2000);
  const end = performance.now() + 10_000;
  let logins = 0;
  const clients = Array.from({ length: 20 }, async () => {
    while (performance.now() < end) {
      await post("/auth/login", { email, password }, 200);
      logins += 1;
    }
  });
  const busy = await health(10_000);
  await Promise.all(clients);
  console.log(`/health alone: ${spread(quiet)}`);
  console.log(`/health during 20 concurrent logins: ${spread(busy)}; ${(logins / 10).toFixed(1)} logins/s`);
}

async function health(forMs: number): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + forMs;
  while (performance.now() < end) {
    const started = performance.now();
    const answer = await fetch(`${base}/health`);
    await answer.text();
    took.push(performance.now() - started);
    await Bun.sleep(10);
  }
  return took;
}

/** @returns how long it took, in milliseconds */
async function post(path: string, body: unknown, expected: number): Promise<number> {
  const octet = () => Math.floor(Math.random() * 256);
  const headers = { "content-type": "application/json", "x-forwarded-for": `10.${octet()}.${octet()}.${octet()}` };
  const started = performance.now();
  const answer = await fetch(base + path, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (answer.status !== expected) throw new Error(`${path}: ${answer.status} ${text}`);
  return performance.now() - started;
}

function isUp(): Promise<boolean> {
  return fetch(`${base}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

function spread(values: readonly number[]): string {
  return `p50 ${ms(percentile(values, 50))}, p99 ${ms(percentile(values, 99))}, max ${ms(percentile(values, 100))}`;
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}
