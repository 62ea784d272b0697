/**
 * Describes the webhook requests in the OpenAPI document: one webhook for each type of the catalog. `events/signing.ts`
 * makes the body and the headers, `events/record-attempts.ts` decides what follows from a response.
 */
import { z } from "zod";
import { hours, seconds } from "../../../core/clock.ts";
import type { CatalogEntry, Stability } from "../../../events/catalog.ts";
import { deliveryTimeout } from "../../../events/outbound/sender.ts";
import { retryDelays } from "../../../events/retry-delays.ts";
import { rotationWindow } from "../../../events/signing-secrets.ts";
import { EXAMPLE_INSTANT, idOf, instantOut } from "../../../http/fields.ts";
import type { DocumentedWebhooks } from "../../../http/openapi-info.ts";
import { eventId } from "../event-log/event-log.schemas.ts";

const rotationHours = rotationWindow / hours(1);

const signature = z
  .string()
  .regex(/^sha256=[0-9a-f]{64}$/)
  .meta({ examples: ["sha256=0f4636c78f65d3639ece5a064b5ae753e3408614a14fb18ab4d7540d2c248543"] });

/** Each header is a component of the document, to which all webhooks refer. */
const headers = z.object({
  "X-SVC-Webhook-Delivery": idOf<"delivery">().meta({
    description: "The id of the delivery. It is the same for each attempt: deduplicate on it.",
    param: { id: "WebhookDelivery" },
  }),
  "X-SVC-Webhook-Timestamp": instantOut.meta({
    description: "When this attempt was signed. The signature does not cover it.",
    param: { id: "WebhookTimestamp" },
  }),
  "X-SVC-Webhook-Signature": signature.meta({
    description:
      "`sha256=` and the hex HMAC-SHA256 of the raw body. The key is the whole signing secret, including `whsec_`. Compare in constant time.",
    param: { id: "WebhookSignature" },
  }),
  "X-SVC-Webhook-Signature-Primary": signature.optional().meta({
    description: `The signature with the new secret. Only for ${rotationHours} hours after a rotation.`,
    param: { id: "WebhookSignaturePrimary" },
  }),
  "X-SVC-Webhook-Signature-Secondary": signature.optional().meta({
    description: `The signature with the previous secret. Only for ${rotationHours} hours after a rotation.`,
    param: { id: "WebhookSignatureSecondary" },
  }),
  "webhook-id": idOf<"delivery">().meta({
    description: "The same as `X-SVC-Webhook-Delivery`, under the name of Standard Webhooks.",
    param: { id: "StandardWebhookId" },
  }),
  "webhook-timestamp": z
    .string()
    .regex(/^\d+$/)
    .meta({
      description: "When this attempt was signed, in seconds since 1970. `webhook-signature` covers it.",
      examples: ["1781427600"],
      param: { id: "StandardWebhookTimestamp" },
    }),
  "webhook-signature": z
    .string()
    .regex(/^v1,[A-Za-z\d+/]{43}=( v1,[A-Za-z\d+/]{43}=)?$/)
    .meta({
      description: `\`v1,\` and the base64 HMAC-SHA256 of \`webhook-id\`, \`webhook-timestamp\` and the raw body, joined by periods. The key is the decoded base64 of the secret. For ${rotationHours} hours after a rotation a second signature with the previous secret follows after a space. The libraries of Standard Webhooks verify it.`,
      examples: ["v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4="],
      param: { id: "StandardWebhookSignature" },
    }),
});

const within = `${deliveryTimeout / seconds(1)} seconds`;
const pauses = retryDelays.map((delay) => delay / seconds(1));

/** Components of the document, to which all webhooks refer. */
const responses = {
  "2XX": { id: "Delivered", description: `Delivered, if the response arrives within ${within}.` },
  410: { id: "Disabled", description: "The endpoint is disabled, and its pending deliveries are cancelled." },
  default: {
    id: "NotDelivered",
    description: `Not delivered. Redirects are not followed. Windsock retries after ${pauses.slice(0, -1).join(", ")} and ${pauses.at(-1)} seconds, also if there is no response within ${within}. After the last attempt the delivery has failed.`,
  },
};

const stabilities: Record<Stability, string> = {
  stable: "Stable: its schema is frozen.",
  beta: "Beta: fields may be added or renamed.",
  planned: "Planned: the name is reserved.",
};

/** Returns the webhooks by type of event, in the order of the catalog. */
export const documentedWebhooks = (entries: readonly CatalogEntry[]): DocumentedWebhooks =>
  Object.fromEntries(
    entries.map((entry) => {
      const { type, description, stability, example } = entry;
      const event = { type, id: eventId.meta()?.examples?.[0], occurred_at: lastInstant(example), data: example };
      const documented = {
        operationId: `on${type.split(".").map(capital).join("")}`,
        summary: description.replace(/\.$/, ""),
        description: stabilities[stability],
        tags: ["Webhooks"],
        // OpenAPI has no security scheme for the signature; the description of the header says how to check it.
        security: [],
        requestParams: { header: headers },
        requestBody: {
          required: true,
          content: { "application/json": { schema: envelopeOf(entry), example: { event } } },
        },
        responses,
      };
      return [type, documented];
    }),
  );

/** Returns the schema of the data of any event, and the components that it refers to. */
export const documentedEventData = (entries: readonly CatalogEntry[]): Record<string, object> => ({
  ...Object.fromEntries(entries.flatMap(({ schema }) => Object.entries(referring(schema.$defs ?? {})))),
  EventData: { anyOf: entries.map(({ schema, description }) => ({ ...dataSchema(schema), description })) },
});

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the last instant in the example data, when the event occurred. */
const lastInstant = (data: unknown): string =>
  JSON.stringify(data)
    .match(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g)
    ?.sort()
    .at(-1) ?? EXAMPLE_INSTANT;

const envelopeOf = ({ type, schema }: CatalogEntry) =>
  z.object({
    event: z.object({
      type: z.literal(type),
      id: eventId,
      occurred_at: instantOut,
      data: z.unknown().meta({ override: ({ jsonSchema }) => void Object.assign(jsonSchema, dataSchema(schema)) }),
    }),
  });

/** Returns the schema for use inside the document, whose components have the names of its definitions. */
function dataSchema({ $schema: _, $defs: __, ...schema }: Record<string, unknown>): object {
  return referring(schema);
}

function referring<Node>(node: Node): Node;
function referring(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(referring);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "$ref" ? String(value).replace("#/$defs/", "#/components/schemas/") : referring(value),
    ]),
  );
}
