import { authorize } from "../../../core/actor.ts";
import { hours, shift } from "../../../core/clock.ts";
import { sha256 } from "../../../core/crypto.ts";
import { conflict } from "../../../core/errors.ts";
import type { ApiKeyId } from "../../../core/ids.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { requireStepUp } from "../../accounts/mfa/require-step-up.ts";
import { hintOf, newApiKeyToken } from "./api-key-token.ts";
import { apiKeyEntity, requireValidApiKey, tokenHashOf } from "./api-keys.queries.ts";
import type { ApiKeyRotation } from "./api-keys.schemas.ts";
import type { CreatedApiKey } from "./api-keys.shapes.ts";

const defaultGraceHours = 24;

/**
 * Gives an API key a new token. Only the response contains it. The previous token stays valid for the grace period.
 *
 * @throws STEP_UP_REQUIRED the caller has a second factor and has not verified it recently
 * @throws NOT_FOUND; CONFLICT it is revoked or expired, or its previous token is still valid: another rotation would
 *   end that one early
 */
export async function rotateApiKey(
  context: TenantContext,
  { apiKeyId, rotation }: { apiKeyId: ApiKeyId; rotation: ApiKeyRotation },
): Promise<CreatedApiKey> {
  const { actor, tenant } = context;
  authorize(actor, "integrations:manage");
  await requireStepUp(context);
  const token = newApiKeyToken();
  const grace = hours(rotation?.grace_hours ?? defaultGraceHours);

  return tenant.write(async (tx) => {
    const { previous_token_expires_at: until } = await requireValidApiKey(tx, apiKeyId);
    if (until !== null)
      throw conflict(
        "secret_just_rotated",
        `The API key was just rotated, and its previous token is valid until ${until}. Rotate again after that.`,
        { until },
      );
    const set = {
      token_hash: sha256(token),
      hint: hintOf(token),
      previous_hash: grace > 0 ? await tokenHashOf(tx, apiKeyId) : null,
      previous_until: grace > 0 ? shift(tx.now, grace) : null,
    };
    const rotated = await changeRow(tx, context, apiKeyEntity(tx.now), {
      id: apiKeyId,
      action: "api_key.rotated",
      set,
    });
    return { ...rotated, token };
  });
}
