/** What a webhook endpoint looks like from outside: everything but its secrets, each of which is shown once. */
import { z } from "zod";
import { webhookEndpoints } from "../../events/events.tables.ts";
import { idOf, instantOut } from "../../http/fields.ts";
import { bool, field, json, type Resource, shape } from "../../storage/shape.ts";
import { eventType } from "./event-log.schemas.ts";

export const webhookEndpoint = shape("WebhookEndpoint", {
  id: field(idOf<"webhook_endpoint">(), webhookEndpoints.id),
  url: field(z.string().meta({ examples: ["https://hooks.example.com/windsock"] }), webhookEndpoints.url),
  description: field(
    z
      .string()
      .nullable()
      .meta({ examples: ["Accounting"] }),
    webhookEndpoints.description,
  ),
  event_types: field(
    z.array(eventType).meta({ examples: [["flight.submitted", "flight.approved"]] }),
    json(webhookEndpoints.eventTypes),
  ),
  enabled: field(z.boolean(), bool(webhookEndpoints.enabled)),
  disabled_reason: field(
    z
      .string()
      .nullable()
      .meta({ description: "`by_hand`, or `gone`: it answered 410. Null while it is enabled.", examples: [null] }),
    webhookEndpoints.disabledReason,
  ),
  secondary_secret_expires_at: field(
    instantOut.nullable().meta({
      description: "Until then the secret before the last rotation signs as well. Null, or past: it does not.",
      examples: [null],
    }),
    webhookEndpoints.secondaryUntil,
  ),
  created_by: field(idOf<"user">(), webhookEndpoints.createdBy),
  created_at: field(instantOut, webhookEndpoints.createdAt),
  updated_at: field(instantOut, webhookEndpoints.updatedAt),
});

export type WebhookEndpoint = Resource<typeof webhookEndpoint>;

/** An endpoint as it is shown the one time that its signing secret is: when it is made, and when the secret is rotated. */
export const revealedWebhookEndpoint = webhookEndpoint.schema
  .extend({
    secret: z.string().meta({
      description: "The key of the signatures' HMAC. It is shown this once.",
      examples: ["whsec_example"],
    }),
  })
  .meta({ id: "RevealedWebhookEndpoint" });

export type RevealedWebhookEndpoint = z.infer<typeof revealedWebhookEndpoint>;
