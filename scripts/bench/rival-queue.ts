/**
 * BullMQ on Redis, doing what Windsock does: a job is an event for an endpoint, which is signed and sent; the attempt's
 * record is the job's return value.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock, toInstant } from "../../src/core/clock.ts";
import { type DeliveryId, type EventId, newId } from "../../src/core/ids.ts";
import type { Send } from "../../src/events/outbound/sender.ts";
import { deliveryHeaders, envelope } from "../../src/events/signing.ts";
import { newSecret } from "../../src/events/signing-secrets.ts";
import { kibibyte } from "./post-office.ts";

interface Job {
  url: string;
  deliveryId: DeliveryId;
  event: Parameters<typeof envelope>[0];
}

/** As much of BullMQ as is used here; it is no dependency, so its types are not there. */
interface BullMq {
  Queue: new (name: string, options: object) => BullQueue;
  Worker: new (name: string, work: (job: { data: Job }) => Promise<unknown>, options: object) => BullWorker;
}
interface BullQueue {
  addBulk(jobs: { name: string; data: Job }[]): Promise<unknown>;
  obliterate(options: { force: boolean }): Promise<void>;
  close(): Promise<void>;
}
interface BullWorker {
  on(event: "completed" | "failed", listener: () => void): void;
  close(): Promise<void>;
}

export async function startQueue(url: string, send: Send, concurrency: number) {
  const folder = await mkdtemp(join(tmpdir(), "windsock-rival-"));
  await run(["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "bullmq@5"], folder);
  const main = Bun.resolveSync("bullmq", folder);
  const { Queue, Worker } = (await import(main)) as BullMq;
  const { version } = await Bun.file(join(folder, "node_modules/bullmq/package.json")).json();
  const redis = await startRedis(folder);
  const connection = { host: "127.0.0.1", port: redis.port, maxRetriesPerRequest: null };
  const queue = new Queue("deliveries", { connection });
  const secrets = { primary: newSecret() };
  const data = JSON.stringify(kibibyte);
  const newJob = (): Job => {
    const id: EventId = `evt_${newId(systemClock).replaceAll("-", "")}`;
    const event = { type: "webhook.test", id, occurredAt: toInstant(systemClock.now()), data };
    return { url, deliveryId: newId(systemClock), event };
  };
  let expected = 0;

  return {
    version: String(version),
    redis: redis.version,
    async fill(jobs: number) {
      await queue.obliterate({ force: true });
      for (let left = jobs; left > 0; left -= 1000)
        await queue.addBulk(
          Array.from({ length: Math.min(1000, left) }, () => ({ name: "webhook.test", data: newJob() })),
        );
      expected = jobs;
    },
    /** Ends when all have been done. */
    async drain() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const worker = new Worker(
        "deliveries",
        async ({ data }) => {
          const startedAt = toInstant(systemClock.now());
          const body = envelope(data.event);
          const requestHeaders = deliveryHeaders(body, { deliveryId: data.deliveryId, secrets, now: startedAt });
          const outcome = await send({ url: data.url, headers: requestHeaders, body });
          if (outcome.errorClass !== null) throw new Error(outcome.errorClass);
          return { startedAt, endedAt: toInstant(systemClock.now()), requestHeaders, ...outcome };
        },
        { connection, concurrency },
      );
      let done = 0;
      worker.on("completed", () => {
        done += 1;
        if (done === expected) resolve();
      });
      worker.on("failed", () => reject(new Error("A job failed.")));
      await promise;
      await worker.close();
    },
    async close() {
      await queue.close();
      await redis.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Debian's, with what of its libraries is not here; nothing is installed, only unpacked. */
const packages = ["redis-server", "redis-tools", "liblzf1", "libjemalloc2"];

async function startRedis(folder: string) {
  const found = Bun.which("redis-server");
  const unpacked = join(folder, "redis");
  if (found === null) {
    await run(["apt-get", "download", ...packages], folder);
    for (const name of new Bun.Glob("*.deb").scanSync(folder)) await run(["dpkg", "-x", name, unpacked], folder);
  }
  const command = found ?? join(unpacked, "usr/bin/redis-server");
  const env = { ...process.env, LD_LIBRARY_PATH: join(unpacked, "usr/lib/x86_64-linux-gnu") };
  const port = freePort();
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const server = Bun.spawn([command, "--port", String(port), "--bind", "127.0.0.1", "--dir", folder, ...durable], {
    env,
    stdout: "ignore",
    stderr: "inherit",
  });
  while (!(await answers(port))) {
    if (server.exitCode !== null) throw new Error(`Redis ended with ${server.exitCode}.`);
    await Bun.sleep(20);
  }
  const said = await new Response(Bun.spawn([command, "--version"], { env }).stdout).text();
  return {
    port,
    version: /v=([\d.]+)/.exec(said)?.[1] ?? "unknown",
    async stop() {
      server.kill();
      await server.exited;
    },
  };
}

async function run(command: string[], cwd: string): Promise<void> {
  const child = Bun.spawn(command, { cwd, stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")}: ${said}`);
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = listener;
  listener.stop();
  return port;
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createConnection(port, "127.0.0.1");
  socket.once("connect", () => resolve(true));
  socket.once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
