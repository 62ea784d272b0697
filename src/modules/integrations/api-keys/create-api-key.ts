import { and, gt, isNull, or } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { sha256 } from "../../../core/crypto.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import { type ApiKeyId, newId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { requireStepUp } from "../../accounts/mfa/require-step-up.ts";
import { hintOf, newApiKeyToken } from "./api-key-token.ts";
import { findApiKey } from "./api-keys.queries.ts";
import type { NewApiKey } from "./api-keys.schemas.ts";
import type { CreatedApiKey } from "./api-keys.shapes.ts";
import { apiKeys } from "./api-keys.tables.ts";

/** Each key has a rate of its own: this bounds what all of them may ask for at a time. */
const mostKeys = 100;

/**
 * Makes an API key of the organization. Its token is in the answer and nowhere else.
 *
 * @throws VALIDATION_ERROR it would be expired already; CONFLICT there are 100 that can be used
 * @throws STEP_UP_REQUIRED the caller has a second factor and has not just shown it
 */
export async function createApiKey(context: InOrganization, input: NewApiKey): Promise<CreatedApiKey> {
  const { actor, clock, tenant } = context;
  authorize(actor, "integrations:manage");
  await requireStepUp(context);
  const id: ApiKeyId = newId(clock);
  const token = newApiKeyToken();
  const expiresAt = input.expires_at ?? null;

  return tenant.write(async (tx) => {
    if (expiresAt !== null && expiresAt <= tx.now) {
      throw invalid({ path: "expires_at", code: "impossible", message: "It is in the past." });
    }
    const live = and(isNull(apiKeys.revoked_at), or(isNull(apiKeys.expires_at), gt(apiKeys.expires_at, tx.now)));
    if ((await tx.$count(apiKeys, live)) >= mostKeys)
      throw conflict("limit_reached", `An organization has at most ${mostKeys} API keys. Revoke one first.`);
    await tx.insert(apiKeys).values({
      id,
      name: input.name,
      scopes: input.scopes,
      allowed_networks: input.allowed_networks ?? null,
      token_hash: sha256(token),
      hint: hintOf(token),
      created_by: actor.userId,
      created_at: tx.now,
      expires_at: expiresAt,
    });
    const created = await findApiKey(tx, id, tx.now);
    await audit(tx, context, "api_key.created", { subject: { kind: "api_key", id }, after: created });
    return { ...created, token };
  });
}
