/** What the routes of webhook endpoints take. */
import { z } from "zod";
import { eventTypes } from "../../events/catalog.ts";
import { idOf, text } from "../../http/fields.ts";
import { paging } from "../../http/query.ts";
import { eventCatalog } from "../event-catalog.ts";

const url = text(2048).meta({
  format: "uri",
  description: "Of the receiver: https, at a public address.",
  examples: ["https://hooks.example.com/windsock"],
});

const types = z
  .array(z.enum(eventTypes.filter(eventCatalog.isSubscribable)))
  .min(1)
  .refine((names) => new Set(names).size === names.length, "Name each type once.")
  .meta({ description: "Types of event to be told of.", examples: [["flight.submitted", "flight.approved"]] });

const description = text(200).meta({ examples: ["Accounting"] });

export const NewWebhookEndpoint = z
  .strictObject({ url, event_types: types, description: description.nullable().optional() })
  .meta({ id: "NewWebhookEndpoint" });
export type NewWebhookEndpoint = z.infer<typeof NewWebhookEndpoint>;

export const WebhookEndpointChange = z
  .strictObject({
    url,
    event_types: types,
    description: description.nullable(),
    enabled: z.boolean().meta({ description: "False also cancels what is waiting to be delivered." }),
  })
  .partial()
  .refine((change) => Object.keys(change).length > 0, "Nothing to change.")
  .meta({ id: "WebhookEndpointChange", description: "Only what is given changes." });
export type WebhookEndpointChange = z.infer<typeof WebhookEndpointChange>;

export const EndpointRef = z.object({ orgId: idOf<"organization">(), endpointId: idOf<"webhook_endpoint">() });

export const EndpointListQuery = z.object({ ...paging });
