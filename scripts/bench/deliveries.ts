/**
 * How fast a backlog goes out, with every attempt recorded: Windsock, beside the same sender with no database at all
 * (the ceiling: it signs and sends) and beside BullMQ 5 on a Redis 7 that syncs its append-only file at each
 * write. Both sign each delivery and record the same of each attempt. The receiver is a process of its own on loopback;
 * bodies are 1 KiB; 32 attempts are under way at a time, 8 at each of four endpoints. Each goes once unmeasured first.
 *
 *   bun scripts/bench/deliveries.ts [backlog=20000] [rounds=3]
 *
 * BullMQ is installed from npm into a temporary folder, and so is Debian's Redis, where there is none.
 */
import { systemClock, toInstant } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import { deliveryHeaders } from "../../src/events/signing.ts";
import { newSecret } from "../../src/events/signing-secrets.ts";
import { addBacklog, addEndpoint, kibibyte, openOffice, printTable, quantile, startReceiver } from "./post-office.ts";
import { startQueue } from "./rival-queue.ts";

const [backlog, rounds] = [Number(process.argv[2] ?? 20_000), Number(process.argv[3] ?? 3)];
const endpoints = 4;
const concurrency = 8 * endpoints;

const receiver = await startReceiver();
const send = receiver.sender({ keepsAnswers: false });
const body = JSON.stringify({ event: { type: "webhook.test", id: "evt_0", data: kibibyte } });
const secrets = { primary: newSecret() };

/** @returns deliveries a second */
async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return count / ((performance.now() - began) / 1000);
}

async function ceiling(count: number): Promise<number> {
  let left = count;
  const loop = async () => {
    while (left-- > 0) {
      const now = toInstant(systemClock.now());
      const headers = deliveryHeaders(body, { deliveryId: newId(systemClock), secrets, now });
      await send({ url: `${receiver.url}/`, headers, body });
    }
  };
  return rate(count, () => Promise.all(Array.from({ length: concurrency }, loop)));
}

async function windsock(count: number): Promise<number> {
  const office = await openOffice();
  try {
    const tenant = await office.newSchool();
    for (let index = 0; index < endpoints; index++) await addEndpoint(tenant, `${receiver.url}/`);
    await addBacklog(tenant, count / endpoints);
    const dispatcher = office.dispatcher(send);
    const delivered = await rate(count, async () => {
      dispatcher.wake(tenant.id);
      const { succeeded } = await dispatcher.sendDue();
      if (succeeded !== count) throw new Error(`${succeeded} of ${count} arrived.`);
    });
    await dispatcher.stop(1000);
    return delivered;
  } finally {
    await office.close();
  }
}

async function bullmq(count: number): Promise<number> {
  await queue.fill(count);
  return rate(count, () => queue.drain());
}

const queue = await startQueue(`${receiver.url}/`, send, concurrency);
try {
  for (const run of [ceiling, windsock, bullmq]) await run(Math.min(backlog, 4000));
  const figures = { ceiling: [] as number[], windsock: [] as number[], bullmq: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    figures.ceiling.push(await ceiling(backlog));
    figures.windsock.push(await windsock(backlog));
    figures.bullmq.push(await bullmq(backlog));
  }
  const highest = quantile(figures.ceiling, 0.5);
  printTable(
    ["", "deliveries/s, median", "lowest", "highest", "of the ceiling"],
    Object.entries({
      "the sender alone, no database": figures.ceiling,
      Windsock: figures.windsock,
      [`BullMQ ${queue.version}, Redis ${queue.redis}`]: figures.bullmq,
    }).map(([name, rates]) => {
      const median = quantile(rates, 0.5);
      return [name, ...[median, Math.min(...rates), Math.max(...rates)].map(Math.round), (median / highest).toFixed(2)];
    }),
  );
} finally {
  await queue.close();
  send.close();
  receiver.close();
}
