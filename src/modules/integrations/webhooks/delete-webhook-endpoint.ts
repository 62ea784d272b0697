import { eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { webhookEndpoints } from "../../../events/events.tables.ts";
import { cancelDeliveries } from "../../../events/outbox.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import { findEndpoint } from "./webhooks.queries.ts";
import type { WebhookEndpoint } from "./webhooks.shapes.ts";

const forgotten = {
  primary_secret: "",
  secondary_secret: null,
  secondary_until: null,
  header_names: null,
  headers: null,
} as const;

/**
 * Deletes an endpoint: nothing more is sent there, and what was waiting is cancelled. Its row is kept, for the log of its
 * deliveries, but its secrets and headers are not. @returns the endpoint as it was
 *
 * @throws NOT_FOUND
 */
export async function deleteWebhookEndpoint(
  context: TenantContext,
  { endpointId }: { endpointId: EndpointId },
): Promise<WebhookEndpoint> {
  authorize(context.actor, "integrations:manage");
  return context.tenant.write(async (tx) => {
    const before = await findEndpoint(tx, endpointId);
    await tx
      .update(webhookEndpoints)
      .set({ ...forgotten, deleted_at: tx.now, updated_at: tx.now })
      .where(eq(webhookEndpoints.id, endpointId));
    await cancelDeliveries(tx, endpointId);
    const subject = { kind: "webhook_endpoint", id: endpointId };
    await audit(tx, context, "webhook_endpoint.deleted", { subject, before });
    return before;
  });
}
