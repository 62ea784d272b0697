/** Creates, seals and rotates the secrets that sign an endpoint's deliveries. */
import { and, gt, isNotNull, lte, or } from "drizzle-orm";
import { hours, type Instant, isToCome, latestPlanned, shift } from "../core/clock.ts";
import { randomBytes, seal, unseal } from "../core/crypto.ts";
import { conflict } from "../core/errors.ts";
import type { EndpointId } from "../core/ids.ts";
import type { Tx } from "../storage/store.ts";
import { webhookEndpoints } from "./events.tables.ts";
import { secretPrefix } from "./signing.ts";

/** How long the old secret signs as well after a rotation. */
export const rotationWindow = hours(72);

/** Returns a new signing secret of 256 random bits, in the form of Standard Webhooks. It is shown once. */
export const newSecret = (): string => `${secretPrefix}${randomBytes(32).toString("base64")}`;

/** @param dataKey the tenant's, see `Tenant.dataKey` */
export const sealSecret = (dataKey: Buffer, endpointId: EndpointId, secret: string): string =>
  seal(dataKey, Buffer.from(secret), sealedFor(endpointId));

/** @throws when the secret was sealed under another key, or for another endpoint */
export const openSecret = (dataKey: Buffer, endpointId: EndpointId, sealed: string): string =>
  unseal(dataKey, sealed, sealedFor(endpointId)).toString();

const sealedFor = (endpointId: EndpointId) => `webhook secret ${endpointId}`;

type SecretColumns = Pick<
  typeof webhookEndpoints.$inferSelect,
  "primary_secret" | "secondary_secret" | "secondary_until"
>;

/**
 * Creates a new primary secret. The old one signs as well for 72 hours.
 *
 * @throws CONFLICT the last rotation was less than 72 hours ago
 */
export function rotateSecret(
  dataKey: Buffer,
  endpoint: SecretColumns & { id: EndpointId },
  now: Instant,
): { secret: string; columns: SecretColumns } {
  if (endpoint.secondary_until !== null && isToCome(endpoint.secondary_until, now, rotationWindow)) {
    throw conflict(
      "secret_just_rotated",
      `The secret was just rotated, and the old one still signs until ${endpoint.secondary_until}. Rotate again after that.`,
      { until: endpoint.secondary_until },
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

/** Deletes old secrets that no longer sign. @returns how many */
export async function clearExpiredSecrets(tx: Tx<"tenant">): Promise<number> {
  const rows = await tx
    .update(webhookEndpoints)
    .set({ secondary_secret: null, secondary_until: null })
    .where(
      or(
        and(isNotNull(webhookEndpoints.secondary_until), lte(webhookEndpoints.secondary_until, tx.now)),
        gt(webhookEndpoints.secondary_until, latestPlanned(tx.now, rotationWindow)),
      ),
    )
    .returning({ id: webhookEndpoints.id });
  return rows.length;
}
