/** Listens for HTTP. The only place that names the runtime's server: Bun's today. */

export interface ServeOptions {
  host: string;
  /** 0 for any free port. */
  port: number;
  fetch(request: Request): Response | Promise<Response>;
  /** Bytes after which the connection is cut. Keep it above the application's own limit, whose 413 says more. */
  maxBody: number;
}

export interface Serving {
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, waits for those in flight for at most `deadlineMs`, then cuts what is left. */
  stop(deadlineMs: number): Promise<void>;
}

const addresses = new WeakMap<Request, string>();

/** The peer's address of a request this runtime received; `undefined` for one made by hand. */
export const addressOf = (request: Request): string | undefined => addresses.get(request);

export async function serve({ host, port, fetch, maxBody }: ServeOptions): Promise<Serving> {
  const server = Bun.serve({
    hostname: host,
    port,
    maxRequestBodySize: maxBody,
    // Bun answers an uncaught error with a page that shows the code; nothing of ours gets this far.
    development: false,
    fetch(request, bun) {
      const peer = bun.requestIP(request)?.address;
      if (peer !== undefined) addresses.set(request, peer);
      return fetch(request);
    },
    error: () => new Response(null, { status: 500 }),
  });

  return {
    url: server.url.origin,
    port: server.port ?? port,
    async stop(deadlineMs) {
      // Without a deadline one client that never reads its answer would keep the process for ever.
      const drained = server.stop(false);
      const deadline = timer(deadlineMs);
      await Promise.race([drained, deadline.done]);
      deadline.cancel();
      await server.stop(true);
    },
  };
}

function timer(ms: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const handle = setTimeout(resolve, ms);
  return { done: promise, cancel: () => clearTimeout(handle) };
}
