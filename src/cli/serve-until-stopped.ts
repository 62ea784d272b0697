/** `windsock serve`: starts, prints the address, and stops on a signal. A start error and a signal share one exit path. */
import { type Config, publicUrlByDefault } from "../config.ts";
import { atMost, countdown, type Remaining } from "../core/async.ts";
import { originWarning } from "../core/secure-origin.ts";
import type { Demo } from "../demo/demo.ts";
import { stopDeadline } from "../engine.ts";
import type { Log } from "../http/request-log.ts";
import { compileAsUsual } from "../runtime/compilation.ts";
import { counted } from "../scheduler/job.ts";
import { type ServerOptions, startServer, startWhenFree } from "../server.ts";
import { welcome } from "./welcome.ts";

interface ServeOptions extends Pick<ServerOptions, "deadline" | "checker"> {
  config: Config;
  log: Log;
  demo?: Demo | undefined;
  /** Resolves with the signal that stops the server, also before the start has finished. */
  stopSignal: Promise<string>;
  /** Prints whole lines to the terminal, or wherever standard error leads. */
  print(text: string): void;
  /** Whether that is a terminal: the first lines have then what is otherwise in the log. */
  isTerminal?: boolean;
}

/** @throws an error of the start or of the demo, after everything is closed */
export async function serveUntilStopped({ demo, ...options }: ServeOptions): Promise<void> {
  try {
    await serveAndStop({ demo, ...options });
  } finally {
    // After the server: the demo receives its last deliveries.
    demo?.close();
  }
}

async function serveAndStop({
  config,
  log,
  demo,
  stopSignal,
  print,
  isTerminal = false,
  ...options
}: ServeOptions): Promise<void> {
  const { deadline = stopDeadline, checker } = options;
  let remaining: Remaining = () => deadline;
  for (const warning of config.warnings) log.warn({}, warning);
  const stopping = new AbortController();
  const signalled = stopSignal.then((signal) => {
    remaining = countdown(deadline);
    stopping.abort();
    return signal;
  });
  const serverOptions: ServerOptions = {
    ...options,
    ...(demo && { clock: demo.clock }),
    createSender: demo?.createSender,
    vetUrl: demo?.vetUrl,
  };
  const starting = config.waitForLock
    ? startWhenFree(config, log, { ...serverOptions, stopping: stopping.signal })
    : startServer(config, log, serverOptions);
  const hasStarted = await Promise.race([
    starting.then(() => true),
    signalled.then(() => atMost(remaining(), starting)),
  ]);
  if (!hasStarted) {
    // The files are as after a crash, which the next start recovers from.
    checker?.close();
    log.warn({}, "Stopped before the start was complete. The next start repeats it.");
    return;
  }
  const server = await starting;
  if (server === undefined) {
    checker?.close();
    log.info({}, "Stopped while standing by.");
    return;
  }
  compileAsUsual();
  server.warmUp();
  let left = 0;
  try {
    const { host, dataDir } = config;
    log.info({ url: server.url, host, data_directory: dataDir }, "Serving.");
    const warning = demo ? undefined : originWarning(config);
    if (warning !== undefined && !isTerminal) log.warn({ public_url: config.publicUrl, host }, warning);
    const printed = demo
      ? demo.play({ url: server.url, address: addressOf(config, server.url), runJob: server.runJob }, print)
      : welcome(server, config, { warning: isTerminal ? warning : undefined }).then(print);
    // An error of the demo after the signal is ignored: the stop itself may cause it.
    const signal = await Promise.race([signalled, printed.then(() => signalled)]);
    log.info({ signal }, "Stopping.");
  } finally {
    // Keeps the process alive: what the stop waits for may not, and the process would exit early with code 0.
    const alive = setInterval(() => undefined, 1000);
    left = await server.stop(remaining()).finally(() => clearInterval(alive));
  }
  const stopped = left === 0 ? complete : incomplete(left);
  if (left === 0) log.info({}, stopped);
  else log.warn({ files: left }, stopped);
  // The demo's log level omits the line above.
  if (demo) print(`\n  ${stopped}\n`);
}

const complete = "Stopped. All database files are complete.";
const incomplete = (files: number) =>
  `Stopped. The next start completes ${counted(files, "database file")}. Nothing is lost.`;

/** Returns the address for people: the public one, if it is configured. */
const addressOf = ({ publicUrl, port }: Config, url: string): string =>
  publicUrl === publicUrlByDefault(port) ? url : publicUrl;
