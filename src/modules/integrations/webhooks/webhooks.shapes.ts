/** The JSON of a webhook endpoint: all fields except its secrets, each of which is shown once. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { mask } from "../../../events/custom-headers.ts";
import { webhookEndpoints } from "../../../events/events.tables.ts";
import { idOf, instantOut, stampsOut } from "../../../http/fields.ts";
import { columns } from "../../../storage/columns.ts";
import { accountName, knownBy, names } from "../../../storage/names.ts";
import { field, type Resource, shape } from "../../../storage/shape.ts";
import { enabled, endpointFields, headers } from "./webhooks.schemas.ts";

/** Beside the ids of endpoints. */
export const endpointUrl = knownBy(webhookEndpoints, "url", "https://example.com/webhooks");

export const webhookEndpoint = shape("WebhookEndpoint", {
  ...columns(webhookEndpoints, {
    id: idOf<"webhook_endpoint">(),
    ...endpointFields,
    enabled,
    disabled_reason: z
      .string()
      .nullable()
      .meta({
        description:
          "`by_hand`: a member disabled it; `gone`: it answered 410; `failing`: all attempts failed for 5 days. Null if it is enabled.",
        examples: [null],
      }),
  }),
  headers: field(
    headers.out,
    sql`json((select json_group_object(value, ${mask}) from json_each(${webhookEndpoints.header_names})))`,
  ),
  ...columns(webhookEndpoints, {
    failing_since: instantOut.nullable().meta({
      description:
        "When the first attempt after the last success failed. The endpoint is disabled if it fails for 5 days.",
      examples: [null],
    }),
  }),
  secondary_secret_expires_at: field(
    instantOut.nullable().meta({
      description: "Until when the previous secret signs too. Null or in the past: only the current secret signs.",
      examples: [null],
    }),
    webhookEndpoints.secondary_until,
  ),
  ...columns(webhookEndpoints, { created_by: idOf<"user">(), ...stampsOut }),
  ...names(webhookEndpoints, { created_by: accountName }),
});

export type WebhookEndpoint = Resource<typeof webhookEndpoint>;

/** An endpoint with its signing secret: the response to creating it and to rotating the secret. */
export const revealedWebhookEndpoint = webhookEndpoint.schema
  .extend({
    secret: z.string().meta({
      description:
        "`whsec_` and base64, the form of Standard Webhooks. The whole text is the HMAC key of `X-SVC-Webhook-Signature`, the decoded base64 that of `webhook-signature`. It is shown once.",
      examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw6CkGAZM5a1k="],
    }),
  })
  .meta({ id: "RevealedWebhookEndpoint" });

export type RevealedWebhookEndpoint = z.infer<typeof revealedWebhookEndpoint>;
