/**
 * What an endpoint is sent, for the OpenAPI document: one webhook for each type of the catalog. `events/signing.ts` makes
 * the body and the headers, `events/record-attempts.ts` decides what an answer leads to.
 */
import { z } from "zod";
import { hours, seconds } from "../../../core/clock.ts";
import type { CatalogEntry, Stability } from "../../../events/catalog.ts";
import { deliveryTimeout } from "../../../events/outbound/sender.ts";
import { retryDelays } from "../../../events/record-attempts.ts";
import { rotationWindow } from "../../../events/signing-secrets.ts";
import { EXAMPLE_INSTANT, idOf, instantOut } from "../../../http/fields.ts";
import type { DocumentedWebhooks } from "../../../http/openapi.ts";
import { eventId } from "../event-log/event-id.ts";

const rotationHours = rotationWindow / hours(1);

const signature = z
  .string()
  .regex(/^sha256=[0-9a-f]{64}$/)
  .meta({ examples: ["sha256=0f4636c78f65d3639ece5a064b5ae753e3408614a14fb18ab4d7540d2c248543"] });

/** Each is a component of the document, which all webhooks refer to. */
const headers = z.object({
  "X-SVC-Webhook-Delivery": idOf<"delivery">().meta({
    description: "Names the delivery. It is the same for every attempt: deduplicate on it.",
    param: { id: "WebhookDelivery" },
  }),
  "X-SVC-Webhook-Timestamp": instantOut.meta({
    description: "When this attempt was signed. It is not itself signed.",
    param: { id: "WebhookTimestamp" },
  }),
  "X-SVC-Webhook-Signature": signature.meta({
    description:
      "`sha256=` and the hex HMAC-SHA256 of the raw body. The key is the whole signing secret as it was shown, `whsec_` included. Compare in constant time.",
    param: { id: "WebhookSignature" },
  }),
  "X-SVC-Webhook-Signature-Primary": signature.optional().meta({
    description: `Only for ${rotationHours} hours after a rotation: the signature with the new secret, once more.`,
    param: { id: "WebhookSignaturePrimary" },
  }),
  "X-SVC-Webhook-Signature-Secondary": signature.optional().meta({
    description: `Only for ${rotationHours} hours after a rotation: the signature with the secret before it.`,
    param: { id: "WebhookSignatureSecondary" },
  }),
});

const within = `${deliveryTimeout / seconds(1)} seconds`;
const pauses = retryDelays.map((delay) => delay / seconds(1));

const responses = {
  "2XX": { description: `Delivered, if it is answered within ${within}.` },
  410: { description: "The endpoint is disabled, and what waits for it is cancelled." },
  default: {
    description: `Not delivered; a redirect is not followed. It is tried again after ${pauses.slice(0, -1).join(", ")} and ${pauses.at(-1)} seconds, and so it is when there is no answer within ${within}. Then it has failed.`,
  },
};

const stabilities: Record<Stability, string> = {
  stable: "Stable: its form is frozen.",
  beta: "Beta: fields may be added or renamed.",
  planned: "Planned: the name is reserved.",
};

/** By type of event, in the catalog's order. */
export const documentedWebhooks = (entries: readonly CatalogEntry[]): DocumentedWebhooks =>
  Object.fromEntries(
    entries.map((entry) => {
      const { type, description, stability, emitted, example } = entry;
      const event = { type, id: eventId.meta()?.examples?.[0], occurred_at: lastInstant(example), data: example };
      const documented = {
        operationId: `on${type.split(".").map(capital).join("")}`,
        summary: description.replace(/\.$/, ""),
        description: `${stabilities[stability]}${emitted ? "" : " Nothing emits it yet."}`,
        tags: ["Webhooks"],
        // The signature is no scheme that OpenAPI knows: the header says how to check it.
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

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** An event occurs with the last thing that its data tells of. */
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
      data: z.unknown().meta({ override: ({ jsonSchema }) => void Object.assign(jsonSchema, inlined(schema)) }),
    }),
  });

const DEFINITION = "#/$defs/";

/** A schema that may stand inside a document: it names no version, and has its definitions where it refers to them. */
function inlined(schema: Record<string, unknown>): Record<string, unknown> {
  const { $schema: _, $defs: definitions = {}, ...rest } = schema;
  const put = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(put);
    if (!isNode(node)) return node;
    const { $ref: ref, ...beside } = node;
    const name = typeof ref === "string" && ref.startsWith(DEFINITION) ? ref.slice(DEFINITION.length) : undefined;
    const meant = name !== undefined && isNode(definitions) ? definitions[name] : undefined;
    const whole = isNode(meant) ? { ...meant, ...beside } : node;
    return Object.fromEntries(Object.entries(whole).map(([key, value]) => [key, put(value)]));
  };
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, put(value)]));
}

const isNode = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
