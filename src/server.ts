/** One running Windsock: opens the data, serves, and closes so that every `.db` file is whole. */
import { createApp } from "./app.ts";
import type { Config } from "./config.ts";
import { breathe } from "./core/breathe.ts";
import { type Clock, systemClock } from "./core/clock.ts";
import { repeat } from "./core/repeat.ts";
import { type Engine, type EngineOptions, openEngine, stopDeadline } from "./engine.ts";
import { createVetUrl, type VetUrl } from "./events/outbound/vet-url.ts";
import { MAX_BODY_BYTES } from "./http/json-body.ts";
import type { Log } from "./http/request-log.ts";
import { createMailer } from "./mail/mailer.ts";
import { createPasswords } from "./modules/accounts/passwords/passwords.ts";
import { createApiKeyUses } from "./modules/integrations/api-keys/api-key-uses.ts";
import { type OperatorChannel, openOperatorChannel } from "./modules/operations/operator-channel.ts";
import { countOrganizations } from "./modules/organizations/organizations.queries.ts";
import { addressOf, type Serving, serve } from "./runtime/serve.ts";

export interface Server {
  /** Where it can be reached from this machine. */
  url: string;
  /** Whether nobody has signed up yet. */
  isEmpty(): Promise<boolean>;
  /** Lets requests, deliveries, jobs and commands under way finish, all by one deadline, then closes the data. */
  stop(): Promise<void>;
}

export interface ServerOptions extends Pick<EngineOptions, "createSender"> {
  clock?: Clock;
  /** Milliseconds between two rounds of housekeeping. */
  housekeeping?: number;
  /** Milliseconds that all that is under way may take once the server is asked to stop. */
  deadline?: number;
  /** Makes what checks webhook addresses from what usually does; the demo's allows its receiver. */
  vetUrl?: ((usual: VetUrl) => VetUrl) | undefined;
}

/** @throws what keeps it from starting, with a message for the operator */
export async function startServer(config: Config, log: Log, options: ServerOptions = {}): Promise<Server> {
  const { clock = systemClock, createSender } = options;
  return serveEngine(await openEngine({ config, clock, log, createSender }), config, log, options);
}

/** Puts HTTP in front of an engine, which it takes over: it is closed with the server, or when that can't start. */
export async function serveEngine(
  engine: Engine,
  config: Config,
  log: Log,
  { housekeeping: every, deadline = stopDeadline, vetUrl = (usual) => usual }: ServerOptions = {},
): Promise<Server> {
  const { storage, clock, intents, scheduler, deliveries, replayRunner } = engine;
  let serving: Serving | undefined;
  try {
    const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, log });
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
      apiKeyUses,
      replayRunner,
      vetUrl: vetUrl(createVetUrl({ allow: config.webhookAllow })),
      addressOf,
      deliveries,
    });
    // Far above our own limit: whoever is over ours gets our 413, which says more than the runtime's bare one.
    const listening = await serve({
      host: config.host,
      port: config.port,
      fetch: app.fetch,
      maxBody: 64 * MAX_BODY_BYTES,
    });
    serving = listening;
    await engine.start();
    const channel = await listenToOperator(config, log, engine);
    const keep = async () => {
      await apiKeyUses.write();
      await replayRunner.advanceAll();
      await storage.checkpointIdle();
    };
    const housekeeping = repeat(keep, { log, ...(every !== undefined && { every }) });
    return {
      url: listening.url,
      isEmpty: async () => (await storage.control.read(countOrganizations)) === 0,
      async stop() {
        const end = performance.now() + deadline;
        try {
          // What the last requests make due is delivered after the next start.
          await Promise.all([listening.stop(deadline), engine.stop(deadline), channel?.close(deadline)]);
          // The last answers' log lines are written a turn after the answers.
          await breathe();
          // Last: what was under way may have had something to mail.
          await mailer.close(Math.max(0, end - performance.now()));
        } finally {
          await housekeeping.stop();
          await apiKeyUses.write({ all: true });
          await engine.close();
        }
      },
    };
  } catch (error) {
    await serving?.stop(0);
    await engine.close();
    throw error;
  }
}

/** Without its channel a server still serves; the command line then has to wait until it stops. */
async function listenToOperator(
  { dataDir }: Config,
  log: Log,
  { storage, clock, scheduler, linkUrl }: Engine,
): Promise<OperatorChannel | undefined> {
  const onError = (err: unknown) => log.error({ err }, "A command failed.");
  try {
    return await openOperatorChannel({ directory: dataDir, onError, storage, clock, scheduler, linkUrl });
  } catch (err) {
    log.warn({ err }, "The command line can't reach this server.");
    return undefined;
  }
}
