/** All of a running Windsock but HTTP: the data, and what happens to it without anybody asking. */
import program from "../package.json" with { type: "json" };
import type { Config } from "./config.ts";
import { type Clock, seconds } from "./core/clock.ts";
import { createDispatcher, type Dispatcher } from "./events/dispatcher.ts";
import { addressPolicy } from "./events/outbound/addresses.ts";
import { webhookAuthorities } from "./events/outbound/certificate-authorities.ts";
import { createSender } from "./events/outbound/sender.ts";
import type { Log } from "./http/request-log.ts";
import { createReplayRunner, type ReplayRunner } from "./modules/integrations/replays/replay-runner.ts";
import { intentsOf, jobsWith, nextWake } from "./modules.ts";
import { collectGarbage } from "./runtime/collect-garbage.ts";
import { keepsConnections } from "./runtime/quirks.ts";
import { createScheduler, type Scheduler } from "./scheduler/scheduler.ts";
import type { Intents } from "./storage/intents.ts";
import { openStorage, type Storage } from "./storage/storage.ts";

export interface EngineOptions {
  config: Pick<Config, "linkUrl" | "dataDir" | "secretKey" | "webhookAllow" | "webhookCa" | "eventRetentionDays">;
  clock: Clock;
  log: Log;
  /** Makes what sends webhooks; the demo has one that trusts its receiver. */
  createSender?: typeof createSender | undefined;
}

export interface Engine {
  storage: Storage;
  clock: Clock;
  intents: Intents;
  scheduler: Scheduler;
  deliveries: Pick<Dispatcher, "stats" | "outcomes" | "known">;
  replayRunner: ReplayRunner;
  /** The page that links lead to. */
  linkUrl: string;
  /** Delivers webhooks and runs jobs from now on. Until then only what somebody asks for is done. */
  start(): Promise<void>;
  /** Begins no delivery and no job any more; waits for those under way, for `deadlineMs` at most. */
  stop(deadlineMs: number): Promise<void>;
  /** Closes the data, after `stop` if nobody has called it. */
  close(): Promise<void>;
}

/**
 * How long all that is under way may take together once it is asked to stop. Container managers kill after ten seconds,
 * and the data is to be closed by then.
 */
export const stopDeadline = seconds(8);

/** @throws what keeps it from opening, with a message for the operator */
export async function openEngine({ config, clock, log, ...options }: EngineOptions): Promise<Engine> {
  let dispatcher: Dispatcher | undefined;
  // Whoever opens a data directory, if only for a command, keeps for each school when it is due: without `nextWake`
  // a checkpoint would forget it.
  const storage = await openStorage({
    directory: config.dataDir,
    secret: config.secretKey,
    clock,
    log,
    nextWake: nextWake(clock, config),
    collectGarbage,
    onDue: (orgId, changed) => dispatcher?.wake(orgId, changed),
  });
  try {
    const { control, tenants } = storage;
    const tenant = tenants.tenant.bind(tenants);
    const intents = intentsOf(storage, log);
    await intents.recover();
    const send = (options.createSender ?? createSender)({
      policy: addressPolicy(config.webhookAllow),
      keepAlive: keepsConnections,
      version: program.version,
      ca: await webhookAuthorities(config.webhookCa),
    });
    const deliveries = createDispatcher({
      tenant,
      wakeUps: () => tenants.wakeUps(),
      clock,
      send,
      log,
      alone: true,
    });
    dispatcher = deliveries;

    let isStarted = false;
    const sweep = async () => {
      const schools = await deliveries.sweep();
      if (isStarted) return { schools };
      // For a command without a server: nobody else makes these deliveries, and the process ends after this.
      return { schools, attempts: await deliveries.settle() };
    };
    const replayRunner = createReplayRunner({ clock, control, tenant, log });
    const jobs = jobsWith({ control, tenant, clock, log, intents, sweep, replayRunner, settings: config });
    const scheduler = createScheduler({ control, clock, log, jobs });

    let stopped: Promise<unknown> | undefined;
    const stop = async (deadlineMs: number) => {
      stopped ??= Promise.all([scheduler.stop(deadlineMs), deliveries.stop(deadlineMs)]);
      await stopped;
    };
    return {
      storage,
      clock,
      intents,
      scheduler,
      deliveries,
      replayRunner,
      linkUrl: config.linkUrl,
      async start() {
        isStarted = true;
        await deliveries.start();
        scheduler.start();
      },
      stop,
      async close() {
        await stop(stopDeadline);
        send.close();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}
