/** The response headers as components of the document, and which responses have them. */
import type { ZodOpenApiHeaderObject } from "zod-openapi";
import { EXAMPLE_TAG } from "./etag.ts";
import { countsWrites, isBySession, type Security } from "./route-security.ts";

export const headerComponents = {
  RequestId: { description: "Identifies the request in the log.", schema: { type: "string", format: "uuid" } },
  RetryAfter: { description: "Whole seconds to wait.", schema: { type: "integer", minimum: 1 } },
  RetryAfterCheck: {
    description: "Whole seconds to wait. Only while the organization's data is being checked.",
    required: false,
    schema: { type: "integer", minimum: 1 },
  },
  RateLimitPolicy: {
    description: "The limit: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers).",
    schema: { type: "string", examples: ['"api-key";q=600;w=60'] },
  },
  RateLimit: {
    description:
      "The remaining requests: `r` now, and the full limit again in `t` seconds. If `r` is 0, the next request is allowed in `t` seconds, as in `Retry-After`.",
    schema: { type: "string", examples: ['"api-key";r=599;t=1'] },
  },
  ETag: {
    description:
      "Identifies this response body; ends in `-gzip` if the body is compressed. Send it as `If-None-Match` to get 304 while the body is unchanged.",
    schema: { type: "string", examples: [EXAMPLE_TAG] },
  },
  ETagOfJson: {
    description: "As `ETag`. Only of JSON: not of CSV, PDF and other forms.",
    required: false,
    schema: { type: "string", examples: [EXAMPLE_TAG] },
  },
  PresentETag: {
    description: "What a GET of the resource gives now.",
    required: false,
    schema: { type: "string", examples: [EXAMPLE_TAG] },
  },
  IdempotencyReplayed: {
    description: "Only on the response to a repeat, which is the stored response of the first request.",
    // Explicit, for tools that validate responses against this document.
    required: false,
    schema: { type: "string", const: "true" },
  },
  NewLocation: {
    description: "The path of what was created.",
    schema: { type: "string", format: "uri-reference", examples: ["/orgs/01890a5d-ac96-774b-bcce-b302099a8057"] },
  },
  Link: {
    description:
      "The next page (RFC 8288), relative to the address of the request. By `offset` if the request has an `offset` and no `cursor`, otherwise by `cursor`. Missing at the end of the list.",
    required: false,
    schema: {
      type: "string",
      examples: ['</orgs/01890a5d-ac96-774b-bcce-b302099a8057/flights?limit=2&offset=2>; rel="next"'],
    },
  },
  Location: { description: "The address to continue at.", schema: { type: "string", format: "uri" } },
  Authenticate: { description: "How to authenticate.", schema: { type: "string", const: "Bearer" } },
} satisfies Record<string, ZodOpenApiHeaderObject>;

const ref = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });

/** The properties of a route that decide about its headers. */
export interface HeaderTraits {
  security: Security;
  hasETag: boolean;
  takesIdempotencyKey: boolean;
  takesIfMatch: boolean;
  /** Whether the method allows a body. */
  sendsBody: boolean;
  /** Whether it responds with a page of a list. */
  hasPages: boolean;
  /** Whether a request may fail because of an organization's database. */
  hasTenantData: boolean;
}

export function responseHeaders(
  status: number,
  { security, hasETag, takesIdempotencyKey, takesIfMatch, sendsBody, hasPages, hasTenantData }: HeaderTraits,
) {
  const isRead = status === 200 || status === 304;
  const isCounted = sendsBody && countsWrites(security);
  const limited = (typeof security === "object" || isCounted) && status !== 401;
  return {
    "X-Request-Id": ref("RequestId"),
    ...(hasETag && isRead && { ETag: ref(isBySession(security) ? "ETagOfJson" : "ETag") }),
    ...(takesIfMatch && status === 412 && { ETag: ref("PresentETag") }),
    ...(hasPages && isRead && { Link: ref("Link") }),
    ...(takesIdempotencyKey && status < 300 && { "Idempotency-Replayed": ref("IdempotencyReplayed") }),
    // A replay by an API key creates deliveries, which no API key can read.
    ...((status === 201 || status === 202) && typeof security !== "object" && { Location: ref("NewLocation") }),
    ...(status === 303 && { Location: ref("Location") }),
    ...(status === 401 && { "WWW-Authenticate": ref("Authenticate") }),
    ...(status === 503 && hasTenantData && { "Retry-After": ref("RetryAfterCheck") }),
    ...(status === 429 && { "Retry-After": ref("RetryAfter") }),
    ...(limited && { RateLimit: ref("RateLimit"), "RateLimit-Policy": ref("RateLimitPolicy") }),
  };
}
