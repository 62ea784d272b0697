import { eq, sql } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { hours, shift } from "../../../core/clock.ts";
import { sha256 } from "../../../core/crypto.ts";
import { conflict } from "../../../core/errors.ts";
import type { ApiKeyId } from "../../../core/ids.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { requireStepUp } from "../../accounts/mfa/require-step-up.ts";
import { hintOf, newApiKeyToken } from "./api-key-token.ts";
import { findApiKey } from "./api-keys.queries.ts";
import type { ApiKeyRotation } from "./api-keys.schemas.ts";
import type { CreatedApiKey } from "./api-keys.shapes.ts";
import { apiKeys } from "./api-keys.tables.ts";
import { refuseEnded } from "./revoke-api-key.ts";

const defaultGrace = 24;

/**
 * Gives an API key a new token, which is in the answer, this one time. The old one is good for some hours more.
 *
 * @throws STEP_UP_REQUIRED the caller has a second factor and has not just shown it
 * @throws NOT_FOUND; CONFLICT it is revoked or expired, or was rotated and its old token is good still: a third token
 * would end one in use
 */
export async function rotateApiKey(
  context: TenantContext,
  { apiKeyId, rotation }: { apiKeyId: ApiKeyId; rotation: ApiKeyRotation },
): Promise<CreatedApiKey> {
  const { actor, tenant } = context;
  authorize(actor, "integrations:manage");
  await requireStepUp(context);
  const token = newApiKeyToken();
  const grace = hours(rotation?.grace_hours ?? defaultGrace);

  return tenant.write(async (tx) => {
    const before = await findApiKey(tx, apiKeyId, tx.now);
    refuseEnded(before);
    if (before.status === "rotated")
      throw conflict(
        "secret_just_rotated",
        `The API key was rotated. Its previous token is valid until ${before.previous_token_expires_at}; rotate again after that.`,
      );
    const columns = {
      token_hash: sha256(token),
      hint: hintOf(token),
      previous_hash: grace > 0 ? sql`${apiKeys.token_hash}` : null,
      previous_until: grace > 0 ? shift(tx.now, grace) : null,
    };
    await tx.update(apiKeys).set(columns).where(eq(apiKeys.id, apiKeyId));
    const after = await findApiKey(tx, apiKeyId, tx.now);
    await audit(tx, context, "api_key.rotated", { subject: { kind: "api_key", id: apiKeyId }, before, after });
    return { ...after, token };
  });
}
