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
  Authenticate: { description: "How to authenticate.", schema: { type: "string", const: "Bearer" } },
} satisfies Record<string, ZodOpenApiHeaderObject>;

const ref = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });

export function responseHeaders(status: number, security: Security) {
  const limited = typeof security === "object" && status !== 401;
  return {
    "X-Request-Id": ref("RequestId"),
    ...(status === 401 && { "WWW-Authenticate": ref("Authenticate") }),
    ...(status === 429 && { "Retry-After": ref("RetryAfter") }),
    ...(limited && { RateLimit: ref("RateLimit"), "RateLimit-Policy": ref("RateLimitPolicy") }),
  };
}
