/** What a receiver is sent, and how it can tell who sent it. */
import { createHmac } from "node:crypto";
import { and, isNotNull, lte } from "drizzle-orm";
import { hours, type Instant, shift } from "../core/clock.ts";
import { newToken, seal, unseal } from "../core/crypto.ts";
import { conflict } from "../core/errors.ts";
import type { DeliveryId, EndpointId, EventId } from "../core/ids.ts";
import type { Tx } from "../storage/store.ts";
import { webhookEndpoints } from "./events.tables.ts";

/** After a rotation the old secret goes on signing for this long. */
export const rotationWindow = hours(72);

/** The body of a delivery. `data` goes in as the text it is stored as: what is signed is what was committed. */
export function envelope(event: { type: string; id: EventId; occurredAt: Instant; data: string }): string {
  const head = JSON.stringify({ type: event.type, id: event.id, occurred_at: event.occurredAt });
  return `{"event":${head.slice(0, -1)},"data":${event.data}}}`;
}

/** An endpoint's secrets, opened. */
export interface SigningSecrets {
  primary: string;
  secondary?: { secret: string; until: Instant } | undefined;
}

/** @param now the moment of signing: from `until` on, a secondary secret signs no more */
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

/** A new signing secret of 256 random bits; its text, prefix included, is the key. To be shown once. */
export const newSecret = (): string => `whsec_${newToken()}`;

/** @param dataKey the tenant's, see `Tenant.dataKey` */
export const sealSecret = (dataKey: Buffer, endpointId: EndpointId, secret: string): string =>
  seal(dataKey, Buffer.from(secret), sealedFor(endpointId));

/** @throws when the key is another one, or the secret another endpoint's */
export const openSecret = (dataKey: Buffer, endpointId: EndpointId, sealed: string): string =>
  unseal(dataKey, sealed, sealedFor(endpointId)).toString();

const sealedFor = (endpointId: EndpointId) => `webhook secret ${endpointId}`;

type SecretColumns = Pick<typeof webhookEndpoints.$inferSelect, "primarySecret" | "secondarySecret" | "secondaryUntil">;

/**
 * A new primary secret; the one before signs as well for 72 hours.
 *
 * @throws CONFLICT the last rotation's 72 hours are not over
 */
export function rotateSecret(
  dataKey: Buffer,
  endpoint: SecretColumns & { id: EndpointId },
  now: Instant,
): { secret: string; columns: SecretColumns } {
  if (endpoint.secondaryUntil !== null && now < endpoint.secondaryUntil) {
    throw conflict(`The secret was rotated already; its predecessor still signs until ${endpoint.secondaryUntil}.`);
  }
  const secret = newSecret();
  const columns = {
    primarySecret: sealSecret(dataKey, endpoint.id, secret),
    secondarySecret: endpoint.primarySecret,
    secondaryUntil: shift(now, rotationWindow),
  };
  return { secret, columns };
}

/** Forgets secrets whose window is over; they sign no more as it is. @returns how many */
export async function clearExpiredSecrets(tx: Tx<"tenant">): Promise<number> {
  const rows = await tx
    .update(webhookEndpoints)
    .set({ secondarySecret: null, secondaryUntil: null })
    .where(and(isNotNull(webhookEndpoints.secondaryUntil), lte(webhookEndpoints.secondaryUntil, tx.now)))
    .returning({ id: webhookEndpoints.id });
  return rows.length;
}
