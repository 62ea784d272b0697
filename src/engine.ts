/** A running Windsock without HTTP: the data, webhook deliveries and scheduled jobs. */
import program from "../package.json" with { type: "json" };
import type { Config } from "./config.ts";
import { certificateAuthorities } from "./core/certificate-authorities.ts";
import { type Clock, seconds } from "./core/clock.ts";
import type { Finding } from "./core/finding.ts";
import { pauseWhileBusy } from "./core/pause-while-busy.ts";
import type { Spans } from "./core/trace.ts";
import { createDispatcher, type Dispatcher } from "./events/dispatcher.ts";
import { addressPolicy } from "./events/outbound/addresses.ts";
import { createSender } from "./events/outbound/sender.ts";
import type { Log } from "./http/request-log.ts";
import { createMailer, type Mailer } from "./mail/mailer.ts";
import { createReplayRunner, type ReplayRunner } from "./modules/integrations/replays/replay-runner.ts";
import { examineControl } from "./modules/operations/doctor/examine-control.ts";
import { saidOnce } from "./modules/operations/doctor/said-once.ts";
import { examineSurroundings } from "./modules/operations/doctor/surroundings.ts";
import { newestBackupIn } from "./modules/operations/newest-backup.ts";
import { isServerRunning } from "./modules/operations/operator-client.ts";
import { examineModules, followers, intentsOf, jobsWith, moved, nextWake } from "./modules.ts";
import { collectGarbage } from "./runtime/collect-garbage.ts";
import { descriptorLimit } from "./runtime/descriptor-limit.ts";
import { keepsConnections } from "./runtime/quirks.ts";
import { createScheduler, type Scheduler } from "./scheduler/scheduler.ts";
import type { Checker } from "./storage/check/checker.ts";
import { comfortableLimit, tenantLimits } from "./storage/descriptors.ts";
import type { Intents } from "./storage/intents.ts";
import type { MovedData } from "./storage/moved-data.ts";
import { openStorageOn } from "./storage/open-storage.ts";
import type { Storage } from "./storage/storage.ts";

export interface EngineOptions {
  config: Pick<
    Config,
    | "publicUrl"
    | "linkUrl"
    | "dataDir"
    | "secretKey"
    | "smtpUrl"
    | "mailFrom"
    | "webhookAllow"
    | "webhookCa"
    | "eventRetentionDays"
    | "attachmentQuota"
    | "backup"
    | "diskWarning"
    | "host"
    | "signUp"
    | "tls"
    | "tracing"
    | "store"
  >;
  clock: Clock;
  log: Log;
  /** Creates the sender of webhooks. The demo's trusts its receiver. */
  createSender?: typeof createSender | undefined;
  /** Waits between two pieces of background work. Tests do not. */
  pause?: (() => Promise<void>) | undefined;
  /** Checks database files that may be damaged. Without it, they are opened unchecked. */
  checker?: Checker | undefined;
  /** See `StorageOptions`. */
  rebuildsControl?: boolean;
}

export interface Engine {
  storage: Storage;
  clock: Clock;
  intents: Intents;
  scheduler: Scheduler;
  deliveries: Pick<Dispatcher, "stats" | "outcomes" | "organizations">;
  replayRunner: ReplayRunner;
  mailer: Mailer;
  /** Given if the operator has spans exported. */
  spans: Spans | undefined;
  /** The address of the installation. */
  publicUrl: string;
  /** The page of links in mails. */
  linkUrl: string;
  /** The configured directory of backups. */
  backupPlace: string | undefined;
  /** Whether a recipient of backups is configured. */
  encryptsBackups: boolean;
  /** What moves with a school. */
  moved: readonly MovedData[];
  /** Looks whether the server and its data are as they should be. */
  examine(): Promise<Finding[]>;
  /** Aborted when it stops. */
  stopping: AbortSignal;
  /** Starts deliveries and scheduled jobs. Before that, the engine only does what a caller requests. */
  start(): Promise<void>;
  /** Starts no more deliveries and jobs, and waits at most `deadlineMs` for those in progress. */
  stop(deadlineMs: number): Promise<void>;
  /**
   * Calls `stop` if it was not called, then closes the data within a time, by default without a limit.
   *
   * @returns how many schools were not closed in time: the next start recovers them
   */
  close(deadlineMs?: number): Promise<number>;
}

/** Milliseconds that a stop may export spans. The rest are lost. */
const spansTimeAtStop = seconds(2);

/** Time limit of a stop. Container managers kill the process after ten seconds. */
export const stopDeadline = seconds(9);

/** @throws an error with a message for the operator */
export async function openEngine({ config, clock, log, ...options }: EngineOptions): Promise<Engine> {
  let dispatcher: Dispatcher | undefined;
  const limit = await readDescriptorLimit(log);
  // Commands need `nextWake` too: their checkpoints would otherwise delete the stored wake-up times.
  const storage = await openStorageOn(config.store, {
    isInUse: () => isServerRunning(config.dataDir),
    descriptorLimit: limit,
    directory: config.dataDir,
    secret: config.secretKey,
    clock,
    log,
    nextWake: nextWake(clock, config),
    sendsMail: config.smtpUrl !== undefined,
    followers,
    warnBelow: config.diskWarning,
    collectGarbage,
    checker: options.checker,
    rebuildsControl: options.rebuildsControl ?? false,
    onDue: (orgId, changed) => dispatcher?.wake(orgId, changed),
  });
  try {
    const { control, leases, tenants } = storage;
    const tenant = tenants.tenant.bind(tenants);
    const intents = intentsOf(storage, log);
    await intents.recover();
    const spans = await loadSpans(config, log);
    const send = (options.createSender ?? createSender)({
      policy: addressPolicy(config.webhookAllow),
      keepAlive: keepsConnections,
      version: program.version,
      ca: await certificateAuthorities("WINDSOCK_WEBHOOK_CA", config.webhookCa),
    });
    const deliveries = createDispatcher({
      tenant,
      wakeUps: () => tenants.wakeUps(),
      clock,
      send,
      spans,
      log,
      exclusive: !storage.isShared,
    });
    dispatcher = deliveries;

    const stopping = new AbortController();
    let isStarted = false;
    const { tls, dataDir } = config;
    const renewal =
      tls?.kind === "acme"
        ? (await import("./tls/renewal.ts")).createRenewal({
            ...{ tls, dataDir, log, stopping: stopping.signal },
            ca: await certificateAuthorities("WINDSOCK_ACME_CA", tls.ca),
            isServing: () => isStarted,
          })
        : undefined;
    const sweep = async () => {
      const schools = await deliveries.sweep();
      if (isStarted) return { schools };
      // In a command without a server: the process ends after this, so it makes the deliveries itself.
      return { schools, attempts: await deliveries.sendDue() };
    };
    const replayRunner = createReplayRunner({ clock, control, tenant, log });
    const mailer = await createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, log, spans });
    const jobs = jobsWith({
      control,
      tenant,
      tenants,
      clock,
      log,
      intents,
      sweep,
      replayRunner,
      leases,
      settings: config,
      mailer,
      publicUrl: config.publicUrl,
      attachmentQuota: config.attachmentQuota,
      inspection: storage.inspection,
      backups: storage.backups,
      backupSettings: config.backup,
      keys: storage.keys,
      renewal,
      pause: options.pause ?? pauseWhileBusy,
      stopping: stopping.signal,
    });
    const scheduler = createScheduler({ control, leases, clock, log, jobs, spans });

    let stopped: Promise<unknown> | undefined;
    const stop = async (deadlineMs: number) => {
      stopping.abort();
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
      mailer,
      spans,
      publicUrl: config.publicUrl,
      linkUrl: config.linkUrl,
      backupPlace: config.backup.place,
      encryptsBackups: config.backup.recipient !== undefined,
      stopping: stopping.signal,
      moved,
      async examine() {
        const surroundings = { settings: config, clock, descriptorLimit: limit, isServing: isStarted };
        const { inspection } = storage;
        return saidOnce([
          ...(await examineSurroundings(surroundings)),
          ...examineControl(config.dataDir, storage.fault()),
          ...(await examineModules({
            ...{ control, clock, tenants, inspection },
            ...{ backupSettings: config.backup, newestBackup: newestBackupIn(storage.backups, config.backup) },
            dataDirectory: config.store === undefined ? config.dataDir : undefined,
            jobs: scheduler.jobs,
          })),
        ]);
      },
      async start() {
        isStarted = true;
        await deliveries.start();
        scheduler.start();
      },
      stop,
      async close(deadlineMs) {
        await stop(stopDeadline);
        send.close();
        await mailer.close(0);
        // At the same time: a collector that does not answer takes no time from the data.
        const [left] = await Promise.all([
          storage.close(deadlineMs),
          spans?.close(Math.min(spansTimeAtStop, deadlineMs ?? spansTimeAtStop)),
        ]);
        return left;
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** The libraries are loaded only if the operator has spans exported. */
const loadSpans = async ({ tracing }: Pick<Config, "tracing">, log: Log): Promise<Spans | undefined> =>
  tracing && (await import("./tracing/spans.ts")).createSpans(tracing, { version: program.version, log });

/** Reads the limit of open files, and warns if it is low. */
async function readDescriptorLimit(log: Log): Promise<number | undefined> {
  const limit = await descriptorLimit();
  if (limit !== undefined && limit < comfortableLimit) {
    const details = { limit, comfortable: comfortableLimit, open_tenants: tenantLimits(limit).maxOpen };
    log.warn(details, "The limit of open files is low, so fewer schools stay open. Raise it (ulimit -n).");
  }
  return limit;
}
