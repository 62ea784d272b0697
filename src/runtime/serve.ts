/** Listens for HTTP, with the server of whichever runtime this is. */
import { atMost } from "../core/at-most.ts";
import type { ServeOptions } from "./listener.ts";
import { serveOnBun } from "./serve-bun.ts";
import { serveOnDeno } from "./serve-deno.ts";

export interface Serving {
  /** Where it can be reached from this machine. */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, waits for those in flight for at most `deadlineMs`, then cuts what is left. */
  stop(deadlineMs: number): Promise<void>;
}

const addresses = new WeakMap<Request, string>();

/** The peer's address of a request this runtime received; `undefined` for one made by hand. */
export const addressOf = (request: Request): string | undefined => addresses.get(request);

const listen = "Deno" in globalThis ? serveOnDeno : serveOnBun;

export async function serve({ fetch, ...options }: ServeOptions): Promise<Serving> {
  const { host } = options;
  const listener = orExplain(options, () =>
    listen({
      ...options,
      fetch(request, peer) {
        if (peer !== undefined) addresses.set(request, peer);
        return fetch(request);
      },
    }),
  );
  return {
    url: `http://${reachable(host)}:${listener.port}`,
    port: listener.port,
    async stop(deadlineMs) {
      // Without a deadline one client that never reads its answer would keep the process for ever.
      await atMost(deadlineMs, listener.drain());
      await listener.cut();
    },
  };
}

/** What to dial for a host that was listened on: "all addresses" is none. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}

function orExplain<T>({ host, port }: { host: string; port: number }, start: () => T): T {
  try {
    return start();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason =
      code === "EADDRINUSE" ? "something else listens there; stop it, or choose another WINDSOCK_PORT" : message;
    throw new Error(`Can't listen on ${host}, port ${port}: ${reason}.`, { cause });
  }
}
