import { authorize } from "../../../core/actor.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { emitTo } from "../../../events/emit.ts";
import { webhookTest } from "../../../events/webhook-test.ts";
import { audit } from "../../../storage/audit.ts";
import type { TenantContext } from "../../../storage/context.ts";
import type { Dispatched } from "../event-log/event-log.shapes.ts";

/**
 * Emits `webhook.test` to one endpoint, subscribed or not, to test signing and delivery.
 *
 * @throws NOT_FOUND; CONFLICT it is disabled
 */
export async function pingWebhookEndpoint(
  context: TenantContext,
  { endpointId }: { endpointId: EndpointId },
): Promise<Dispatched> {
  authorize(context.actor, "integrations:manage");
  return context.tenant.write(async (tx) => {
    const data = { endpoint_id: endpointId, message: webhookTest.example.message };
    const { eventId, deliveryId } = await emitTo(tx, endpointId, webhookTest, data);
    const pinged = { event_id: eventId, delivery_ids: [deliveryId] };
    const subject = { kind: "webhook_endpoint", id: endpointId };
    await audit(tx, context, "webhook_endpoint.pinged", { subject, after: pinged });
    return pinged;
  });
}
