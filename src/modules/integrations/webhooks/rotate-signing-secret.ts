import { eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { webhookEndpoints } from "../../../events/events.tables.ts";
import { rotateSecret } from "../../../events/signing-secrets.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { requireStepUp } from "../../accounts/mfa/require-step-up.ts";
import { findEndpoint, requireEndpoint } from "./webhooks.queries.ts";
import type { RevealedWebhookEndpoint } from "./webhooks.shapes.ts";

/**
 * Gives an endpoint a new signing secret, which is in the answer, this one time. The old one signs as well for 72 hours.
 *
 * @throws STEP_UP_REQUIRED the caller has a second factor and has not just shown it
 * @throws NOT_FOUND; CONFLICT the last rotation is less than 72 hours ago: a third secret would end one still in use
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
    const before = await findEndpoint(tx, endpointId);
    const { secret, columns } = rotateSecret(dataKey, await requireEndpoint(tx, endpointId), tx.now);
    await tx
      .update(webhookEndpoints)
      .set({ ...columns, updated_at: tx.now })
      .where(eq(webhookEndpoints.id, endpointId));
    tx.due(endpointId); // what was claimed for the endpoint as it was is claimed afresh
    const after = await findEndpoint(tx, endpointId);
    const subject = { kind: "webhook_endpoint", id: endpointId };
    await audit(tx, context, "webhook_endpoint.secret_rotated", { subject, before, after });
    return { ...after, secret };
  });
}
