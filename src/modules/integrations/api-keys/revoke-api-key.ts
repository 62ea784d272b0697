import { authorize } from "../../../core/actor.ts";
import type { ApiKeyId } from "../../../core/ids.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { apiKeyEntity, requireValidApiKey } from "./api-keys.queries.ts";
import type { ApiKey } from "./api-keys.shapes.ts";

/**
 * Revokes an API key: the next request with its token, or with its previous token, is rejected.
 *
 * @throws NOT_FOUND the school has no such key
 * @throws CONFLICT  it is already revoked or expired
 */
export async function revokeApiKey(context: TenantContext, { apiKeyId }: { apiKeyId: ApiKeyId }): Promise<ApiKey> {
  authorize(context.actor, "integrations:manage");
  return context.tenant.write(async (tx) => {
    await requireValidApiKey(tx, apiKeyId);
    const set = { revoked_at: tx.now, previous_hash: null, previous_until: null };
    return changeRow(tx, context, apiKeyEntity(tx.now), { id: apiKeyId, action: "api_key.revoked", set });
  });
}
