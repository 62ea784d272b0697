/**
 * POSTs to addresses that schools chose. `node:https` follows no redirect, uses no proxy and checks certificates. Its
 * `lookup` returns only vetted addresses, so the address that was checked is the one that is dialled.
 */
import { performance } from "node:perf_hooks";
import { seconds } from "../../core/clock.ts";
import type { AddressPolicy } from "./addresses.ts";
import { defaultKeepAliveLimits, KeepAliveAgent, type KeepAliveLimits } from "./keep-alive-agent.ts";
import { classifyError, noResponse, type Outcome, type UntimedOutcome } from "./outcome.ts";
import { type PostOptions, post } from "./post.ts";
import { type Resolve, systemResolve } from "./resolve.ts";
import { vettedLookup } from "./vetted-lookup.ts";

export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends a request. If a reused connection is closed before any response, it sends the request again, so a receiver may get
 * it twice. It never rejects, and never takes longer than the timeout.
 */
export type Send = (outgoing: Outgoing) => Promise<Outcome>;

export interface SenderOptions {
  /** The addresses that may be dialled: `addressPolicy(allow)`. */
  policy: AddressPolicy;
  /** Whether connections may be reused; see `runtime/quirks.ts`. */
  keepAlive: boolean;
  /** For the user agent. */
  version: string;
  /** For the whole attempt, in milliseconds: lookup, connection, TLS, response. */
  timeout?: number;
  resolve?: Resolve;
  /** Certificate authorities (PEM) to trust instead of the public ones. */
  ca?: string | undefined;
  /** Limits on idle connections, with `keepAlive`. */
  idleConnections?: Partial<KeepAliveLimits>;
}

export const deliveryTimeout = seconds(10);

export function createSender(options: SenderOptions): Send & { close(): void } {
  const { policy, keepAlive, version, timeout = deliveryTimeout, resolve = systemResolve, ca } = options;
  const agent = new KeepAliveAgent(
    { ...defaultKeepAliveLimits, ...options.idleConnections },
    { keepAlive, minVersion: "TLSv1.2", rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
  );
  const lookup = vettedLookup(resolve, policy);

  const send: Send = async ({ url, headers, body }) => {
    const started = performance.now();
    const deadline = AbortSignal.timeout(timeout);
    const own = {
      "User-Agent": `Windsock-Webhooks/${version}`,
      "Content-Length": String(Buffer.byteLength(body)),
    };
    const posting: PostOptions = { agent, lookup, policy, body, deadline, headers: { ...headers, ...own } };
    const outcome = await postWithRetry(url, posting).catch((error: unknown) => ({
      ...noResponse,
      errorClass: classifyError(error),
    }));
    return { ...outcome, durationMs: Math.round(performance.now() - started) };
  };
  return Object.assign(send, { close: () => agent.destroy() });
}

/** @throws when the URL or a header is invalid */
async function postWithRetry(url: string, posting: PostOptions): Promise<UntimedOutcome> {
  const first = await post(new URL(url), posting);
  // The receiver may close an idle connection at any time. That is no failure of the endpoint.
  const { outcome } = first.stale ? await post(new URL(url), posting) : first;
  return outcome;
}
