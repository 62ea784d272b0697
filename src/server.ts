/** One running Windsock: opens the data, serves, and closes so that every `.db` file is whole. */
import program from "../package.json" with { type: "json" };
import { createApp } from "./app.ts";
import type { Config } from "./config.ts";
import { type Clock, seconds, systemClock } from "./core/clock.ts";
import { createDispatcher, type Dispatcher } from "./events/dispatcher.ts";
import { addressPolicy } from "./events/outbound/addresses.ts";
import { createSender } from "./events/outbound/sender.ts";
import { createVetUrl } from "./events/outbound/vet-url.ts";
import { MAX_BODY_BYTES } from "./http/json-body.ts";
import type { Log } from "./http/request-log.ts";
import { createPasswords } from "./modules/accounts/passwords.ts";
import type { Demo } from "./modules/demo/demo.ts";
import { intentsOf } from "./modules/intents.ts";
import { jobsOf } from "./modules/jobs.ts";
import { nextWake } from "./modules/next-wake.ts";
import { type OperatorChannel, openOperatorChannel } from "./modules/operations/operator-channel.ts";
import { countOrganizations } from "./modules/organizations/organizations.queries.ts";
import { keepsConnections } from "./runtime/quirks.ts";
import { addressOf, serve } from "./runtime/serve.ts";
import { createScheduler } from "./scheduler/scheduler.ts";
import { openStorage, type Storage } from "./storage/storage.ts";

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
  const clock = systemClock;
  let dispatcher: Dispatcher | undefined;
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
    const allow = [...config.webhookAllow, ...(demo?.allow ?? [])];
    const sender = { policy: addressPolicy(allow), keepAlive: keepsConnections, version: program.version };
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
    const jobs = jobsOf({ storage, clock, log, intents, sweep: () => deliveries.sweep() });
    const scheduler = createScheduler({ control, clock, log, jobs });
    const app = createApp({
      config,
      clock,
      log,
      storage,
      intents,
      scheduler,
      passwords: createPasswords(),
      vetUrl: createVetUrl({ allow }),
      addressOf,
    });
    // Far above our own limit: whoever is over ours gets our 413, which says more than the runtime's bare one.
    const serving = await serve({
      host: config.host,
      port: config.port,
      fetch: app.fetch,
      maxBody: 64 * MAX_BODY_BYTES,
    });
    await deliveries.start();
    scheduler.start();
    const channel = await listenToOperator(config, log, { storage, clock });
    const housekeeping = everySecond(() => storage.checkpointIdle(), log);
    return {
      url: serving.url,
      isEmpty: async () => (await storage.control.read(countOrganizations)) === 0,
      async stop() {
        await serving.stop(stopDeadline);
        // The last answers' log lines are written a turn after the answers.
        await new Promise((resolve) => setImmediate(resolve));
        await scheduler.stop(stopDeadline);
        await deliveries.stop(stopDeadline);
        send.close();
        await channel?.close();
        await housekeeping.stop();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Without its channel a server still serves; the command line then has to wait until it stops. */
async function listenToOperator(
  { dataDir }: Config,
  log: Log,
  deps: { storage: Storage; clock: Clock },
): Promise<OperatorChannel | undefined> {
  const onError = (err: unknown) => log.error({ err }, "A command failed.");
  try {
    return await openOperatorChannel({ directory: dataDir, onError, ...deps });
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
