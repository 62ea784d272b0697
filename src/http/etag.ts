/**
 * `ETag` and `If-None-Match` (RFC 9110, 8.8.3 and 13.1.2) for what integrators read: whoever has the present answer
 * already gets 304 and no body. Who may ask is decided before, at the door.
 */
import { sha256 } from "../core/crypto.ts";
import { JsonText } from "./json-text.ts";

/**
 * Everywhere else `no-store` holds; here a client is to keep what it got, or it would have nothing to ask about.
 * `private`: no cache that others share. `no-cache`: ask each time, so that a key's end is the end of its answers.
 */
const KEPT = { "cache-control": "private, no-cache", vary: "Authorization, X-Org-Id" };

interface Answered {
  request: Request;
  responseValue: unknown;
  set: { headers: Record<string, string | number | string[] | undefined>; status?: number | string };
}

/** For a door's `onAfterHandle`. @returns the answer with its tag, or the 304 in its place */
export function conditional({ request, responseValue, set }: Answered): Response | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  const isJson = responseValue instanceof JsonText || !(responseValue instanceof Response);
  if (!isJson) return undefined;
  const answer =
    responseValue instanceof JsonText ? responseValue : new JsonText(JSON.stringify(responseValue), undefined);
  const tag = answer.tag ?? sha256(answer.encoded);
  Object.assign(set.headers, KEPT, { etag: `"${tag}"` });
  if (!matches(request.headers.get("if-none-match"), tag)) return answer;
  set.status = 304;
  return new Response(null, { status: 304 });
}

/** Compares weakly, as RFC 9110 has it for this header: caches on the way may have weakened a tag. */
function matches(header: string | null, tag: string): boolean {
  if (header === null) return false;
  if (header.trim() === "*") return true;
  return [...header.matchAll(/"([^"]*)"/g)].some(([, listed]) => listed === tag);
}
