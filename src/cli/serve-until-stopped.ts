/** `windsock serve`: starts, says where, and stops when asked to. There is one way out, whatever the reason for it. */
import { type Config, publicUrlByDefault } from "../config.ts";
import type { Demo } from "../demo/demo.ts";
import type { Log } from "../http/request-log.ts";
import { type ServerOptions, startServer } from "../server.ts";
import { welcome } from "./welcome.ts";

interface ServeOptions extends Pick<ServerOptions, "deadline"> {
  config: Config;
  log: Log;
  demo?: Demo | undefined;
  /** Resolves with the signal when it is to stop; it may do so before it has started. */
  asked: Promise<string>;
  /** Prints for whoever is at the terminal, in whole lines. */
  say(text: string): void;
}

/** @throws what keeps it from starting, or the demo from telling its story; everything is closed by then */
export async function serveUntilStopped({ demo, ...options }: ServeOptions): Promise<void> {
  try {
    await serveAndStop({ demo, ...options });
  } finally {
    // After the server, whose last deliveries it takes.
    demo?.close();
  }
}

async function serveAndStop({ config, log, demo, asked, say, ...options }: ServeOptions): Promise<void> {
  const server = await startServer(config, log, {
    ...options,
    createSender: demo?.createSender,
    vetUrl: demo?.vetUrl,
  });
  try {
    const { host, dataDir } = config;
    log.info({ url: server.url, host, data_directory: dataDir }, "Serving.");
    const told = demo
      ? demo.play({ url: server.url, address: addressOf(config, server.url) }, say)
      : welcome(server, config).then(say);
    // A story that the stop cuts off has not failed: only what fails before counts.
    const signal = await Promise.race([asked, told.then(() => asked)]);
    log.info({ signal }, "Stopping.");
  } finally {
    // What a stop waits for may be nothing that keeps a process alive, and then it would end half-way, with exit code 0.
    const alive = setInterval(() => undefined, 1000);
    await server.stop().finally(() => clearInterval(alive));
  }
  log.info({}, stopped);
  // The demo logs no such thing.
  if (demo) say(`\n  ${stopped}\n`);
}

const stopped = "Stopped: every file is whole.";

/** What a person can open: the public address where the operator has named one. */
const addressOf = ({ publicUrl, port }: Config, url: string): string =>
  publicUrl === publicUrlByDefault(port) ? url : publicUrl;
