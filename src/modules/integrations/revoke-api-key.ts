import { eq } from "drizzle-orm";
import { authorize } from "../../core/actor.ts";
import { conflict } from "../../core/errors.ts";
import type { ApiKeyId } from "../../core/ids.ts";
import { audit } from "../../storage/audit.ts";
import type { TenantContext } from "../../storage/context.ts";
import { findApiKey } from "./integrations.queries.ts";
import type { ApiKey } from "./integrations.shapes.ts";
import { apiKeys } from "./integrations.tables.ts";

/**
 * Ends an API key: the next request with it is refused.
 *
 * @throws NOT_FOUND no such key here
 * @throws CONFLICT  it is revoked or expired already
 */
export async function revokeApiKey(context: TenantContext, { apiKeyId }: { apiKeyId: ApiKeyId }): Promise<ApiKey> {
  authorize(context.actor, "integrations:manage");
  return context.tenant.write(async (tx) => {
    const before = await findApiKey(tx, apiKeyId);
    if (before.revoked_at !== null) throw conflict("The API key is revoked.");
    if (before.expires_at !== null && before.expires_at <= tx.now) throw conflict("The API key is expired.");
    await tx.update(apiKeys).set({ revokedAt: tx.now }).where(eq(apiKeys.id, apiKeyId));
    const after = await findApiKey(tx, apiKeyId);
    await audit(tx, context, "api_key.revoked", { subject: { kind: "api_key", id: apiKeyId }, before, after });
    return after;
  });
}
