import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, type AppDeps, createApp } from "../../src/app.ts";
import { type Config, loadConfig } from "../../src/config.ts";
import { createBackground } from "../../src/core/background.ts";
import type { Clock } from "../../src/core/clock.ts";
import { currentTrace } from "../../src/core/current-trace.ts";
import type { EndpointId, OrgId } from "../../src/core/ids.ts";
import { newId } from "../../src/core/ids.ts";
import { once } from "../../src/core/once.ts";
import type { Trace } from "../../src/core/trace.ts";
import { createVetUrl } from "../../src/events/outbound/vet-url.ts";
import { createLog } from "../../src/http/request-log.ts";
import type { Mail, Mailer } from "../../src/mail/mailer.ts";
import type { PasswordCost } from "../../src/modules/accounts/passwords/password-hash.ts";
import { createPasswords, type Passwords } from "../../src/modules/accounts/passwords/passwords.ts";
import { createEInvoices, type EInvoices, type MakeEInvoice } from "../../src/modules/finance/documents/e-invoice.ts";
import { type ApiKeyUses, createApiKeyUses } from "../../src/modules/integrations/api-keys/api-key-uses.ts";
import { createReplayRunner, type ReplayRunner } from "../../src/modules/integrations/replays/replay-runner.ts";
import { newestBackupIn } from "../../src/modules/operations/newest-backup.ts";
import { examineModules, followers, intentsOf, jobsWith, nextWake } from "../../src/modules.ts";
import { createConsole } from "../../src/runtime/console.ts";
import { eInvoiceArgument } from "../../src/runtime/own-program.ts";
import { createScheduler, type Scheduler } from "../../src/scheduler/scheduler.ts";
import { loadMetrics } from "../../src/server.ts";
import type { Checker } from "../../src/storage/check/checker.ts";
import type { Intents } from "../../src/storage/intents.ts";
import { openStorageOn } from "../../src/storage/open-storage.ts";
import type { Traffic } from "../../src/storage/server/hrana.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import { TestClock } from "./clock.ts";
import { sharedDocumentOf } from "./document.ts";
import { areOnServer, putOnServer } from "./on-server.ts";
import { newReach } from "./reach.ts";
import { thisProgram } from "./this-program.ts";

/** A response, with its body read. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape, and the document checks them
  body: any;
}

export interface Call {
  /** An access token, or an API key, for `Authorization: Bearer`. */
  token?: string;
  /** For `X-Org-Id`. */
  org?: string;
  /** Sent as JSON, unless it is text, bytes, a stream, or a blob with its media type. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The peer's address. */
  from?: string;
}

interface Options {
  clock?: TestClock;
  env?: Record<string, string>;
  /** An existing data directory, which is not removed. */
  directory?: string;
  /** What is in a new data directory. By default an installation without a school. */
  files?: Files;
  trace?: (step: string) => void;
  /** Called when a tenant has due work. By default nothing is delivered. */
  onDue?: (orgId: OrgId, changed?: EndpointId) => void;
  maxOpen?: number;
  /** Counts the trips to a libSQL server. */
  traffic?: Traffic;
  /** Collects the statements of closed files, which keep them open. By default they are collected some time. */
  collectGarbage?: () => void;
  /** The deliveries in progress; by default none. */
  deliveries?: AppDeps["deliveries"];
  /** Whether a mail server is configured. By default it is, and `mails` has the mails. */
  mail?: boolean;
  /** Whether the mail server takes a mail. By default it takes all. */
  takesMail?: (mail: Mail, cause: Trace | undefined) => boolean;
  /** Called before each piece of background work. */
  pause?: () => void;
  /** What is found wrong. By default what the modules find. */
  examine?: AppDeps["examine"];
  /** The cost of password hashes. */
  passwordCost?: PasswordCost;
  /** Wraps the hashing of passwords. */
  watchPasswords?: (passwords: Passwords) => Passwords;
  /** Aborted when the server stops. */
  stopping?: AbortSignal;
  /** Milliseconds between two signs of life of a stream. */
  heartbeat?: number;
  /** For several tests: the file closes it in `afterAll`. */
  shared?: boolean;
  /** Reads files; by default files are opened unchecked. */
  checker?: Checker;
  /** Whether responses are checked against the OpenAPI document. By default they are. */
  checked?: boolean;
}

/**
 * The part of a shared installation that tests may use. Its clock can't be moved, and its mails, log lines and job runs can't
 * be attributed to a test. A test that needs these creates a `newInstallation`.
 */
export interface SharedInstallation {
  readonly clock: Clock;
  readonly config: Config;
  /** Rows of the control database can't be attributed to a test. */
  readonly storage: Pick<Storage, "tenants">;
  readonly app: App;
  /** Sends a request through the application and checks the response against the document. */
  call(method: string, path: string, call?: Call): Promise<Answer>;
}

export interface Installation extends SharedInstallation {
  readonly clock: TestClock;
  readonly storage: Storage;
  directory: string;
  intents: Intents;
  mailer: Mailer;
  /** Not started: jobs run when a test runs them. */
  scheduler: Scheduler;
  /** Written when a test calls `write`. */
  apiKeyUses: ApiKeyUses;
  /** Advances when a test calls `advance`. */
  replayRunner: ReplayRunner;
  /** The mails sent. */
  mails: Mail[];
  /** The log lines. */
  logged: string[];
  close(): Promise<void>;
}

const open = new Set<Installation>();
const shared = new Set<Installation>();

type Check = (method: string, url: string, response: Response, text: string) => Promise<void>;

/** One document for all installations: their routes are the same. `scripts/mutate.ts` makes it once for all its processes. */
let check: Check | undefined;
async function checkAgainst(app: App): Promise<Check> {
  const { documentCheck } = await import("./document-check.ts");
  const file = process.env.WINDSOCK_DOCUMENT;
  check ??= documentCheck(file ? JSON.parse(await readFile(file, "utf8")) : sharedDocumentOf(app));
  return check;
}

const unchecked: Check = async () => undefined;

/** Names under example.com have a public address; other names have none. */
const lookUp = async (name: string): Promise<string[]> => (name.endsWith(".example.com") ? ["93.184.215.14"] : []);

/** Argon2id at its lowest cost: tests check passwords, not the time to guess them. */
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 };

const nothingDelivered: AppDeps["deliveries"] = {
  stats: () => ({ inFlight: 0, slow: 0, waiting: 0, active: 0, scheduled: 0 }),
  outcomes: () => new Map(),
  organizations: () => [],
};

/** One for all installations: it is bundled when a test asks for the page. */
const bundledConsole = once(createConsole({ development: true }));

/** In a process of this runtime, as in the server. */
export const eInvoices = createEInvoices(thisProgram(eInvoiceArgument));

/** Makes one e-invoice, when it is the organization's turn. */
export const makerOf =
  (made: EInvoices): MakeEInvoice =>
  (invoice, format) =>
    made.inTurn({ orgId: newId<"organization">(new TestClock()) }, (make) => make(invoice, format));

export const eInvoice = makerOf(eInvoices);

const newDirectory = () => mkdtemp(join(tmpdir(), "windsock-"));

/** The files of a data directory, by name. */
export type Files = ReadonlyMap<string, Buffer>;

/** Fills a data directory, and removes it. @param fill leaves complete files @returns the files, and what `fill` returns */
export async function filesMadeBy<Made>(
  fill: (directory: string) => Promise<Made>,
): Promise<{ files: Files; made: Made }> {
  const directory = await newDirectory();
  const made = await fill(directory);
  const names = (await readdir(directory)).filter((name) => !/-(wal|shm)$/.test(name));
  const files = await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name))] as const));
  await rm(directory, { recursive: true });
  return { files: new Map(files), made };
}

/** Copying them takes a tenth of the time of the migrations. */
const emptyFiles = once(() =>
  filesMadeBy(async (directory) => {
    const log = { warn: () => undefined, error: () => undefined };
    const storage = await openStorage({ directory, clock: new TestClock(), log });
    await storage.close();
  }),
);

async function newDataDirectory(files: Files): Promise<string> {
  const directory = await newDirectory();
  for (const [name, bytes] of files) await writeFile(join(directory, name), bytes);
  return directory;
}

/** Creates an empty installation for one test, in its own directory. It is closed when the test ends. */
export async function newInstallation(options: Options = {}): Promise<Installation> {
  const clock = options.clock ?? new TestClock();
  const isOnServer = areOnServer && options.directory === undefined;
  const files = options.files ?? (isOnServer ? new Map() : (await emptyFiles()).files);
  const directory = options.directory ?? (await newDataDirectory(files));
  // The tests' clock stands still, so all their writes are in one minute.
  const config = loadConfig({
    WINDSOCK_DATA_DIR: directory,
    WINDSOCK_WRITE_RATE: "999999",
    // Has all routes.
    WINDSOCK_ENV: "development",
    ...(isOnServer && (await putOnServer(directory))),
    ...options.env,
  });
  const logged: string[] = [];
  const mails: Mail[] = [];
  const log = createLog("info", { write: (line) => void logged.push(line) });
  const server = config.store && { ...config.store, ...(options.traffic && { traffic: options.traffic }) };
  const storage = await openStorageOn(server, {
    directory,
    secret: config.secretKey,
    clock,
    log,
    nextWake: nextWake(clock, config),
    sendsMail: options.mail ?? true,
    followers,
    // As with passwords, tests don't guess them.
    passphraseCost: 4,
    ...(options.onDue && { onDue: options.onDue }),
    ...(options.trace && { trace: options.trace }),
    ...(options.checker && { checker: options.checker }),
    ...(options.maxOpen && { maxOpen: options.maxOpen }),
    ...(options.collectGarbage && { collectGarbage: options.collectGarbage }),
  });
  const intents = intentsOf(storage, log);
  await intents.recover();
  const tenant = storage.tenants.tenant.bind(storage.tenants);
  const replayRunner = createReplayRunner({ clock, control: storage.control, tenant, log });
  const sweep = async () => ({ schools: 0 });
  const { control } = storage;
  const mailer: Mailer = {
    isConfigured: options.mail ?? true,
    from: "Windsock <windsock@example.com>",
    send: (mail) => void mails.push(mail),
    async deliver(mail, cause = currentTrace()) {
      if (options.takesMail?.(mail, cause) === false) return false;
      mails.push(mail);
      return true;
    },
    stats: () => ({ waiting: 0, sent: mails.length, failed: 0, dropped: 0 }),
    close: async () => undefined,
  };
  const jobs = jobsWith({
    ...{ control, tenant, tenants: storage.tenants, clock, log, intents, sweep, replayRunner, settings: config },
    ...{ mailer, publicUrl: config.publicUrl, attachmentQuota: config.attachmentQuota },
    inspection: storage.inspection,
    backups: storage.backups,
    backupSettings: config.backup,
    keys: storage.keys,
    leases: storage.leases,
    renewal: undefined,
    pause: async () => options.pause?.(),
    stopping: new AbortController().signal,
  });
  const scheduler = createScheduler({ control, leases: storage.leases, clock, log, jobs });
  /** What the modules find. What is around the data is the machine's. */
  const examineHere = () =>
    examineModules({
      ...{ control, clock, tenants: storage.tenants, inspection: storage.inspection, jobs: scheduler.jobs },
      ...{ backupSettings: config.backup, newestBackup: newestBackupIn(storage.backups, config.backup) },
      dataDirectory: config.store === undefined ? config.dataDir : undefined,
    });
  const apiKeyUses = createApiKeyUses({ clock, tenant, log });
  const reach = newReach();
  const passwords = createPasswords({ cost: options.passwordCost ?? cheap, log });
  const background = createBackground(log);
  const app = createApp({
    config,
    clock,
    log,
    storage,
    intents,
    passwords: { for: (client) => (options.watchPasswords ?? ((watched) => watched))(passwords.for(client)) },
    background,
    mailer,
    scheduler,
    apiKeyUses,
    replayRunner,
    vetUrl: createVetUrl({ allow: [], resolve: lookUp }),
    eInvoices,
    keepOpen: reach.keepOpen,
    stopping: options.stopping ?? new AbortController().signal,
    heartbeat: options.heartbeat,
    addressOf: reach.addressOf,
    deliveries: options.deliveries ?? nothingDelivered,
    createMetrics: await loadMetrics(config),
    examine: options.examine ?? examineHere,
    console: bundledConsole,
  });
  const reached = await reach.to(app);
  app.handle = (request) => reached.handle(request);
  const check = options.checked === false ? unchecked : await checkAgainst(app);

  const installation: Installation = {
    clock,
    config,
    directory,
    storage,
    intents,
    mailer,
    scheduler,
    apiKeyUses,
    replayRunner,
    mails,
    logged,
    app,
    async call(method, path, { token, org, body, headers = {}, from = "192.0.2.1" } = {}) {
      const request = new Request(`http://localhost${path}`, {
        method,
        headers: {
          host: "localhost",
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(org !== undefined && { "x-org-id": org }),
          ...(body !== undefined && { "content-type": body instanceof Blob ? body.type : "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
      });
      const isWhole = !(body instanceof ReadableStream);
      const response = await endedIfStream(await reached.handle(request, { from, isWhole }));
      await background.ended();
      const text = await response.text();
      await check(method, request.url, response, text);
      const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text };
    },
    async close() {
      if (!(open.delete(installation) || shared.delete(installation))) return;
      await reached.close();
      await scheduler.stop();
      await storage.close();
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
  (options.shared ? shared : open).add(installation);
  return installation;
}

/** A stream of events would never end. */
async function endedIfStream(response: Response): Promise<Response> {
  if (response.headers.get("content-type") !== "text/event-stream") return response;
  await response.body?.cancel();
  return new Response("", response);
}

const isRaw = (body: unknown): body is string | Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> =>
  typeof body === "string" || body instanceof Blob || body instanceof Uint8Array || body instanceof ReadableStream;

let common: Promise<Installation> | undefined;

/** The installation that all tests of this process share. */
export function sharedInstallation(): Promise<SharedInstallation> {
  common ??= newInstallation({ shared: true });
  return common;
}

/** Called after all tests (`preload.ts`). */
export async function closeSharedInstallation(): Promise<void> {
  await (await common)?.close();
  common = undefined;
}

/** Called after each test (`preload.ts`), so that no installation stays open. */
export async function closeInstallations(): Promise<void> {
  for (const installation of [...open]) await installation.close();
}
