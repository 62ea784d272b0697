import type { Listener, ListenOptions } from "./listener.ts";

/** The parts of Deno's types that are used here. The full types conflict with Bun's and the DOM's. */
declare const Deno: {
  serve(
    options: {
      hostname: string;
      port: number;
      signal: AbortSignal;
      automaticCompression: boolean;
      onListen(): void;
      onError(): Response;
    },
    handler: (request: Request, info: { remoteAddr: { hostname: string; port: number } }) => Promise<Response>,
  ): { addr: { port: number }; shutdown(): Promise<void> };
};

/**
 * Unlike Bun, Deno has no body limit, so only the application's own applies, and no header timeout: a client that sends
 * one byte a minute keeps its connection. Put a proxy in front of a public server.
 */
export function serveOnDeno({ host, port, fetch }: ListenOptions): Listener {
  const connections = new AbortController();
  const requests = inFlight();
  const server = Deno.serve(
    {
      hostname: host,
      port,
      signal: connections.signal,
      // The application compresses. Deno would make the tag of what it compresses a weak one, which satisfies no `If-Match`.
      automaticCompression: false,
      // By default, Deno prints the address to standard output, which is reserved for the log.
      onListen: () => undefined,
      onError: () => new Response(null, { status: 500 }),
    },
    async (request, { remoteAddr }) => {
      if (requests.draining) return new Response(null, { status: 503, headers: { connection: "close" } });
      using _ = requests.enter();
      return await fetch(request, { address: remoteAddr.hostname, port: remoteAddr.port });
    },
  );

  let closing = false;
  return {
    port: server.addr.port,
    async drain() {
      // Not earlier: after `shutdown`, no handler can read the rest of its body (denoland/deno#36809).
      await requests.drained();
      closing = true;
      await server.shutdown();
    },
    async closeNow() {
      // After `shutdown`, `abort` throws `BadResource`. The connections that remain close with the process.
      if (!closing) connections.abort();
    },
  };
}

/** Counts the requests that have no response yet, and waits for the last of them. */
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
