import type { IncomingMessage } from "node:http";
import { type Agent, request } from "node:https";
import { type AddressPolicy, literalOf } from "./addresses.ts";
import { type Answer, classify, type ErrorClass, judge, noAnswer } from "./outcome.ts";
import type { Lookup } from "./vetted-lookup.ts";

/** Bytes of an answer's body that are read and kept, and characters of its headers that are. */
const keptBody = 16 * 1024;
const keptHeaders = 4 * 1024;

/** Interim answers (1xx) that are put up with: each costs time, and nothing else would end a stream of them. */
const mostInterim = 8;

/** What it takes to post. */
export interface Post {
  agent: Agent;
  lookup: Lookup;
  policy: AddressPolicy;
  headers: Record<string, string>;
  body: string;
  deadline: AbortSignal;
}

interface Posted {
  answer: Answer;
  /** Nothing was heard, on a connection that had been used before. */
  stale: boolean;
}

/** Sends one request and reads the beginning of the answer. */
export function post(url: URL, { agent, lookup, policy, headers, body, deadline }: Post): Promise<Posted> {
  // `lookup` is not called for an address.
  const literal = literalOf(url.hostname);
  if (url.protocol !== "https:" || (literal !== undefined && policy(literal) === "refused"))
    return Promise.resolve({ answer: { ...noAnswer, errorClass: "refused_address" }, stale: false });

  const { promise, resolve } = Promise.withResolvers<Posted>();
  const end = (answer: Answer, stale = false) => resolve({ answer, stale });
  let heard: Pick<Answer, "status" | "headers" | "body"> = noAnswer;
  /** Ends with what the answer's status means; there once the head of an answer is. */
  let answered: (() => void) | undefined;
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
    const isSilent = heard === noAnswer && interim === 0;
    end({ ...heard, errorClass }, errorClass === "connect" && isSilent && req.reusedSocket);
    req.destroy();
  };
  const onDeadline = () => fail("timeout");
  deadline.addEventListener("abort", onDeadline);
  void promise.then(() => deadline.removeEventListener("abort", onDeadline));

  // An answer that is cut off, or has a body where there is none, is an answer: the receiver has said what it says.
  const broken = (errorClass: ErrorClass) => (answered ?? (() => fail(errorClass)))();
  req.on("error", (error) => broken(classify(error)));
  req.on("information", () => {
    interim += 1;
    if (interim > mostInterim) fail("connect");
  });
  req.on("response", (response) => {
    const status = response.statusCode ?? 0;
    const isPublic = policy(response.socket?.remoteAddress ?? "") === "public";
    heard = { status, headers: isPublic ? flat(response) : null, body: null };
    const read: Buffer[] = [];
    answered = () => {
      end({ ...heard, body: isPublic ? textOf(Buffer.concat(read)) : null, errorClass: judge(status) });
      if (!response.complete) req.destroy();
    };
    readStart(response, read, answered);
    response.on("error", (error) => broken(classify(error)));
    response.on("close", () => broken("connect")); // after the end this comes too late to matter
  });
  req.end(body);
  return promise;
}

/** Reads the beginning of a body and gives up the connection if there is more. */
function readStart(response: IncomingMessage, chunks: Buffer[], done: () => void): void {
  let length = 0;
  response.on("data", (chunk: Buffer) => {
    if (length >= keptBody) return;
    chunks.push(chunk.subarray(0, keptBody - length));
    length += chunk.length;
    if (length < keptBody) return;
    done();
    response.destroy();
  });
  response.on("end", done);
}

/**
 * Undecodable bytes become U+FFFD, and so does NUL, at which some readers of SQLite's text stop. Each becomes three bytes
 * with that, so what is kept is cut once more.
 */
function textOf(bytes: Buffer): string {
  const text = bytes.toString("utf8").replaceAll("\0", "\uFFFD");
  if (Buffer.byteLength(text) <= keptBody) return text;
  return Buffer.from(text)
    .subarray(0, keptBody)
    .toString("utf8")
    .replace(/\uFFFD$/, "");
}

/** The first of them, 4 KiB in all; a cookie is between the receiver and whoever logs in there. */
function flat({ headers }: IncomingMessage): Record<string, string> {
  const kept: [string, string][] = [];
  let room = keptHeaders;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === "set-cookie") continue;
    const text = Array.isArray(value) ? value.join(", ") : value;
    room -= name.length + text.length;
    if (room < 0) break;
    kept.push([name, text]);
  }
  return Object.fromEntries(kept);
}
