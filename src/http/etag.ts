/**
 * `ETag` and `If-None-Match` (RFC 9110, 8.8.3 and 13.1.2): a client whose copy is current gets 304 without a body. The gate has
 * already authenticated the client.
 */
import { contentHash } from "../core/content-hash.ts";
import { KeptBody } from "../core/kept-body.ts";
import { isRead } from "./is-read.ts";
import { EncodedText, isCompressed, jsonText } from "./json-text.ts";

/**
 * Other routes send `no-store`. Here clients store the body, in order to revalidate it. `private`: not in shared caches.
 * `no-cache`: clients revalidate each time, so a revoked key gets no more data.
 */
const CACHE_CONTROL = "private, no-cache";
export const EXAMPLE_TAG = '"3b1f8c40d29ae675"';

const VARY = "Authorization, X-Org-Id";

interface Answered {
  request: Request;
  responseValue: unknown;
  set: { headers: Record<string, string | number | string[] | undefined>; status?: number | string };
}

/**
 * For Elysia's `mapResponse`: as `conditional`, for GETs with a session. No cache stores the body (`no-store`): a client compares it with
 * what it holds in memory. It is compressed.
 */
export function revalidated({ request, responseValue, set }: Answered): Response | undefined {
  const isDone = set.status === undefined || set.status === 200;
  if (!isRead(request) || !isDone) return undefined;
  const answer = jsonAnswer(responseValue);
  if (answer === undefined) return undefined;
  const { content, mediaType } = answer;
  const body = content instanceof KeptBody ? content : new KeptBody(content);
  return tagged(request, set, new EncodedText(body, mediaType));
}

/** For a gate's `onAfterHandle`. @returns the response with its tag, or a 304 */
export function conditional({ request, responseValue, set }: Answered): Response | undefined {
  if (!isRead(request)) return undefined;
  const answer = jsonAnswer(responseValue);
  if (answer === undefined) return undefined;
  set.headers["cache-control"] = CACHE_CONTROL;
  set.headers.vary = answer.content instanceof KeptBody ? `${VARY}, Accept-Encoding` : VARY;
  return tagged(request, set, answer);
}

/** Returns what a route answers as text; `undefined` for a response of its own, such as a file. */
function jsonAnswer(responseValue: unknown): EncodedText | undefined {
  if (responseValue instanceof EncodedText) return responseValue;
  return responseValue instanceof Response ? undefined : jsonText(JSON.stringify(responseValue));
}

function tagged(request: Request, set: Answered["set"], answer: EncodedText): Response {
  const tags = tagsFor(request, answer.content);
  const wanted = request.headers.get("if-none-match");
  const held = wanted === null ? undefined : tags.find((tag) => names(wanted, tag));
  set.headers.etag = `"${held ?? tags[0]}"`;
  if (held === undefined) return answer;
  set.status = 304;
  return new Response(null, { status: 304 });
}

/**
 * Returns the tags of the body's forms, first the one to send. A strong tag identifies bytes, so the compressed form has
 * its own tag (RFC 9110, 8.8.3.3); both have the same content.
 */
function tagsFor(request: Request, content: EncodedText["content"]): [string, ...string[]] {
  if (!(content instanceof KeptBody)) return [contentHash(content)];
  return isCompressed(content, request) ? [`${content.tag}-gzip`, content.tag] : [content.tag];
}

/**
 * Returns whether an `If-None-Match` names the tag. Compares weakly, as RFC 9110, 13.1.2 requires: a cache may have weakened
 * a tag.
 */
export function names(header: string, tag: string): boolean {
  if (header.trim() === "*") return true;
  return [...header.matchAll(/"([^"]*)"/g)].some(([, listed]) => listed === tag);
}
