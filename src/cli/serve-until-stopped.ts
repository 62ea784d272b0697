/** `windsock serve`: starts, prints the address, and stops on a signal. A start error and a signal share one exit path. */
import { type Config, publicUrlByDefault } from "../config.ts";
import type { Demo } from "../demo/demo.ts";
import type { Log } from "../http/request-log.ts";
import { type ServerOptions, startServer } from "../server.ts";
import { welcome } from "./welcome.ts";

interface ServeOptions extends Pick<ServerOptions, "deadline" | "checker"> {
  config: Config;
  log: Log;
  demo?: Demo | undefined;
  /** Resolves with the signal that stops the server, also before the start has finished. */
  stopSignal: Promise<string>;
  /** Prints whole lines to the terminal. */
  print(text: string): void;
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

async function serveAndStop({ config, log, demo, stopSignal, print, ...options }: ServeOptions): Promise<void> {
  const server = await startServer(config, log, {
    ...options,
    createSender: demo?.createSender,
    vetUrl: demo?.vetUrl,
  });
  try {
    const { host, dataDir } = config;
    log.info({ url: server.url, host, data_directory: dataDir }, "Serving.");
    const printed = demo
      ? demo.play({ url: server.url, address: addressOf(config, server.url) }, print)
      : welcome(server, config).then(print);
    // An error of the demo after the signal is ignored: the stop itself may cause it.
    const signal = await Promise.race([stopSignal, printed.then(() => stopSignal)]);
    log.info({ signal }, "Stopping.");
  } finally {
    // Keeps the process alive: what the stop waits for may not, and the process would exit early with code 0.
    const alive = setInterval(() => undefined, 1000);
    await server.stop().finally(() => clearInterval(alive));
  }
  log.info({}, stopped);
  // The demo's log level omits the line above.
  if (demo) print(`\n  ${stopped}\n`);
}

const stopped = "Stopped. All database files are complete.";

/** Returns the address for people: the public one, if it is configured. */
const addressOf = ({ publicUrl, port }: Config, url: string): string =>
  publicUrl === publicUrlByDefault(port) ? url : publicUrl;
