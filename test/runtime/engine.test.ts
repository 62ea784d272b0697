import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { loadConfig } from "../../src/config.ts";
import { type Engine, type EngineOptions, openEngine } from "../../src/engine.ts";
import { deliveries } from "../../src/events/events.tables.ts";
import { createLog } from "../../src/http/request-log.ts";
import { organizationUpdated } from "../../src/modules/organizations/organization-updated.ts";
import { writeIntent } from "../../src/storage/intents.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { newAuthority } from "../events/certificate.ts";
import { TestClock } from "../support/clock.ts";
import { newInstallation } from "../support/installation.ts";
import { heldSender } from "./held-sender.ts";
import { withDelivery } from "./with-delivery.ts";

let directory: string;
const opened: Engine[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "windsock-engine-"));
});
afterEach(async () => {
  for (const engine of opened.splice(0)) {
    await engine.stop(0);
    await engine.close();
  }
  await rm(directory, { recursive: true, force: true });
});

async function open(options: Partial<EngineOptions> = {}, env: Record<string, string> = {}): Promise<Engine> {
  const config = loadConfig({ WINDSOCK_DATA_DIR: directory, ...env });
  const engine = await openEngine({ config, clock: new TestClock(), log: createLog("silent"), ...options });
  opened.push(engine);
  return engine;
}

test("an engine that opens applies the intents that a crash left", async () => {
  const orgId = await withDelivery(directory);
  const before = await newInstallation({ directory });
  const { clock, storage } = before;
  await storage.control.write((tx) =>
    writeIntent(tx, clock, organizationUpdated, orgId, { name: "Renamed", time_zone: "UTC", requestId: "" }),
  );
  await before.close();

  const { storage: after } = await open();

  expect(await after.tenants.tenant(orgId).read((reader) => reader.select({ name: meta.name }).from(meta))).toEqual([
    { name: "Renamed" },
  ]);
});

test("an engine that closes waits for a delivery in progress, and records its result", async () => {
  const orgId = await withDelivery(directory);
  const sender = heldSender();
  const engine = await open({ createSender: sender.create });
  await engine.start();
  await sender.begun;

  const closed = engine.close();
  sender.answer();
  await closed;
  opened.length = 0;

  const { storage } = await newInstallation({ directory });
  const rows = await storage.tenants.tenant(orgId).read((reader) => reader.select().from(deliveries));
  expect(rows).toMatchObject([{ status: "succeeded", attempts: 1 }]);
});

test("an engine that is closed starts no jobs", async () => {
  const engine = await open();
  await engine.start();
  expect(engine.scheduler.jobs().every(({ nextRunAt }) => nextRunAt !== null)).toBe(true);

  await engine.close();
  opened.length = 0;

  expect(engine.scheduler.jobs().filter(({ nextRunAt }) => nextRunAt !== null)).toEqual([]);
  await expect(engine.scheduler.runNow("intents")).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("an engine that stops waits for jobs and deliveries until the deadline at most", async () => {
  await withDelivery(directory);
  const sender = heldSender();
  const engine = await open({ createSender: sender.create });
  // The engine is not started, so the job waits for the delivery, which gets no response.
  void engine.scheduler.runNow("webhook-outbox");
  await sender.begun;

  const stopped = engine.stop(1);
  await expect(engine.scheduler.runNow("intents")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await stopped;
});

test("webhook-outbox does not wait for deliveries when the engine makes them", async () => {
  await withDelivery(directory);
  const sender = heldSender();
  const engine = await open({ createSender: sender.create });
  await engine.start();
  await sender.begun;

  // Otherwise it would never end: the receiver does not respond.
  await engine.scheduler.runNow("webhook-outbox");

  sender.answer();
});

test("the operator's certificate authorities are trusted besides the public ones", async () => {
  const { ca } = newAuthority();
  const path = join(directory, "ca.pem");
  await writeFile(path, ca);
  const sender = heldSender();

  await open({ createSender: sender.create }, { WINDSOCK_WEBHOOK_CA: path });

  const trusted = sender.made[0]?.ca ?? "";
  expect(trusted).toContain(ca.trim());
  expect(rootCertificates.filter((one) => !trusted.includes(one))).toEqual([]);
});
