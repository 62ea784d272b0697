/**
 * POSTs to addresses that strangers chose. `node:https` follows no redirect, knows no proxy and checks certificates;
 * its `lookup` answers with vetted addresses alone, so what was checked is what is dialled.
 */
import { performance } from "node:perf_hooks";
import { seconds } from "../../core/clock.ts";
import type { AddressPolicy } from "./addresses.ts";
import { defaultKeeping, type Keeping, KeepingAgent } from "./keeping-agent.ts";
import { type Answer, classify, noAnswer, type Outcome } from "./outcome.ts";
import { type Post, post } from "./post.ts";
import { type Resolve, systemResolve } from "./resolve.ts";
import { vettedLookup } from "./vetted-lookup.ts";

export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends a request; twice, when nothing was heard on a connection that had been kept, so that a receiver may see it
 * twice. It never rejects and never takes longer than the time-out.
 */
export type Send = (outgoing: Outgoing) => Promise<Outcome>;

export interface SenderOptions {
  /** Which addresses may be dialled: `addressPolicy(allow)`. */
  policy: AddressPolicy;
  /** Whether connections may be kept for the next request; see `runtime/quirks.ts`. */
  keepAlive: boolean;
  /** For the user agent. */
  version: string;
  /** For everything together, in milliseconds: look-up, connection, TLS, answer. */
  timeout?: number;
  resolve?: Resolve;
  /** Certificate authorities (PEM) to trust instead of the usual ones. */
  ca?: string | undefined;
  /** Which connections to keep, where they may be. */
  keep?: Partial<Keeping>;
}

export const deliveryTimeout = seconds(10);

export function createSender(options: SenderOptions): Send & { close(): void } {
  const { policy, keepAlive, version, timeout = deliveryTimeout, resolve = systemResolve, ca } = options;
  const agent = new KeepingAgent(
    { ...defaultKeeping, ...options.keep },
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
    const posting: Post = { agent, lookup, policy, body, deadline, headers: { ...headers, ...own } };
    const answer = await postOnceHeard(url, posting).catch((error: unknown) => ({
      ...noAnswer,
      errorClass: classify(error),
    }));
    return { ...answer, durationMs: Math.round(performance.now() - started) };
  };
  return Object.assign(send, { close: () => agent.destroy() });
}

/** @throws when the URL or a header can't be sent at all */
async function postOnceHeard(url: string, posting: Post): Promise<Answer> {
  const first = await post(new URL(url), posting);
  // A kept connection that the other side has closed meanwhile says nothing about the endpoint.
  const { answer } = first.stale ? await post(new URL(url), posting) : first;
  return answer;
}
