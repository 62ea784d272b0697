/** The body and the signed headers of a delivery. */
import { createHmac } from "node:crypto";
import type { Instant } from "../core/clock.ts";
import type { DeliveryId, EventId } from "../core/ids.ts";

/** Returns the body of a delivery. `data` is inserted as the stored text, so the signed bytes are the committed ones. */
export function envelope(event: { type: string; id: EventId; occurredAt: Instant; data: string }): string {
  const head = JSON.stringify({ type: event.type, id: event.id, occurred_at: event.occurredAt });
  return `{"event":${head.slice(0, -1)},"data":${event.data}}}`;
}

/** An endpoint's secrets, unsealed. */
export interface SigningSecrets {
  primary: string;
  secondary?: { secret: string; until: Instant } | undefined;
}

/** @param now the time of signing; the secondary secret signs only before its `until` */
export function deliveryHeaders(
  body: string,
  { deliveryId, secrets, now }: { deliveryId: DeliveryId; secrets: SigningSecrets; now: Instant },
): Record<string, string> {
  const { primary, secondary } = secrets;
  const signature = sign(body, primary);
  return {
    "Content-Type": "application/json",
    "X-SVC-Webhook-Delivery": deliveryId,
    "X-SVC-Webhook-Timestamp": now,
    "X-SVC-Webhook-Signature": signature,
    ...(secondary &&
      now < secondary.until && {
        "X-SVC-Webhook-Signature-Primary": signature,
        "X-SVC-Webhook-Signature-Secondary": sign(body, secondary.secret),
      }),
  };
}

const sign = (body: string, secret: string): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
