import { eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { webhookEndpoints } from "../../../events/events.tables.ts";
import { cancelDeliveries, cancelRest } from "../../../events/outbox.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { findEndpoint } from "./webhooks.queries.ts";
import type { WebhookEndpoint } from "./webhooks.shapes.ts";

const withoutSecrets = {
  primary_secret: "",
  secondary_secret: null,
  secondary_until: null,
  header_names: null,
  headers: null,
} as const;

/**
 * Deletes an endpoint and cancels its pending deliveries. Its row remains for the log of its deliveries, without secrets
 * and headers.
 *
 * @returns the endpoint before it was deleted
 * @throws NOT_FOUND
 */
export async function deleteWebhookEndpoint(
  context: TenantContext,
  { endpointId }: { endpointId: EndpointId },
): Promise<WebhookEndpoint> {
  authorize(context.actor, "integrations:manage");
  let isLeft = false;
  const deleted = await context.tenant.write(async (tx) => {
    const before = await findEndpoint(tx, endpointId);
    await tx
      .update(webhookEndpoints)
      .set({ ...withoutSecrets, deleted_at: tx.now, updated_at: tx.now })
      .where(eq(webhookEndpoints.id, endpointId));
    isLeft = await cancelDeliveries(tx, endpointId);
    const subject = { kind: "webhook_endpoint", id: endpointId };
    await audit(tx, context, "webhook_endpoint.deleted", { subject, before });
    return before;
  });
  if (isLeft) await cancelRest(context.tenant, endpointId);
  return deleted;
}
