import type { Listener, ListenOptions } from "./listener.ts";

/** Bun cuts a connection whose header takes longer than 12 s, or that is silent for 10 s, by itself. */
export function serveOnBun({ host, port, fetch, maxBody }: ListenOptions): Listener {
  const server = Bun.serve({
    hostname: host,
    port,
    // Otherwise two servers share one port, and each answers half of the requests.
    reusePort: false,
    maxRequestBodySize: maxBody,
    // Bun answers an uncaught error with a page that shows the code; nothing of ours gets this far.
    development: false,
    fetch: (request, bun) => fetch(request, bun.requestIP(request)?.address),
    error: () => new Response(null, { status: 500 }),
  });
  return {
    port: server.port ?? port,
    drain: () => server.stop(false),
    cut: () => server.stop(true),
  };
}
