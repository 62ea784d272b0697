/**
 * `ETag` and `If-None-Match` (RFC 9110, 8.8.3 and 13.1.2) for what integrators read: whoever has the present answer
 * already gets 304 and no body. Who may ask is decided before, at the door.
 */
import { sha256 } from "../core/crypto.ts";
import { EncodedText, isCompressed, jsonText } from "./json-text.ts";

/**
 * Everywhere else `no-store` holds; here a client is to keep what it got, or it would have nothing to ask about.
 * `private`: no cache that others share. `no-cache`: ask each time, so that a key's end is the end of its answers.
 */
const CACHE_CONTROL = "private, no-cache";
const VARY = "Authorization, X-Org-Id";

interface Answered {
  request: Request;
  responseValue: unknown;
  set: { headers: Record<string, string | number | string[] | undefined>; status?: number | string };
}

/** For a door's `onAfterHandle`. @returns the answer with its tag, or the 304 in its place */
export function conditional({ request, responseValue, set }: Answered): Response | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const isJson = responseValue instanceof EncodedText || !(responseValue instanceof Response);
  if (!isJson) return undefined;
  const answer = responseValue instanceof EncodedText ? responseValue : jsonText(JSON.stringify(responseValue));
  const { content } = answer;
  const tags = tagsFor(request, content);
  const wanted = request.headers.get("if-none-match");
  const held = wanted === null ? undefined : tags.find((tag) => matches(wanted, tag));
  set.headers["cache-control"] = CACHE_CONTROL;
  set.headers.vary = typeof content === "string" ? VARY : `${VARY}, Accept-Encoding`;
  set.headers.etag = `"${held ?? tags[0]}"`;
  if (held === undefined) return answer;
  set.status = 304;
  return new Response(null, { status: 304 });
}

/**
 * The tags of the forms that the client may hold, first the one it would be sent. A strong tag names bytes, so the
 * compressed form has another than the plain one (RFC 9110, 8.8.3.3); both say the same.
 */
function tagsFor(request: Request, content: EncodedText["content"]): [string, ...string[]] {
  if (typeof content === "string") return [sha256(content)];
  return isCompressed(content, request) ? [`${content.tag}-gzip`, content.tag] : [content.tag];
}

/** Compares weakly, as RFC 9110 has it for this header: caches on the way may have weakened a tag. */
function matches(header: string, tag: string): boolean {
  if (header.trim() === "*") return true;
  return [...header.matchAll(/"([^"]*)"/g)].some(([, listed]) => listed === tag);
}
