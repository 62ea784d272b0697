/** The request headers besides the credential, and which routes take them. */
import { z } from "zod";
import { EXAMPLE_TAG } from "./etag.ts";
import { idOf } from "./fields.ts";
import { MAX_KEY_LENGTH } from "./idempotency-key.ts";
import type { RouteTraits } from "./openapi-errors.ts";
import type { HeaderTraits } from "./openapi-headers.ts";

const orgId = idOf<"organization">().meta({ description: "The organization the key belongs to." });

const namedOrgId = idOf<"organization">().optional().meta({
  description: "The organization. By default the one of the session, which is the first that the account joined.",
});

const ifNoneMatch = z
  .string()
  .optional()
  .meta({
    description:
      "The `ETag` of a body that the client has, a list of them, or `*`. If the body is unchanged: 304 without a body.",
    examples: [EXAMPLE_TAG],
  });

const ifMatch = z
  .string()
  .optional()
  .meta({
    description:
      "The `ETag` of a GET of this path or, where that has none, of the next one above it; a list of them, or `*`. If a GET would not give it any more: 412 `resource_changed`, and nothing is changed.",
    examples: [EXAMPLE_TAG],
  });

const idempotencyKey = (showsSecret: boolean) =>
  z
    .string()
    .optional()
    .meta({
      description: `A new value for each operation, 1 to ${MAX_KEY_LENGTH} visible characters, with or without quotes. For 24 hours, the same request with the same key is carried out once: ${showsSecret ? "its response has a secret and is not stored, so a repeat gets 409 `answer_shown_once`." : "a repeat gets the first response, or 409 `answer_lost` if that was lost in a crash."} 409 \`request_in_progress\`: the first request has not finished. After a refusal, the key can be used again.`,
      examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
    });

export function requestHeaders({
  security,
  hasETag,
  takesIdempotencyKey,
  takesIfMatch,
  showsSecret,
}: HeaderTraits & Pick<RouteTraits, "showsSecret">): z.ZodObject | undefined {
  const headers = {
    ...(typeof security === "object" && { "X-Org-Id": orgId }),
    ...((security === "named-organization" || security === "user-or-member") && { "X-Org-Id": namedOrgId }),
    ...(hasETag && { "If-None-Match": ifNoneMatch }),
    ...(takesIfMatch && { "If-Match": ifMatch }),
    ...(takesIdempotencyKey && { "Idempotency-Key": idempotencyKey(showsSecret) }),
  };
  return Object.keys(headers).length > 0 ? z.object(headers) : undefined;
}
