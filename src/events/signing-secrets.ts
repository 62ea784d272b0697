/** The secrets that endpoints' deliveries are signed with: how they are made, kept and rotated. */
import { and, isNotNull, lte } from "drizzle-orm";
import { hours, type Instant, shift } from "../core/clock.ts";
import { newToken, seal, unseal } from "../core/crypto.ts";
import { conflict } from "../core/errors.ts";
import type { EndpointId } from "../core/ids.ts";
import type { Tx } from "../storage/store.ts";
import { webhookEndpoints } from "./events.tables.ts";

/** After a rotation the old secret goes on signing for this long. */
export const rotationWindow = hours(72);

/** A new signing secret of 256 random bits; its text, prefix included, is the key. To be shown once. */
export const newSecret = (): string => `whsec_${newToken()}`;

/** @param dataKey the tenant's, see `Tenant.dataKey` */
export const sealSecret = (dataKey: Buffer, endpointId: EndpointId, secret: string): string =>
  seal(dataKey, Buffer.from(secret), sealedFor(endpointId));

/** @throws when the key is another one, or the secret another endpoint's */
export const openSecret = (dataKey: Buffer, endpointId: EndpointId, sealed: string): string =>
  unseal(dataKey, sealed, sealedFor(endpointId)).toString();

const sealedFor = (endpointId: EndpointId) => `webhook secret ${endpointId}`;

type SecretColumns = Pick<
  typeof webhookEndpoints.$inferSelect,
  "primary_secret" | "secondary_secret" | "secondary_until"
>;

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
  if (endpoint.secondary_until !== null && now < endpoint.secondary_until) {
    throw conflict(
      "secret_just_rotated",
      `The secret was rotated. Its predecessor still signs until ${endpoint.secondary_until}; rotate again after that.`,
    );
  }
  const secret = newSecret();
  const columns = {
    primary_secret: sealSecret(dataKey, endpoint.id, secret),
    secondary_secret: endpoint.primary_secret,
    secondary_until: shift(now, rotationWindow),
  };
  return { secret, columns };
}

/** Forgets secrets whose window is over; they sign no more as it is. @returns how many */
export async function clearExpiredSecrets(tx: Tx<"tenant">): Promise<number> {
  const rows = await tx
    .update(webhookEndpoints)
    .set({ secondary_secret: null, secondary_until: null })
    .where(and(isNotNull(webhookEndpoints.secondary_until), lte(webhookEndpoints.secondary_until, tx.now)))
    .returning({ id: webhookEndpoints.id });
  return rows.length;
}
