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
    drain: () => server.stop(false),
    closeNow: () => server.stop(true),
  };
}

/**
 * HTTP/1.0 has no `Host`, and load balancers check with it. Bun's URL of such a request is only its path, with which no
 * application can find a route.
 */
const withHost = (request: Request): Request =>
  request.url.startsWith("/") ? new Request(`http://localhost${request.url}`, request) : request;
