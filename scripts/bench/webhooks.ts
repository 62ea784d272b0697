/**
 * How soon a webhook leaves after the commit, and how fast a backlog goes out, beside the same sender with no database.
 * The receiver is a process of its own on loopback; everything else is the real thing: files, fsync, HTTPS, attempts.
 *
 *   bun scripts/bench/webhooks.ts [backlog=20000] [approvals=500]
 */

import { systemClock } from "../../src/core/clock.ts";
import { isId, newId, type OrgId } from "../../src/core/ids.ts";
import { createDispatcher } from "../../src/events/dispatcher.ts";
import { emit } from "../../src/events/emit.ts";
import { webhookEndpoints } from "../../src/events/events.tables.ts";
import { addressPolicy } from "../../src/events/outbound/addresses.ts";
import { createSender, type Send } from "../../src/events/outbound/sender.ts";
import { newSecret, sealSecret } from "../../src/events/signing.ts";
import { webhookTest } from "../../src/events/webhook-test.ts";
import type { Tenant } from "../../src/storage/store.ts";
import { newAuthority } from "../../test/events/certificate.ts";
import { TestClock } from "../../test/support/clock.ts";
import { newInstallation } from "../../test/support/installation.ts";
import { newSchool, times } from "../../test/support/school.ts";

const [backlog, approvals] = [Number(process.argv[2] ?? 20_000), Number(process.argv[3] ?? 500)];
const authority = newAuthority();
const identity = authority.issue("receiver.test");
const receiver = Bun.spawn([process.execPath, `${import.meta.dir}/webhook-receiver.ts`], {
  env: { ...process.env, RECEIVER_KEY: identity.key, RECEIVER_CERT: identity.cert },
});
const url = `https://receiver.test:${(await firstLine(receiver.stdout)).trim()}/`;
const send = createSender({
  policy: addressPolicy(["127.0.0.0/8"]),
  keepAlive: true,
  version: "bench",
  ca: authority.ca,
  resolve: async () => ["127.0.0.1"],
  keep: { perHost: 64 },
});
/** The real time, for an installation that expects a clock to move. */
class RealClock extends TestClock {
  override now(): Date {
    return new Date();
  }
}

/** Approvals one after the other; from the commit of each to the first byte of its webhook at the receiver. */
async function latency() {
  let committed = 0;
  const arrivals: number[] = [];
  const installation = await newInstallation({
    clock: new RealClock(),
    trace: (step) => {
      if (step === "tenant: committed") committed = performance.timeOrigin + performance.now();
    },
    onDue: (orgId) => dispatcher.wake(orgId),
  });
  const timed: Send = async (outgoing) => {
    const from = committed;
    const outcome = await send(outgoing);
    arrivals.push(Number(outcome.headers?.["x-arrived"]) - from);
    return outcome;
  };
  const dispatcher = dispatcherOf((id) => installation.storage.tenants.tenant(id), timed);
  const school = await newSchool(installation);
  await subscribe(installation.storage.tenants.tenant(orgIdOf(school.orgId)), "flight.approved");
  await dispatcher.start();
  for (const _ of times(approvals, () => undefined)) {
    const flight = await school.submitFlight(school.student);
    const before = arrivals.length;
    await school.instructor.post(`/flights/${flight.id}/approve`);
    while (arrivals.length === before) await Bun.sleep(1);
  }
  await dispatcher.stop(1000);
  await installation.close();
  const sorted = arrivals.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]?.toFixed(2);
  console.log(`commit to first byte, ${sorted.length} approvals: median ${at(0.5)} ms, p99 ${at(0.99)} ms`);
}

/** A backlog of 1 KiB events that is committed already, for four endpoints; then the same sender in a bare loop. */
async function throughput() {
  const installation = await newInstallation({ clock: new RealClock() });
  const { orgId } = await newSchool(installation);
  const tenant = installation.storage.tenants.tenant(orgIdOf(orgId));
  for (const _ of times(4, () => undefined)) await subscribe(tenant, "webhook.test");
  const data = { endpoint_id: newId<"webhook_endpoint">(systemClock), message: "x".repeat(900) };
  for (let left = backlog / 4; left > 0; left -= 100) {
    await tenant.write(async (tx) => {
      for (const _ of times(Math.min(100, left), () => undefined)) await emit(tx, webhookTest, data);
    });
  }
  const outgoing = { url, headers: { "X-SVC-Webhook-Signature": "sha256=0" }, body: JSON.stringify({ event: data }) };
  const rate = async (work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    return backlog / ((performance.now() - began) / 1000);
  };
  const bare = () => {
    let left = backlog;
    const sender = async () => {
      while (left-- > 0) await send(outgoing);
    };
    return rate(() => Promise.all(times(64, sender)));
  };
  const before = await bare();
  const dispatcher = dispatcherOf(() => tenant, send);
  const delivered = await rate(() => {
    dispatcher.wake(tenant.id);
    return dispatcher.settle();
  });
  const after = await bare();
  await dispatcher.stop(1000);
  await installation.close();
  const ceiling = (before + after) / 2;
  console.log(
    `backlog of ${backlog}: ${Math.round(delivered)} deliveries/s; no database: ${Math.round(before)} and ${Math.round(after)}/s; ratio ${(delivered / ceiling).toFixed(2)}`,
  );
}

function dispatcherOf(tenant: (id: OrgId) => Tenant, through: Send) {
  const log = { warn: console.error, error: console.error };
  return createDispatcher({ tenant, wakeUps: async () => [], clock: systemClock, send: through, log, alone: true });
}

async function subscribe(tenant: Tenant, type: string) {
  const dataKey = await tenant.dataKey();
  const id = newId<"webhook_endpoint">(systemClock);
  await tenant.write((tx) =>
    tx.insert(webhookEndpoints).values({
      id,
      url,
      eventTypes: [type],
      enabled: true,
      primarySecret: sealSecret(dataKey, id, newSecret()),
      createdBy: newId<"user">(systemClock),
      createdAt: tx.now,
      updatedAt: tx.now,
    }),
  );
}

function orgIdOf(text: string): OrgId {
  if (!isId<"organization">(text)) throw new Error(`${text} is no id.`);
  return text;
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stream) return new TextDecoder().decode(chunk);
  throw new Error("The receiver did not start.");
}

try {
  await latency();
  await throughput();
} finally {
  send.close();
  receiver.kill();
}
