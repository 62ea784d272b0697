/** One running Windsock: opens the data, serves HTTP, and at the stop leaves every `.db` file complete. */
import { type AppDeps, createApp } from "./app.ts";
import type { Config } from "./config.ts";
import { atMost, countdown, repeat, timer, yieldToEventLoop } from "./core/async.ts";
import { createBackground } from "./core/background.ts";
import { type Clock, seconds, systemClock } from "./core/clock.ts";
import type { OrgId } from "./core/ids.ts";
import { type Engine, type EngineOptions, openEngine, stopDeadline } from "./engine.ts";
import { createVetUrl, type VetUrl } from "./events/outbound/vet-url.ts";
import type { Log } from "./http/request-log.ts";
import { listenAsConfigured } from "./listen-as-configured.ts";
import { createPasswords } from "./modules/accounts/passwords/passwords.ts";
import { createEInvoices } from "./modules/finance/documents/e-invoice.ts";
import { createApiKeyUses } from "./modules/integrations/api-keys/api-key-uses.ts";
import { type OperatorChannel, openOperatorChannel } from "./modules/operations/operator-channel.ts";
import { countOrganizations } from "./modules/organizations/organizations.queries.ts";
import { createConsole } from "./runtime/console.ts";
import type { ServeOptions } from "./runtime/listener.ts";
import { eInvoiceArgument, ownProgram } from "./runtime/own-program.ts";
import { addressOf, keepOpen, type Serving } from "./runtime/serve.ts";
import { openStandby } from "./standby.ts";
import { warmUp } from "./warm-up.ts";

export interface Server {
  /** The URL of the server on this machine. */
  url: string;
  /** Returns whether no organization has signed up yet. */
  isEmpty(): Promise<boolean>;
  /** Begins what the first request would otherwise wait for. */
  warmUp(): void;
  /** Runs a job now, as the operator may, unless it is running. */
  runJob(name: string): Promise<void>;
  /**
   * Waits for requests, deliveries, jobs and commands in progress, then closes the data, all within the deadline.
   *
   * @returns how many schools were not closed in time: the next start recovers them
   */
  stop(deadlineMs?: number): Promise<number>;
}

export interface ServerOptions extends Pick<EngineOptions, "createSender" | "checker"> {
  clock?: Clock;
  /** Milliseconds between two rounds of housekeeping. */
  housekeeping?: number;
  /** Milliseconds between two signs of life of a stream of changes. */
  heartbeat?: number | undefined;
  /** Milliseconds that a stop may take. */
  deadline?: number;
  /** Wraps the check of webhook addresses. The demo's also allows its receiver. */
  vetUrl?: ((usual: VetUrl) => VetUrl) | undefined;
  /** Passes requests to the application. By default it listens as configured; a standby listens already. */
  listen?: (fetch: ServeOptions["fetch"]) => Promise<Serving>;
}

/** Milliseconds that a round of housekeeping may write uses of API keys, each of which opens a school's file. */
const usesTime = 200;

/** Milliseconds that a stop may write them. They can be lost. */
const usesTimeAtStop = seconds(1);

/** The share of a stop's time that work in progress may take. The rest is for closing the data. */
const shareOfWork = 2 / 3;

/** Bytes of a body: far above the application's own limit, whose 413 has a message; the runtime's has none. */
export const maxBody = 64 * 1024 * 1024;

/** @throws an error with a message for the operator */
export async function startServer(config: Config, log: Log, options: ServerOptions = {}): Promise<Server> {
  return serveEngine(await openEngine(engineOptions(config, log, options)), config, log, options);
}

const engineOptions = (config: Config, log: Log, options: ServerOptions): EngineOptions => {
  const { clock = systemClock, createSender, checker } = options;
  return { config, clock, log, createSender, checker };
};

/**
 * As `startServer`, but first waits until no other process uses the data directory.
 *
 * @param stopping ends the wait
 * @returns undefined if it was stopped while it waited
 */
export async function startWhenFree(
  config: Config,
  log: Log,
  { stopping, ...options }: ServerOptions & { stopping: AbortSignal },
): Promise<Server | undefined> {
  const engine = engineOptions(config, log, options);
  const standby = await openStandby({ config, clock: engine.clock, log, maxBody });
  try {
    const opened = await standby.openWhenFree(() => openEngine(engine), stopping);
    if (opened)
      return await serveEngine(opened, config, log, { ...options, listen: async (fetch) => standby.takeOver(fetch) });
  } catch (error) {
    await standby.close();
    throw error;
  }
  await standby.close();
  return undefined;
}

/** Serves an engine over HTTP. Owns the engine: closes it at the stop, and when the start fails. */
export async function serveEngine(
  engine: Engine,
  config: Config,
  log: Log,
  {
    housekeeping: every,
    deadline = stopDeadline,
    heartbeat,
    vetUrl = (usual) => usual,
    listen = (fetch) => listenAsConfigured({ config, log, fetch, maxBody }),
  }: ServerOptions = {},
): Promise<Server> {
  const { storage, clock, intents, scheduler, deliveries, replayRunner, mailer, spans } = engine;
  let serving: Serving | undefined;
  try {
    const background = createBackground(log, engine.stopping);
    const eInvoices = createEInvoices(ownProgram(eInvoiceArgument));
    const apiKeyUses = createApiKeyUses({ clock, tenant: storage.tenants.tenant.bind(storage.tenants), log });
    const app = createApp({
      config,
      clock,
      log,
      storage,
      intents,
      scheduler,
      passwords: createPasswords({ log }),
      mailer,
      background,
      apiKeyUses,
      replayRunner,
      vetUrl: vetUrl(createVetUrl({ allow: config.webhookAllow })),
      eInvoices,
      keepOpen,
      stopping: engine.stopping,
      heartbeat,
      addressOf,
      deliveries,
      spans,
      createMetrics: await loadMetrics(config),
      examine: engine.examine,
      console: createConsole({ development: config.env === "development" }),
    });
    const listening = await listen(app.fetch);
    serving = listening;
    await engine.start();
    const channel = await listenToOperator(config, log, engine);
    const doHousekeeping = async () => {
      await apiKeyUses.write({ hasTime: timer(usesTime) });
      await replayRunner.advanceAll();
      await storage.checkpointIdle();
      await channel?.renew();
    };
    const housekeeping = repeat(doHousekeeping, { log, ...(every !== undefined && { every }) });
    return {
      url: listening.url,
      async runJob(name) {
        const isRunning = scheduler.jobs().some((job) => job.name === name && job.runningSince !== null);
        if (!isRunning) await scheduler.runNow(name);
      },
      warmUp() {
        // Whoever uses what failed in it is told.
        background.run(() => warmUp({ storage, clock, publicUrl: config.publicUrl }).catch(() => undefined));
      },
      isEmpty: async () => (await storage.control.read(countOrganizations)) === 0,
      async stop(deadlineMs = deadline) {
        const remaining = countdown(deadlineMs);
        const forWork = countdown(deadlineMs * shareOfWork);
        let left = 0;
        try {
          // Deliveries that the last requests make due wait for the next start.
          await Promise.all([listening.stop(forWork()), engine.stop(forWork()), channel?.close(forWork())]);
          // The log lines of the last responses are written one turn of the event loop later.
          await yieldToEventLoop();
          await atMost(forWork(), background.ended());
          eInvoices.close();
          // After all other work, which may send mail.
          await mailer.close(forWork());
        } finally {
          await atMost(forWork(), housekeeping.stop());
          const usesTime = Math.min(usesTimeAtStop, forWork());
          const isDue = (orgId: OrgId) => storage.tenants.isOpen(orgId);
          await atMost(usesTime, apiKeyUses.write({ isDue, hasTime: timer(usesTime) }));
          left = await engine.close(remaining());
        }
        return left;
      },
    };
  } catch (error) {
    await serving?.stop(0);
    await engine.close();
    throw error;
  }
}

/** The library is loaded only if the operator enabled metrics. */
export const loadMetrics = async ({ metrics }: Pick<Config, "metrics">): Promise<AppDeps["createMetrics"]> =>
  metrics ? (await import("./modules/operations/metrics.ts")).createMetrics : undefined;

/** Opens the channel for commands. If that fails the server still serves, but commands can't run until it stops. */
async function listenToOperator({ dataDir }: Config, log: Log, engine: Engine): Promise<OperatorChannel | undefined> {
  const onError = (err: unknown) => log.error({ err }, "A command failed.");
  try {
    return await openOperatorChannel({ directory: dataDir, onError, ...engine });
  } catch (err) {
    log.warn({ err }, "The command line can't reach this server.");
    return undefined;
  }
}
