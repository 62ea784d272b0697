/**
 * What many schools cost while hardly any of them is at work: how long a start takes, what memory it holds and how busy a
 * core is, idle and with some of them active. Active means: each asks for its aircraft once a second, and every ten
 * seconds pings a webhook endpoint.
 *
 *   bun scripts/bench/scale.ts [schools=10000] [active=100] [seconds=60]
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { printTable, startReceiver } from "./post-office.ts";
import { freePort, processorTime, startServer } from "./server.ts";

const [schools = 10_000, active = 100, duration = 60] = process.argv.slice(2).map(Number);
const directory = await mkdtemp(join(tmpdir(), "windsock-scale-"));
const receiver = await startReceiver();
const authorities = `${directory}.pem`;
await writeFile(authorities, receiver.ca);
const port = freePort();
const url = `http://127.0.0.1:${port}`;

/** Files as signing up makes them, by copying the template, but without anybody to sign in. */
async function found(count: number): Promise<void> {
  const log = { warn: console.error, error: console.error };
  const storage = await openStorage({ directory, clock: systemClock, log });
  for (let made = 0; made < count; made++) {
    const id = newId<"organization">(systemClock);
    await storage.tenants.create(id, { name: `School ${made}`, time_zone: "Europe/Berlin" });
    await storage.control.write((tx) => storage.tenants.markOwned(tx, id));
  }
  await storage.close();
}

const start = () =>
  startServer(port, directory, {
    WINDSOCK_TRUSTED_PROXIES: "127.0.0.0/8",
    WINDSOCK_WEBHOOK_ALLOW: "127.0.0.0/8",
    WINDSOCK_WEBHOOK_CA: authorities,
  });

interface Usage {
  cpu: number;
  rss: number;
}

/** @returns per cent of a core over that time, and MB at the end */
async function usage(pid: number, seconds: number): Promise<Usage> {
  const [before, began] = [await processorTime(pid), performance.now()];
  await Bun.sleep(seconds * 1000);
  const cpu = (100 * ((await processorTime(pid)) - before)) / (performance.now() - began);
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return { cpu, rss: (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6 };
}

async function call(path: string, { token, body, from }: { token?: string; body?: unknown; from?: string } = {}) {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(from !== undefined && { "x-forwarded-for": from }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Signs up. @returns what the school does at each of its turns */
async function signUp(index: number): Promise<(turn: number) => Promise<unknown>> {
  const { data } = await call("/auth/signup-org", {
    from: `10.0.${index >> 8}.${index & 255}`,
    body: {
      email: `owner${index}@scale.example`,
      password: "correct horse battery",
      name: "Olga Lindner",
      organization: { name: `Active ${index}`, kind: "ato", time_zone: "Europe/Berlin", currency: "EUR" },
    },
  });
  const token: string = data.tokens.access_token;
  const org = `/orgs/${data.organization.id}`;
  const endpoint = { url: receiver.url.replace("receiver.test", "127.0.0.1"), event_types: ["webhook.test"] };
  const { id } = (await call(`${org}/integrations/webhook-endpoints`, { token, body: endpoint })).data;
  return (turn) =>
    turn % 10 === index % 10
      ? call(`${org}/integrations/webhook-endpoints/${id}/ping`, { token, body: {} })
      : call(`${org}/aircraft`, { token });
}

try {
  await found(schools);
  const { pid, ready, stop } = await start();
  try {
    await Bun.sleep(2000);
    const idle = await usage(pid, duration);
    const turns: ((turn: number) => Promise<unknown>)[] = [];
    for (let index = 0; index < active; index++) turns.push(await signUp(index));
    let turn = 0;
    let failed = 0;
    const act = (one: (turn: number) => Promise<unknown>) =>
      void one(turn).catch((error: unknown) => {
        failed += 1;
        if (failed === 1) console.error(error);
      });
    const timer = setInterval(() => {
      turn += 1;
      for (const [index, one] of turns.entries()) setTimeout(act, (1000 * index) / turns.length, one);
    }, 1000);
    await Bun.sleep(2000);
    const busy = await usage(pid, duration);
    clearInterval(timer);
    await Bun.sleep(1500); // what was begun ends
    const row = (name: string, { cpu, rss }: Usage) => [name, cpu.toFixed(2), rss.toFixed(0)];
    printTable(
      [`${schools} schools, ready in ${ready.toFixed(0)} ms`, "% of a core", "RSS, MB"],
      [row(`idle for ${duration} s`, idle), row(`${active} more active for ${duration} s`, busy)],
    );
    if (failed > 0) console.log(`\n${failed} requests failed`);
  } finally {
    await stop();
  }
} finally {
  receiver.close();
  await rm(directory, { recursive: true, force: true });
  await rm(authorities);
}
process.exit();
