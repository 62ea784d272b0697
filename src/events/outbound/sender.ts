/**
 * POSTs to addresses that schools chose. `node:https` follows no redirect, uses no proxy and checks certificates. Its
 * `lookup` returns only vetted addresses, so the address that was checked is the one that is dialled.
 */
import { Agent } from "node:https";
import { performance } from "node:perf_hooks";
import { seconds } from "../../core/clock.ts";
import type { AddressPolicy } from "./addresses.ts";
import { defaultKeepAliveLimits, KeepAliveAgent, type KeepAliveLimits } from "./keep-alive-agent.ts";
import { classifyError, noResponse, type Outcome } from "./outcome.ts";
import { post } from "./post.ts";
import { type Resolve, systemResolve } from "./resolve.ts";
import { vettedLookup } from "./vetted-lookup.ts";

export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** For a retry: whether the request needs a connection of its own. The receiver may drop kept ones. */
  newConnection?: boolean;
}

/**
 * Sends a request, once: a receiver that closes a reused connection without a response may have read it. It never rejects,
 * and never takes longer than the timeout.
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
  const tls = { minVersion: "TLSv1.2", rejectUnauthorized: true, ...(ca !== undefined && { ca }) } as const;
  const kept = new KeepAliveAgent({ ...defaultKeepAliveLimits, ...options.idleConnections }, { keepAlive, ...tls });
  const unkept = new Agent({ keepAlive: false, ...tls });
  const lookup = vettedLookup(resolve, policy);

  const send: Send = async ({ url, headers, body, newConnection = false }) => {
    const started = performance.now();
    const deadline = AbortSignal.timeout(timeout);
    const own = {
      "User-Agent": `Windsock-Webhooks/${version}`,
      "Content-Length": String(Buffer.byteLength(body)),
    };
    const agent = newConnection ? unkept : kept;
    const postOnce = async () =>
      post(new URL(url), { agent, lookup, policy, body, deadline, headers: { ...headers, ...own } });
    // An invalid URL or header throws.
    const outcome = await postOnce().catch((error: unknown) => ({ ...noResponse, errorClass: classifyError(error) }));
    return { ...outcome, durationMs: Math.round(performance.now() - started) };
  };
  const close = () => {
    kept.destroy();
    unkept.destroy();
  };
  return Object.assign(send, { close });
}
