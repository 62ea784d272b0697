/** What a webhook endpoint looks like from outside: everything but its secrets, each of which is shown once. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { mask } from "../../../events/custom-headers.ts";
import { webhookEndpoints } from "../../../events/events.tables.ts";
import { idOf, instantOut } from "../../../http/fields.ts";
import { bool, field, json, type Resource, shape } from "../../../storage/shape.ts";
import { eventType } from "../event-log/event-log.schemas.ts";

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
    json(webhookEndpoints.event_types),
  ),
  enabled: field(z.boolean(), bool(webhookEndpoints.enabled)),
  disabled_reason: field(
    z
      .string()
      .nullable()
      .meta({
        description:
          "`by_hand`; `gone`: it answered 410; `failing`: its attempts have only failed for 5 days. Null while it is enabled.",
        examples: [null],
      }),
    webhookEndpoints.disabled_reason,
  ),
  headers: field(
    z.record(z.string(), z.literal(mask)).meta({
      description: "Sent with each delivery; their values are not shown.",
      examples: [{ "X-Receiver-Token": mask }],
    }),
    sql`json((select json_group_object(value, ${mask}) from json_each(${webhookEndpoints.header_names})))`,
  ),
  failing_since: field(
    instantOut.nullable().meta({
      description: "When the first attempt failed that no success has followed. Five days later it is disabled.",
      examples: [null],
    }),
    webhookEndpoints.failing_since,
  ),
  secondary_secret_expires_at: field(
    instantOut.nullable().meta({
      description: "Until then the secret before the last rotation signs as well. Null, or past: it does not.",
      examples: [null],
    }),
    webhookEndpoints.secondary_until,
  ),
  created_by: field(idOf<"user">(), webhookEndpoints.created_by),
  created_at: field(instantOut, webhookEndpoints.created_at),
  updated_at: field(instantOut, webhookEndpoints.updated_at),
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
