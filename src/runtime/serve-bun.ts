import { setTimeout } from "node:timers/promises";
import type { Listener, ListenOptions } from "./listener.ts";

/** Bun's own. */
const usualIdleSeconds = 10;

/** Bun itself closes a connection whose header takes longer than 12 s or that is idle for 10 s, also while it waits. */
export function serveOnBun({ host, port, fetch, maxBody, idleSeconds = usualIdleSeconds }: ListenOptions): Listener {
  const server = Bun.serve({
    hostname: host,
    port,
    // Otherwise two servers could share the port, and each would get half of the requests.
    reusePort: false,
    maxRequestBodySize: maxBody,
    idleTimeout: idleSeconds,
    // In development mode, Bun's error page shows source code.
    development: false,
    fetch(request, bun) {
      const peer = bun.requestIP(request);
      return fetch(withHost(request), {
        address: peer?.address,
        port: peer?.port,
        keepOpen() {
          bun.timeout(request, 0);
          return { [Symbol.dispose]: () => bun.timeout(request, idleSeconds) };
        },
      });
    },
    error: () => new Response(null, { status: 500 }),
  });
  return {
    port: server.port ?? port,
    drain: () => Promise.race([server.stop(false), withoutRequests(server)]),
    closeNow: () => server.stop(true),
  };
}

/** How often it is looked whether requests are left, in milliseconds. */
const lookEvery = 20;

/**
 * Resolves when no request is left whose response is not taken. Bun's `stop` also waits for connections on which none has come, such
 * as browsers open in advance.
 */
async function withoutRequests(server: Pick<Bun.Server<unknown>, "pendingRequests">): Promise<void> {
  // Twice: between two requests of a connection, there is none for a moment.
  for (let empty = 0; empty < 2; empty = server.pendingRequests === 0 ? empty + 1 : 0)
    await setTimeout(lookEvery, undefined, { ref: false }); // a request that never ends must not keep the process
}

/**
 * HTTP/1.0 has no `Host`, and load balancers check with it. Bun's URL of such a request is only its path, with which no
 * application can find a route.
 */
const withHost = (request: Request): Request =>
  request.url.startsWith("/") ? new Request(`http://localhost${request.url}`, request) : request;
