/**
 * How the requests of tests reach the application: by a call in this process, or over HTTP, by the listener of the runtime
 * (`WINDSOCK_TESTS_OVER_HTTP`, set by `scripts/test-runtimes.ts`).
 */
import process from "node:process";
import type { App, AppDeps } from "../../src/app.ts";
import { yieldToEventLoop } from "../../src/core/async.ts";
import { addressOf, keepOpen, serve } from "../../src/runtime/serve.ts";
import { maxBody } from "../../src/server.ts";
import { afterThisTest } from "./after-test.ts";
import { sendOverHttp } from "./send-over-http.ts";

interface Sent {
  /** The peer's address. */
  from?: string;
  /** Whether the length of the body is known before it is sent. */
  isWhole?: boolean;
}

export interface Reached {
  handle(request: Request, sent?: Sent): Promise<Response>;
  close(): Promise<void>;
}

interface Reach extends Pick<AppDeps, "addressOf" | "keepOpen"> {
  to(app: Pick<App, "fetch">): Promise<Reached>;
}

function inProcess(): Reach {
  const addresses = new WeakMap<Request, string>();
  return {
    addressOf: (request) => addresses.get(request),
    keepOpen: () => undefined,
    to: async (app) => ({
      async handle(request, { from } = {}) {
        if (from !== undefined) addresses.set(request, from);
        return app.fetch(request);
      },
      close: async () => undefined,
    }),
  };
}

/** All clients are on this machine: the address that a test gives its client comes in a header. */
const peer = "x-tests-peer";

const overHttp = (): Reach => ({
  addressOf: (request) => request.headers.get(peer) ?? addressOf(request),
  keepOpen,
  async to(app) {
    const serving = await serve({ host: "127.0.0.1", port: 0, fetch: (request) => app.fetch(request), maxBody });
    return {
      async handle(request, { from, isWhole = false } = {}) {
        const headers: Record<string, string> = from === undefined ? {} : { [peer]: from };
        const response = await sendOverHttp(serving.port, request, { isWhole, headers });
        // By then the server has done what it does after a response, such as its line of the log.
        await yieldToEventLoop();
        await yieldToEventLoop();
        return response;
      },
      close: () => serving.stop(0),
    };
  },
});

export const isOverHttp = process.env.WINDSOCK_TESTS_OVER_HTTP !== undefined;

export const newReach: () => Reach = isOverHttp ? overHttp : inProcess;

/**
 * Sends the requests that a test hands to `app.handle` the same way, from the first one to the end of the test. The application
 * itself calls `fetch`.
 */
export function reachLater(app: Pick<App, "fetch" | "handle">): void {
  let reached: Promise<Reached> | undefined;
  app.handle = async (request) => {
    if (reached === undefined) {
      const opened = newReach().to(app);
      reached = opened;
      afterThisTest(async () => {
        reached = undefined;
        await (await opened).close();
      });
    }
    return (await reached).handle(request);
  };
}
