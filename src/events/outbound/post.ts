import type { IncomingMessage } from "node:http";
import { type Agent, request } from "node:https";
import { type AddressPolicy, literalOf } from "./addresses.ts";
import { classifyError, classifyStatus, type ErrorClass, noResponse, type UntimedOutcome } from "./outcome.ts";
import type { Lookup } from "./vetted-lookup.ts";

/** How much of a response is read and kept: bytes of the body, and characters of the headers. */
const maxBody = 16 * 1024;
const maxHeaders = 4 * 1024;

/** Interim responses (1xx) that are accepted. Without a limit, a stream of them keeps the connection until the timeout. */
const maxInterim = 8;

export interface PostOptions {
  agent: Agent;
  lookup: Lookup;
  policy: AddressPolicy;
  headers: Record<string, string>;
  body: string;
  deadline: AbortSignal;
}

/** Sends one request, once, and reads the start of the response. */
export function post(
  url: URL,
  { agent, lookup, policy, headers, body, deadline }: PostOptions,
): Promise<UntimedOutcome> {
  // Node does not call `lookup` for an address, so the policy is applied here.
  const literal = literalOf(url.hostname);
  if (url.protocol !== "https:" || (literal !== undefined && policy(literal) === "refused"))
    return Promise.resolve({ ...noResponse, errorClass: "refused_address" });

  const { promise, resolve: end } = Promise.withResolvers<UntimedOutcome>();
  let received: Pick<UntimedOutcome, "status" | "headers" | "body"> = noResponse;
  /** Ends with the outcome that the status means. Set when the head of a response is received. */
  let endByStatus: (() => void) | undefined;
  const req = request({
    agent,
    lookup,
    method: "POST",
    hostname: literal ?? url.hostname,
    port: url.port === "" ? 443 : Number(url.port),
    path: url.pathname + url.search,
    headers: { ...headers, Host: url.host },
  });
  let interim = 0;
  const fail = (errorClass: ErrorClass) => {
    end({ ...received, errorClass });
    req.destroy();
  };
  const onDeadline = () => fail("timeout");
  deadline.addEventListener("abort", onDeadline);
  void promise.then(() => deadline.removeEventListener("abort", onDeadline));

  // A response that is cut off, or has a body that its status does not allow, is still a response: the status counts.
  const onError = (errorClass: ErrorClass) => (endByStatus ?? (() => fail(errorClass)))();
  let isConnected = false;
  req.on("socket", (socket) => {
    isConnected = req.reusedSocket;
    if (!isConnected) socket.once("secureConnect", () => (isConnected = true));
  });
  req.on("error", (error) => {
    const errorClass = classifyError(error);
    onError(errorClass === "connect" && isConnected ? "no_response" : errorClass);
  });
  req.on("information", () => {
    interim += 1;
    if (interim > maxInterim) fail("no_response");
  });
  req.on("response", (response) => {
    const status = response.statusCode ?? 0;
    const isPublic = policy(response.socket?.remoteAddress ?? "") === "public";
    received = { status, headers: isPublic ? keptHeaders(response) : null, body: null };
    const read: Buffer[] = [];
    endByStatus = () => {
      end({ ...received, body: isPublic ? textOf(Buffer.concat(read)) : null, errorClass: classifyStatus(status) });
      if (!response.complete) req.destroy();
    };
    readStart(response, read, endByStatus);
    response.on("error", (error) => onError(classifyError(error)));
    response.on("close", () => onError("no_response")); // no effect after the end
  });
  req.end(body);
  return promise;
}

/** Reads the start of a body and closes the connection if there is more. */
function readStart(response: IncomingMessage, chunks: Buffer[], done: () => void): void {
  let length = 0;
  response.on("data", (chunk: Buffer) => {
    if (length >= maxBody) return;
    chunks.push(chunk.subarray(0, maxBody - length));
    length += chunk.length;
    if (length < maxBody) return;
    done();
    response.destroy();
  });
  response.on("end", done);
}

/**
 * Decodes bytes. Invalid bytes become U+FFFD, and so does NUL, at which some readers of SQLite's text stop. U+FFFD takes
 * three bytes, so the text is cut again.
 */
function textOf(bytes: Buffer): string {
  const text = bytes.toString("utf8").replaceAll("\0", "\uFFFD");
  if (Buffer.byteLength(text) <= maxBody) return text;
  return Buffer.from(text)
    .subarray(0, maxBody)
    .toString("utf8")
    .replace(/\uFFFD$/, "");
}

/** Returns the first 4 KiB of the headers. Omits cookies, which may be credentials of the receiver's users. */
function keptHeaders({ headers }: IncomingMessage): Record<string, string> {
  const kept: [string, string][] = [];
  let left = maxHeaders;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === "set-cookie") continue;
    const text = Array.isArray(value) ? value.join(", ") : value;
    left -= name.length + text.length;
    if (left < 0) break;
    kept.push([name, text]);
  }
  return Object.fromEntries(kept);
}
