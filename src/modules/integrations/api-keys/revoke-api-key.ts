import { eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { conflict } from "../../../core/errors.ts";
import type { ApiKeyId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { findApiKey } from "./api-keys.queries.ts";
import type { ApiKey } from "./api-keys.shapes.ts";
import { apiKeys } from "./api-keys.tables.ts";

/**
 * Ends an API key: the next request with it is refused, be it with the token before its last rotation.
 *
 * @throws NOT_FOUND no such key here
 * @throws CONFLICT  it is revoked or expired already
 */
export async function revokeApiKey(context: TenantContext, { apiKeyId }: { apiKeyId: ApiKeyId }): Promise<ApiKey> {
  authorize(context.actor, "integrations:manage");
  return context.tenant.write(async (tx) => {
    const before = await findApiKey(tx, apiKeyId, tx.now);
    refuseEnded(before);
    const columns = { revoked_at: tx.now, previous_hash: null, previous_until: null };
    await tx.update(apiKeys).set(columns).where(eq(apiKeys.id, apiKeyId));
    const after = await findApiKey(tx, apiKeyId, tx.now);
    await audit(tx, context, "api_key.revoked", { subject: { kind: "api_key", id: apiKeyId }, before, after });
    return after;
  });
}

/** @throws CONFLICT it is revoked or expired */
export function refuseEnded({ status }: ApiKey): void {
  if (status === "revoked" || status === "expired") throw conflict("wrong_status", `The API key is ${status}.`);
}
