import { and, gt, isNull, or } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { sha256 } from "../../../core/crypto.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import { newId } from "../../../core/ids.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import { requireStepUp } from "../../accounts/mfa/require-step-up.ts";
import { hintOf, newApiKeyToken } from "./api-key-token.ts";
import { apiKeyEntity } from "./api-keys.queries.ts";
import type { NewApiKey } from "./api-keys.schemas.ts";
import type { CreatedApiKey } from "./api-keys.shapes.ts";
import { apiKeys } from "./api-keys.tables.ts";

/** Each key has its own rate limit, so this bounds the total rate of an organization. */
const mostKeys = 100;

/**
 * Creates an API key of the organization. Only the response contains the token.
 *
 * @throws VALIDATION_ERROR `expires_at` is in the past; CONFLICT the organization has 100 valid keys
 * @throws STEP_UP_REQUIRED the caller has a second factor and has not verified it recently
 */
export async function createApiKey(context: InOrganization, input: NewApiKey): Promise<CreatedApiKey> {
  const { actor, clock, tenant } = context;
  authorize(actor, "integrations:manage");
  await requireStepUp(context);
  const id = newId<"api_key">(clock);
  const token = newApiKeyToken();

  return tenant.write(async (tx) => {
    if (input.expires_at !== null && input.expires_at <= tx.now) {
      throw invalid({ path: "expires_at", code: "impossible", message: "Must be in the future." });
    }
    const isValid = and(isNull(apiKeys.revoked_at), or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, tx.now)));
    if ((await tx.$count(apiKeys, isValid)) >= mostKeys)
      throw conflict("limit_reached", `An organization has at most ${mostKeys} API keys. Revoke one first.`, {
        max: mostKeys,
      });
    const secret = { token_hash: sha256(token), hint: hintOf(token) };
    const stamps = { created_by: actor.userId, created_at: tx.now };
    const row = { id, ...input, ...secret, ...stamps };
    const created = await addRow(tx, context, apiKeyEntity(tx.now), { action: "api_key.created", row });
    return { ...created, token };
  });
}
