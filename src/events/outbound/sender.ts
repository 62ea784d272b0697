/**
 * POSTs to addresses that strangers chose. `node:https` follows no redirect, knows no proxy and checks certificates;
 * its `lookup` answers with vetted addresses alone, so what was checked is what is dialled.
 */
import type { IncomingMessage } from "node:http";
import { Agent, type RequestOptions, request } from "node:https";
import { performance } from "node:perf_hooks";
import { seconds } from "../../core/clock.ts";
import { type AddressPolicy, literalOf } from "./addresses.ts";
import { type Resolve, systemResolve } from "./resolve.ts";

/**
 * Why an attempt failed. `timeout`: the deadline for all of it passed. `dns`: the name has no address.
 * `refused_address`: it has one that is not public. `connect`: nobody answers there, or hung up. `tls`: no secure
 * connection, or not with whom it should be. `redirect`, `status`: the answer was a 3xx, or no 2xx either.
 * `secret`: its signing secret can't be read here.
 */
export type ErrorClass = "timeout" | "dns" | "refused_address" | "connect" | "tls" | "redirect" | "status" | "secret";

export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** How one attempt ended: a success has no error class. Status, headers and body are there if an answer came. */
export interface Outcome {
  errorClass: ErrorClass | null;
  status: number | null;
  headers: Record<string, string> | null;
  /** The first 16 KiB; null for addresses on the operator's allow list. */
  body: string | null;
  durationMs: number;
}

/** Sends one request. It never rejects and never takes longer than the time-out. */
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
  /** Connections to keep for each host while nothing is sent. */
  maxFree?: number;
}

export const deliveryTimeout = seconds(10);

/** Bytes of an answer's body that are read and kept. */
const keptBody = 16 * 1024;

class Refused extends Error {
  readonly errorClass: ErrorClass;
  constructor(errorClass: ErrorClass) {
    super(errorClass);
    this.errorClass = errorClass;
  }
}

export function createSender(options: SenderOptions): Send & { close(): void } {
  const { policy, keepAlive, version, timeout = deliveryTimeout, resolve = systemResolve, ca, maxFree = 8 } = options;
  const agent = new Agent({
    keepAlive,
    maxFreeSockets: maxFree,
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  });
  const lookup = vettedLookup(resolve, policy);

  const send: Send = async ({ url, headers, body }) => {
    const started = performance.now();
    const deadline = AbortSignal.timeout(timeout);
    const posting: Post = {
      agent,
      lookup,
      policy,
      body,
      deadline,
      headers: {
        ...headers,
        "User-Agent": `Windsock-Webhooks/${version}`,
        "Content-Length": String(Buffer.byteLength(body)),
      },
    };
    const first = await post(new URL(url), posting);
    // A kept connection that the other side has closed meanwhile says nothing about the endpoint.
    const { answer } = first.stale ? await post(new URL(url), posting) : first;
    return { ...answer, durationMs: Math.round(performance.now() - started) };
  };
  return Object.assign(send, { close: () => agent.destroy() });
}

type Lookup = NonNullable<RequestOptions["lookup"]>;

/** Fails unless every address of the name may be dialled: one bad one among good ones is how a rebinding begins. */
function vettedLookup(resolve: Resolve, policy: AddressPolicy): Lookup {
  const vetted = async (name: string) => {
    const addresses = await resolve(name).catch(() => []);
    if (addresses.length === 0) throw new Refused("dns");
    if (addresses.some((address) => policy(address) === "refused")) throw new Refused("refused_address");
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return (name, { all }, callback) => {
    vetted(name).then(
      (addresses) => {
        const [first] = addresses;
        if (all) callback(null, addresses);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, [], 0),
    );
  };
}

interface Post {
  agent: Agent;
  lookup: Lookup;
  policy: AddressPolicy;
  headers: Record<string, string>;
  body: string;
  deadline: AbortSignal;
}

type Answer = Omit<Outcome, "durationMs">;

const nothing = { status: null, headers: null, body: null };

interface Posted {
  answer: Answer;
  /** Nothing was heard, on a connection that had been used before. */
  stale: boolean;
}

function post(url: URL, { agent, lookup, policy, headers, body, deadline }: Post): Promise<Posted> {
  // `lookup` is not called for an address.
  const literal = literalOf(url.hostname);
  if (url.protocol !== "https:" || (literal !== undefined && policy(literal) === "refused"))
    return Promise.resolve({ answer: { ...nothing, errorClass: "refused_address" }, stale: false });

  const { promise, resolve } = Promise.withResolvers<Posted>();
  const end = (answer: Answer, stale = false) => resolve({ answer, stale });
  let heard: Pick<Answer, "status" | "headers" | "body"> = nothing;
  const req = request({
    agent,
    lookup,
    method: "POST",
    hostname: literal ?? url.hostname,
    port: url.port === "" ? 443 : Number(url.port),
    path: url.pathname + url.search,
    headers: { ...headers, Host: url.host },
  });
  const fail = (errorClass: ErrorClass) => {
    end({ ...heard, errorClass }, errorClass === "connect" && heard === nothing && req.reusedSocket);
    req.destroy();
  };
  const onDeadline = () => fail("timeout");
  deadline.addEventListener("abort", onDeadline);
  void promise.then(() => deadline.removeEventListener("abort", onDeadline));

  req.on("error", (error) => fail(classify(error)));
  req.on("response", (response) => {
    const status = response.statusCode ?? 0;
    const isPublic = policy(response.socket?.remoteAddress ?? "") === "public";
    heard = { status, headers: flat(response), body: null };
    readStart(response, (bytes) => {
      heard = { ...heard, body: isPublic ? textOf(bytes) : null };
      end({ ...heard, errorClass: judge(status) });
    });
    response.on("error", (error) => fail(classify(error)));
    response.on("close", () => fail("connect")); // after the end this comes too late to matter
  });
  req.end(body);
  return promise;
}

/** Reads the beginning of a body and gives up the connection if there is more. */
function readStart(response: IncomingMessage, done: (bytes: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on("data", (chunk: Buffer) => {
    if (length >= keptBody) return;
    chunks.push(chunk);
    length += chunk.length;
    if (length < keptBody) return;
    done(Buffer.concat(chunks).subarray(0, keptBody));
    response.destroy();
  });
  response.on("end", () => done(Buffer.concat(chunks)));
}

function judge(status: number): ErrorClass | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}

/** Undecodable bytes become U+FFFD, and so does NUL, at which some readers of SQLite's text stop. */
const textOf = (bytes: Buffer): string => bytes.toString("utf8").replaceAll("\0", "\uFFFD");

const flat = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
    ),
  );

/** What OpenSSL, BoringSSL and rustls call a connection that is not secure. */
const tlsFault = /CERT|SSL|TLS|SELF_SIGNED|VERIFY|ISSUER|HOSTNAME|EPROTO|handshake|certificate|alert/i;

/** Runtimes hand an error of `lookup` on as it is, or wrapped. */
function classify(error: unknown): ErrorClass {
  for (let link = error; link instanceof Error; link = link.cause) {
    if (link instanceof Refused) return link.errorClass;
    const code = "code" in link && typeof link.code === "string" ? link.code : "";
    if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "dns";
    if (tlsFault.test(code) || (code === "" && tlsFault.test(link.message))) return "tls";
  }
  return "connect";
}
