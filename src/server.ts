/** One running Windsock: opens the data, serves, and closes so that every `.db` file is whole. */
import { createApp } from "./app.ts";
import type { Config } from "./config.ts";
import { seconds, systemClock } from "./core/clock.ts";
import { type Engine, openEngine } from "./engine.ts";
import { createVetUrl } from "./events/outbound/vet-url.ts";
import { MAX_BODY_BYTES } from "./http/json-body.ts";
import type { Log } from "./http/request-log.ts";
import { createPasswords } from "./modules/accounts/passwords.ts";
import type { Demo } from "./modules/demo/demo.ts";
import { type OperatorChannel, openOperatorChannel } from "./modules/operations/operator-channel.ts";
import { countOrganizations } from "./modules/organizations/organizations.queries.ts";
import { addressOf, serve } from "./runtime/serve.ts";

export interface Server {
  url: string;
  /** Whether nobody has signed up yet. */
  isEmpty(): Promise<boolean>;
  /** Lets requests in flight finish, for 10 seconds at most, then closes the data. */
  stop(): Promise<void>;
}

/** How long requests in flight may take once the server is asked to stop. */
const stopDeadline = seconds(10);

/** @throws what keeps it from starting, with a message for the operator */
export async function startServer(config: Config, log: Log, demo?: Demo): Promise<Server> {
  const engine = await openEngine({ config, clock: systemClock, log, demo });
  const { storage, clock, intents, scheduler, webhookAllow } = engine;
  try {
    const app = createApp({
      config,
      clock,
      log,
      storage,
      intents,
      scheduler,
      passwords: createPasswords(),
      vetUrl: createVetUrl({ allow: webhookAllow }),
      addressOf,
    });
    // Far above our own limit: whoever is over ours gets our 413, which says more than the runtime's bare one.
    const serving = await serve({
      host: config.host,
      port: config.port,
      fetch: app.fetch,
      maxBody: 64 * MAX_BODY_BYTES,
    });
    await engine.start();
    const channel = await listenToOperator(config, log, engine);
    const housekeeping = everySecond(() => storage.checkpointIdle(), log);
    return {
      url: serving.url,
      isEmpty: async () => (await storage.control.read(countOrganizations)) === 0,
      async stop() {
        await serving.stop(stopDeadline);
        // The last answers' log lines are written a turn after the answers.
        await new Promise((resolve) => setImmediate(resolve));
        await channel?.close();
        await housekeeping.stop();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Without its channel a server still serves; the command line then has to wait until it stops. */
async function listenToOperator(
  { dataDir }: Config,
  log: Log,
  { storage, clock, scheduler }: Engine,
): Promise<OperatorChannel | undefined> {
  const onError = (err: unknown) => log.error({ err }, "A command failed.");
  try {
    return await openOperatorChannel({ directory: dataDir, onError, storage, clock, scheduler });
  } catch (err) {
    log.warn({ err }, "The command line can't reach this server.");
    return undefined;
  }
}

/** Runs `work` every second, one run at a time. */
function everySecond(work: () => Promise<void>, log: Log): { stop(): Promise<void> } {
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(work).catch((err) => log.error({ err }, "Housekeeping failed; it is tried again."));
  }, seconds(1));
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
