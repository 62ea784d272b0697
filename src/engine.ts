/** All of a running Windsock but HTTP: the data, and what happens to it without anybody asking. */
import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import program from "../package.json" with { type: "json" };
import type { Config } from "./config.ts";
import { type Clock, seconds } from "./core/clock.ts";
import { createDispatcher, type Dispatcher } from "./events/dispatcher.ts";
import { addressPolicy } from "./events/outbound/addresses.ts";
import { createSender } from "./events/outbound/sender.ts";
import type { Log } from "./http/request-log.ts";
import type { Demo } from "./modules/demo/demo.ts";
import { intentsOf } from "./modules/intents.ts";
import { jobsOf } from "./modules/jobs.ts";
import { nextWake } from "./modules/next-wake.ts";
import { keepsConnections } from "./runtime/quirks.ts";
import { createScheduler, type Scheduler } from "./scheduler/scheduler.ts";
import type { Intents } from "./storage/intents.ts";
import { openStorage, type Storage } from "./storage/storage.ts";

export interface EngineOptions {
  config: Pick<Config, "dataDir" | "secretKey" | "webhookAllow" | "webhookCa">;
  clock: Clock;
  log: Log;
  demo?: Demo | undefined;
}

export interface Engine {
  storage: Storage;
  clock: Clock;
  intents: Intents;
  scheduler: Scheduler;
  /** CIDR ranges that webhooks may go to beside public addresses. */
  webhookAllow: readonly string[];
  /** Delivers webhooks and runs jobs from now on. Until then only what somebody asks for is done. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** How long deliveries and jobs under way may take once the engine is to be closed. */
const deadline = seconds(10);

/** @throws what keeps it from opening, with a message for the operator */
export async function openEngine({ config, clock, log, demo }: EngineOptions): Promise<Engine> {
  let dispatcher: Dispatcher | undefined;
  // Whoever opens a data directory, if only for a command, keeps for each school when it is due: without `nextWake`
  // a checkpoint would forget it.
  const storage = await openStorage({
    directory: config.dataDir,
    secret: config.secretKey,
    clock,
    log,
    nextWake: nextWake(clock),
    onDue: (orgId) => dispatcher?.wake(orgId),
  });
  try {
    const { control, tenants } = storage;
    const intents = intentsOf(storage, log);
    await intents.recover();
    const webhookAllow = [...config.webhookAllow, ...(demo?.allow ?? [])];
    const sender = {
      policy: addressPolicy(webhookAllow),
      keepAlive: keepsConnections,
      version: program.version,
      ca: await authorities(config.webhookCa),
    };
    const send = demo ? demo.createSender(sender) : createSender(sender);
    const deliveries = createDispatcher({
      tenant: tenants.tenant.bind(tenants),
      wakeUps: () => tenants.wakeUps(),
      clock,
      send,
      log,
      alone: true,
    });
    dispatcher = deliveries;

    let isStarted = false;
    const sweep = async () => {
      const found = await deliveries.sweep();
      // For a command without a server: nobody else makes these deliveries, and the process ends after this.
      if (!isStarted) await deliveries.settle();
      return found;
    };
    const jobs = jobsOf({ storage, clock, log, intents, sweep });
    const scheduler = createScheduler({ control, clock, log, jobs });
    return {
      storage,
      clock,
      intents,
      scheduler,
      webhookAllow,
      async start() {
        isStarted = true;
        await deliveries.start();
        scheduler.start();
      },
      async close() {
        await scheduler.stop(deadline);
        await deliveries.stop(deadline);
        send.close();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** The public certificate authorities and the operator's own; undefined, which means the public ones, without any. */
async function authorities(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const own = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new Error(`WINDSOCK_WEBHOOK_CA can't be read: ${path}`, { cause });
  });
  return [...rootCertificates, own].join("\n");
}
