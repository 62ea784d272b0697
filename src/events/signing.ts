/** The body and the signed headers of a delivery. */
import { createHmac } from "node:crypto";
import { type Instant, seconds } from "../core/clock.ts";
import type { DeliveryId, EventId } from "../core/ids.ts";

/** Returns the body of a delivery. `data` is inserted as the stored text, so the signed bytes are the committed ones. */
export function envelope(event: { type: string; id: EventId; occurredAt: Instant; data: string }): string {
  const head = JSON.stringify({ type: event.type, id: event.id, occurred_at: event.occurredAt });
  return `{"event":${head.slice(0, -1)},"data":${event.data}}}`;
}

/** The prefix of a signing secret. */
export const secretPrefix = "whsec_";

/** An endpoint's secrets, unsealed. */
export interface SigningSecrets {
  primary: string;
  secondary?: { secret: string; until: Instant } | undefined;
}

/**
 * Returns the contract's headers and those of Standard Webhooks (standardwebhooks.com), whose libraries verify a delivery.
 *
 * @param now the time of signing; the secondary secret signs only before its `until`
 */
export function deliveryHeaders(
  body: string,
  { deliveryId, secrets, now }: { deliveryId: DeliveryId; secrets: SigningSecrets; now: Instant },
): Record<string, string> {
  const { primary } = secrets;
  const secondary = secrets.secondary && now < secrets.secondary.until ? secrets.secondary.secret : undefined;
  const signature = sign(body, primary);
  const timestamp = String(Math.floor(Date.parse(now) / seconds(1)));
  const signed = `${deliveryId}.${timestamp}.${body}`;
  return {
    "Content-Type": "application/json",
    "X-SVC-Webhook-Delivery": deliveryId,
    "X-SVC-Webhook-Timestamp": now,
    "X-SVC-Webhook-Signature": signature,
    ...(secondary !== undefined && {
      "X-SVC-Webhook-Signature-Primary": signature,
      "X-SVC-Webhook-Signature-Secondary": sign(body, secondary),
    }),
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "webhook-signature": [primary, ...(secondary === undefined ? [] : [secondary])]
      .map((secret) => signStandard(signed, secret))
      .join(" "),
  };
}

/** The contract's signature. The key is the whole text of the secret. */
const sign = (body: string, secret: string): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

/**
 * The signature of Standard Webhooks. The key is what the base64 after the prefix encodes. The first secrets have base64url
 * there; `Buffer` decodes both.
 */
const signStandard = (text: string, secret: string): string => {
  const key = Buffer.from(secret.slice(secretPrefix.length), "base64");
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
};
