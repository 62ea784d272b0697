import { authorize } from "../../../core/actor.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { rotateSecret } from "../../../events/signing-secrets.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { requireStepUp } from "../../accounts/mfa/require-step-up.ts";
import { endpointEntity, requireEndpoint } from "./webhooks.queries.ts";
import type { RevealedWebhookEndpoint } from "./webhooks.shapes.ts";

/**
 * Gives an endpoint a new signing secret. Only the response contains it. The previous secret signs too for 72 hours.
 *
 * @throws STEP_UP_REQUIRED the caller has a second factor and has not verified it recently
 * @throws NOT_FOUND; CONFLICT the last rotation is less than 72 hours ago: another rotation would end
 *   the previous secret early
 */
export async function rotateSigningSecret(
  context: TenantContext,
  { endpointId }: { endpointId: EndpointId },
): Promise<RevealedWebhookEndpoint> {
  const { actor, tenant } = context;
  authorize(actor, "integrations:manage");
  await requireStepUp(context);
  const dataKey = await tenant.dataKey();

  return tenant.write(async (tx) => {
    const { secret, columns } = rotateSecret(dataKey, await requireEndpoint(tx, endpointId), tx.now);
    tx.due(endpointId); // the dispatcher claims its deliveries again, with the new secret
    const rotated = await changeRow(tx, context, endpointEntity, {
      id: endpointId,
      action: "webhook_endpoint.secret_rotated",
      set: { ...columns, updated_at: tx.now },
    });
    return { ...rotated, secret };
  });
}
