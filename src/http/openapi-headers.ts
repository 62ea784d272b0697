/** Headers of responses, as components of the document, and which response carries which. */
import type { ZodOpenApiHeaderObject } from "zod-openapi";
import type { Security } from "./route-security.ts";

export const headerComponents = {
  RequestId: { description: "Names the request in the log.", schema: { type: "string", format: "uuid" } },
  RetryAfter: { description: "Whole seconds to wait.", schema: { type: "integer", minimum: 1 } },
  RateLimitPolicy: {
    description: "The limit: `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers).",
    schema: { type: "string", examples: ['"api-key";q=600;w=60'] },
  },
  RateLimit: {
    description: "What is left of it: `r` requests now, all of them again in `t` seconds.",
    schema: { type: "string", examples: ['"api-key";r=599;t=1'] },
  },
  ETag: {
    description: "Names this very answer: send it as `If-None-Match` to be told whether it still is the answer.",
    schema: { type: "string", examples: ['"5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"'] },
  },
  IdempotencyReplayed: {
    description: "Only on the answer to a repeat: it is the one that the first request had, and nothing was done.",
    // Said although it is so by default, for whoever holds answers to this document.
    required: false,
    schema: { type: "string", const: "true" },
  },
  Location: { description: "Where to go on.", schema: { type: "string", format: "uri" } },
  Authenticate: { description: "How to authenticate.", schema: { type: "string", const: "Bearer" } },
} satisfies Record<string, ZodOpenApiHeaderObject>;

const ref = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });

/** What follows for headers from what a route is. */
export interface HeaderTraits {
  security: Security;
  hasTag: boolean;
  isOnce: boolean;
}

export function responseHeaders(status: number, { security, hasTag, isOnce }: HeaderTraits) {
  const limited = typeof security === "object" && status !== 401;
  return {
    "X-Request-Id": ref("RequestId"),
    ...(hasTag && (status === 200 || status === 304) && { ETag: ref("ETag") }),
    ...(isOnce && status < 300 && { "Idempotency-Replayed": ref("IdempotencyReplayed") }),
    ...(status === 303 && { Location: ref("Location") }),
    ...(status === 401 && { "WWW-Authenticate": ref("Authenticate") }),
    ...(status === 429 && { "Retry-After": ref("RetryAfter") }),
    ...(limited && { RateLimit: ref("RateLimit"), "RateLimit-Policy": ref("RateLimitPolicy") }),
  };
}
