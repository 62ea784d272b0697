/** Headers that requests may carry beside their credential, and which routes take them. */
import { z } from "zod";
import { idOf } from "./fields.ts";
import { MAX_KEY_LENGTH } from "./idempotency-key.ts";
import type { RouteTraits } from "./openapi-errors.ts";
import type { HeaderTraits } from "./openapi-headers.ts";

const orgId = idOf<"organization">().meta({ description: "The organization the key belongs to." });

const ifNoneMatch = z
  .string()
  .optional()
  .meta({
    description:
      "The `ETag` of an answer you have: 304 and no body, if it still is the answer. A list of them, or `*`.",
    examples: ['"5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"'],
  });

const idempotencyKey = (showsSecret: boolean) =>
  z
    .string()
    .optional()
    .meta({
      description: `A new value for each thing to do, 1 to ${MAX_KEY_LENGTH} visible characters, with quotes or without. For 24 hours, the same request with the same key is carried out once: ${showsSecret ? "its answer carries a secret and is not kept, so a repeat gets 409." : "a repeat gets the first one's answer."} A request that is refused leaves its key free.`,
      examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
    });

export function requestHeaders({
  security,
  hasTag,
  isOnce,
  showsSecret,
}: HeaderTraits & Pick<RouteTraits, "showsSecret">): z.ZodObject | undefined {
  const headers = {
    ...(typeof security === "object" && { "X-Org-Id": orgId }),
    ...(hasTag && { "If-None-Match": ifNoneMatch }),
    ...(isOnce && { "Idempotency-Key": idempotencyKey(showsSecret) }),
  };
  return Object.keys(headers).length > 0 ? z.object(headers) : undefined;
}
