/** Listens for HTTP with the server of the current runtime. */
import { atMost } from "../core/async.ts";
import type { Listener, Peer, ServeOptions } from "./listener.ts";
import { serveOnBun } from "./serve-bun.ts";
import { serveOnDeno } from "./serve-deno.ts";

export interface Serving {
  /** The URL of the server on this machine. */
  readonly url: string;
  readonly port: number;
  /** Accepts no more requests, waits at most `deadlineMs` for those in flight, then closes all connections. */
  stop(deadlineMs: number): Promise<void>;
}

const peers = new WeakMap<Request, Peer>();

/** Returns the peer's address of a request; `undefined` for a request that did not come from this server. */
export const addressOf = (request: Request): string | undefined => peers.get(request)?.address;

/**
 * Lets a request wait for its response, or for the next piece of it, without a time limit: Bun closes a connection that is silent
 * for 10 s. Once the result is disposed of, the limit applies again, also to a client that does not take the piece.
 */
export const keepOpen = (request: Request): Disposable | undefined => peers.get(request)?.keepOpen?.();

const listen = "Deno" in globalThis ? serveOnDeno : serveOnBun;

export async function serve(options: ServeOptions): Promise<Serving> {
  const listener = await withClearError(options, () => listenFor(options));
  return {
    url: `http://${reachable(options.host)}:${listener.port}`,
    port: listener.port,
    async stop(deadlineMs) {
      // Without a deadline, one client that never reads its response would keep the process running.
      await atMost(deadlineMs, listener.drain());
      await listener.closeNow();
    },
  };
}

/** @param addressOf returns the address of the client; null: the connection is not one of a client, and is refused */
export function listenFor(
  { fetch, ...options }: ServeOptions,
  addressOf: (peer: Peer) => string | undefined | null = ({ address }) => address,
): Listener {
  return listen({
    ...options,
    fetch(request, peer) {
      const address = addressOf(peer);
      if (address === null) return new Response(null, { status: 403, headers: { connection: "close" } });
      peers.set(request, { ...peer, address });
      return fetch(request);
    },
  });
}

/** Returns the host to connect to: the wildcard addresses are not valid there. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

/** @param variable the variable of the port */
export async function withClearError<T>(
  { host, port, variable = "WINDSOCK_PORT" }: { host: string; port: number; variable?: string },
  start: () => T | Promise<T>,
): Promise<T> {
  try {
    return await start();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason =
      code === "EADDRINUSE"
        ? `another program listens there. Stop it, or choose another ${variable}`
        : code === "EACCES" && port < 1024
          ? `this account may not use ports below 1024. Choose a higher ${variable} behind a proxy, let \`windsock install --systemd\` give the right, or give it to the program: setcap cap_net_bind_service=+ep FILE`
          : `${message}. WINDSOCK_HOST must be an address of this machine, and the process must be allowed to use ${variable}`;
    throw new Error(`Can't listen on ${host}, port ${port}: ${reason}.`, { cause });
  }
}
