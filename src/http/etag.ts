/**
 * `ETag` and `If-None-Match` (RFC 9110, 8.8.3 and 13.1.2) for the public API: a client whose copy is current gets 304
 * without a body. The gate has already authenticated the client.
 */
import { contentHash } from "../core/content-hash.ts";
import { KeptBody } from "../core/kept-body.ts";
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

/** For a gate's `onAfterHandle`. @returns the response with its tag, or a 304 */
export function conditional({ request, responseValue, set }: Answered): Response | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const isJson = responseValue instanceof EncodedText || !(responseValue instanceof Response);
  if (!isJson) return undefined;
  const answer = responseValue instanceof EncodedText ? responseValue : jsonText(JSON.stringify(responseValue));
  const { content } = answer;
  const tags = tagsFor(request, content);
  const wanted = request.headers.get("if-none-match");
  const held = wanted === null ? undefined : tags.find((tag) => names(wanted, tag));
  set.headers["cache-control"] = CACHE_CONTROL;
  set.headers.vary = content instanceof KeptBody ? `${VARY}, Accept-Encoding` : VARY;
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
