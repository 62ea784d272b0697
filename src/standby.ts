/**
 * A second process on the same data directory: it listens, waits for the lock, and takes over when the first process ends.
 * A load balancer that asks for `/health/ready` sends requests to the one that has the lock.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "./config.ts";
import { untilAborted } from "./core/async.ts";
import type { Clock } from "./core/clock.ts";
import { Problem } from "./core/errors.ts";
import { newId } from "./core/ids.ts";
import { errorResponse } from "./http/error-envelope.ts";
import type { Log } from "./http/request-log.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { listenAsConfigured } from "./listen-as-configured.ts";
import { isServerRunning } from "./modules/operations/operator-client.ts";
import type { ServeOptions } from "./runtime/listener.ts";
import type { Serving } from "./runtime/serve.ts";
import { DataInUse, isDataDirectoryFree, noteStandby } from "./storage/data-lock.ts";

export interface Standby {
  /**
   * Opens the data when no other process uses it.
   *
   * @returns undefined if the signal came before
   */
  openWhenFree<T>(open: () => Promise<T>, stopping: AbortSignal): Promise<T | undefined>;
  /** Hands the listening socket to the application: from then on it gets the requests. */
  takeOver(fetch: ServeOptions["fetch"]): Serving;
  close(): Promise<void>;
}

interface StandbyOptions {
  config: Pick<Config, "host" | "port" | "dataDir" | "publicUrl" | "tls">;
  clock: Clock;
  log: Log;
  maxBody: number;
}

/** Milliseconds between two attempts: a part of the time that nobody answers after a crash. */
const interval = 250;

export async function openStandby({ config, clock, log, maxBody }: StandbyOptions): Promise<Standby> {
  const { dataDir } = config;
  let respond: ServeOptions["fetch"] = waitingResponses(config.publicUrl, clock);
  const serving = await listenAsConfigured({ config, log, maxBody, fetch: (request) => respond(request) });
  return {
    async openWhenFree(open, stopping) {
      let hasWaited = false;
      let release: (() => void) | undefined;
      try {
        while (!stopping.aborted) {
          const opened = (await isFree(dataDir)) ? await openUnlessLocked(open) : undefined;
          if (opened) {
            if (hasWaited) log.warn({ data_directory: dataDir }, "The other process has ended. Taking over.");
            return opened.value;
          }
          // So that the operator sees on the other one that this one waits. It waits all the same if that can't be noted.
          release ??= await noteStandby(dataDir).catch(() => undefined);
          if (!hasWaited) log.info({ url: serving.url, data_directory: dataDir }, "Standing by for another process.");
          hasWaited = true;
          await untilAborted(stopping, wait(interval));
        }
        return undefined;
      } finally {
        release?.();
      }
    },
    takeOver(fetch) {
      respond = fetch;
      return serving;
    },
    close: () => serving.stop(0),
  };
}

/** Looks for the socket first: taking the lock of a server whose `lock.db` was removed would keep it from locking again. */
const isFree = async (directory: string): Promise<boolean> =>
  !(await isServerRunning(directory)) && (await isDataDirectoryFree(directory));

/** @returns undefined if another process was faster */
async function openUnlessLocked<T>(open: () => Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return { value: await open() };
  } catch (error) {
    if (error instanceof DataInUse) return undefined;
    throw error;
  }
}

/** `/health` says that the process responds. Everything else has to wait until it has the data. */
function waitingResponses(publicUrl: string, clock: Clock): ServeOptions["fetch"] {
  const common = securityHeaders(publicUrl);
  const isWaiting = "This server is a standby: another one has the data. Retry, or ask the other one.";
  return ({ url, method }) => {
    const id = newId(clock);
    const isHealth = (method === "GET" || method === "HEAD") && new URL(url).pathname === "/health";
    const response = isHealth
      ? new Response("ok", { headers: { "content-type": "text/plain;charset=utf-8" } })
      : errorResponse(new Problem("UNAVAILABLE", isWaiting, { retryAfter: 1 }), id);
    for (const [name, value] of Object.entries({ ...common, "x-request-id": id })) response.headers.set(name, value);
    return response;
  };
}
