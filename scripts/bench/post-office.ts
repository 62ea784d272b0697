/** What the benchmarks of webhooks share: schools in files of their own, a receiver in a process of its own, tables. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { type EndpointId, newId, type OrgId } from "../../src/core/ids.ts";
import { createDispatcher, type Dispatcher } from "../../src/events/dispatcher.ts";
import { emit } from "../../src/events/emit.ts";
import { webhookEndpoints } from "../../src/events/events.tables.ts";
import { createSender, type Send } from "../../src/events/outbound/sender.ts";
import { newSecret, sealSecret } from "../../src/events/signing-secrets.ts";
import { webhookTest } from "../../src/events/webhook-test.ts";
import { openStorage } from "../../src/storage/storage.ts";
import type { Tenant } from "../../src/storage/store.ts";
import { newAuthority } from "../../test/events/certificate.ts";

/** Milliseconds since 1970, alike in every process. */
export const now = (): number => performance.timeOrigin + performance.now();

/** Starts a receiver. @returns where it is, and a sender that reaches it */
export async function startReceiver() {
  const authority = newAuthority();
  const { key, cert } = authority.issue("receiver.test", "127.0.0.1");
  const receiver = Bun.spawn([process.execPath, join(import.meta.dir, "webhook-receiver.ts")], {
    env: { ...process.env, RECEIVER_KEY: key, RECEIVER_CERT: cert },
  });
  const port = (await firstLine(receiver.stdout)).trim();
  /** @param keepsAnswers whether the answers' headers and bodies are kept, as of public addresses */
  const sender = ({ keepsAnswers }: { keepsAnswers: boolean }) =>
    createSender({
      policy: () => (keepsAnswers ? "public" : "allowed"),
      keepAlive: true,
      version: "bench",
      ca: authority.ca,
      resolve: async () => ["127.0.0.1"],
      idleConnections: { perHost: 64 },
    });
  return { url: `https://receiver.test:${port}`, ca: authority.ca, sender, close: () => receiver.kill() };
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stream) return new TextDecoder().decode(chunk);
  throw new Error("The receiver did not start.");
}

/** A data directory with schools in it, in which nothing but deliveries happens. */
export async function openOffice() {
  const directory = await mkdtemp(join(tmpdir(), "windsock-bench-"));
  const log = { warn: () => undefined, error: console.error };
  let dispatcher: Dispatcher | undefined;
  const storage = await openStorage({
    directory,
    clock: systemClock,
    log,
    onDue: (id, changed) => dispatcher?.wake(id, changed),
  });
  const { tenants, control } = storage;
  return {
    /** @param send what sends; it may note what it likes */
    dispatcher(send: Send): Dispatcher {
      const tenant = (id: OrgId) => tenants.tenant(id);
      dispatcher = createDispatcher({ tenant, wakeUps: () => tenants.wakeUps(), clock: systemClock, send, log });
      return dispatcher;
    },
    async newSchool(): Promise<Tenant> {
      const id = newId<"organization">(systemClock);
      await tenants.create(id, { name: "School", time_zone: "UTC" });
      await control.write((tx) => tenants.markOwned(tx, id));
      return tenants.tenant(id);
    },
    async close() {
      await storage.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function addEndpoint(tenant: Tenant, url: string, type = "webhook.test"): Promise<EndpointId> {
  const dataKey = await tenant.dataKey();
  const id = newId<"webhook_endpoint">(systemClock);
  await tenant.write((tx) =>
    tx.insert(webhookEndpoints).values({
      id,
      url,
      event_types: [type],
      enabled: true,
      primary_secret: sealSecret(dataKey, id, newSecret()),
      created_by: newId<"user">(systemClock),
      created_at: tx.now,
      updated_at: tx.now,
    }),
  );
  return id;
}

/** Data that makes a body of about 1 KiB. */
export const kibibyte = { endpoint_id: newId<"webhook_endpoint">(systemClock), message: "x".repeat(870) };

/** So many events of 1 KiB, committed, each with a delivery to every endpoint of the school. */
export async function addBacklog(tenant: Tenant, events: number): Promise<void> {
  for (let left = events; left > 0; left -= 250)
    await tenant.write(async (tx) => {
      for (let count = Math.min(250, left); count > 0; count--) await emit(tx, webhookTest, kibibyte);
    });
}

/** @param share 0.5 for the median */
export const quantile = (figures: readonly number[], share: number): number => {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

/** Prints a table as Markdown has them. */
export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  console.log(lines.join("\n"));
}
