import type { Listener, ListenOptions } from "./listener.ts";

/** The little of Deno's own types that is needed here; the whole of them would clash with Bun's and the DOM's. */
declare const Deno: {
  serve(
    options: { hostname: string; port: number; signal: AbortSignal; onListen(): void; onError(): Response },
    handler: (request: Request, info: { remoteAddr: { hostname: string } }) => Promise<Response>,
  ): { addr: { port: number }; shutdown(): Promise<void> };
};

/**
 * Unlike Bun, Deno has no limit for a body, so that the application's own is the only one, and no time-out for a header:
 * whoever sends one byte a minute keeps a connection. Where strangers reach it, put a proxy before it.
 */
export function serveOnDeno({ host, port, fetch }: ListenOptions): Listener {
  const connections = new AbortController();
  const requests = inFlight();
  const server = Deno.serve(
    {
      hostname: host,
      port,
      signal: connections.signal,
      // Deno would announce the address by itself, on the standard output, which is the log's.
      onListen: () => undefined,
      onError: () => new Response(null, { status: 500 }),
    },
    async (request, { remoteAddr }) => {
      if (requests.draining) return new Response(null, { status: 503, headers: { connection: "close" } });
      using _ = requests.enter();
      return await fetch(request, remoteAddr.hostname);
    },
  );

  let closing = false;
  return {
    port: server.addr.port,
    async drain() {
      // Not at once: from then on no handler could read the rest of its body (denoland/deno#36809).
      await requests.drained();
      closing = true;
      await server.shutdown();
    },
    async cut() {
      // After `shutdown` it would throw `BadResource`. What is left then, nobody reads, and the process' end cuts it.
      if (!closing) connections.abort();
    },
  };
}

/** Counts requests that have no answer yet, to wait for the last of them. */
function inFlight() {
  let count = 0;
  let waiting: (() => void) | undefined;
  return {
    get draining() {
      return waiting !== undefined;
    },
    enter(): Disposable {
      count += 1;
      return {
        [Symbol.dispose]() {
          count -= 1;
          if (count === 0) waiting?.();
        },
      };
    },
    drained: () =>
      new Promise<void>((resolve) => {
        waiting = resolve;
        if (count === 0) resolve();
      }),
  };
}
