import { eq } from "drizzle-orm";
import { authorize } from "../../../core/actor.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { EndpointId } from "../../../core/ids.ts";
import { webhookEndpoints } from "../../../events/events.tables.ts";
import type { VetUrl } from "../../../events/outbound/vet-url.ts";
import { cancelDeliveries } from "../../../events/outbox.ts";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { requireStepUp } from "../../accounts/mfa/require-step-up.ts";
import { sealedHeaders } from "./sealed-headers.ts";
import { findEndpoint, requireEndpoint } from "./webhooks.queries.ts";
import type { WebhookEndpointChange } from "./webhooks.schemas.ts";
import type { WebhookEndpoint } from "./webhooks.shapes.ts";

/**
 * Changes what is given of an endpoint. Disabling it cancels what waits to be delivered; enabling it starts afresh, with
 * what occurs from then on.
 *
 * @throws NOT_FOUND; STEP_UP_REQUIRED the address changes, and the caller has a second factor and has not just shown it
 * @throws VALIDATION_ERROR the address may not be sent to, or a header is to keep a value that there is not, or that was
 * given for another origin; CONFLICT secrets here are another installation's
 */
export async function updateWebhookEndpoint(
  context: InOrganization & { vetUrl: VetUrl },
  { endpointId, change }: { endpointId: EndpointId; change: WebhookEndpointChange },
): Promise<WebhookEndpoint> {
  const { actor, tenant, vetUrl } = context;
  authorize(actor, "integrations:manage");
  // Before anything is looked up elsewhere: an endpoint that is not there is no reason to.
  const current = await tenant.read((reader) => requireEndpoint(reader, endpointId));
  const moves = change.url !== undefined && change.url !== current.url;
  if (moves) await requireStepUp(context);
  const url = change.url === undefined ? undefined : await vetUrl(change.url, actor.orgId);
  const dataKey = change.headers && (await tenant.dataKey());

  return tenant.write(async (tx) => {
    const before = await findEndpoint(tx, endpointId);
    const row = await requireEndpoint(tx, endpointId);
    // Somebody has moved it since: to move it back is a move as well, which nobody was asked for a second factor for.
    if (!moves && url !== undefined && url !== row.url)
      throw conflict("changed_meanwhile", "Another request changed the endpoint. Read it again, then retry.");
    const changesHost = url !== undefined && new URL(url).origin !== new URL(row.url).origin;
    if (changesHost && row.headers !== null && change.headers === undefined) throw headersWereForAnother();
    const kept = { given: change.headers ?? {}, before: changesHost ? null : row.headers };
    const headers = dataKey && sealedHeaders(dataKey, endpointId, kept);
    await tx
      .update(webhookEndpoints)
      .set({ ...columnsOf(change, before), ...(url !== undefined && movedTo(url)), ...headers, updated_at: tx.now })
      .where(eq(webhookEndpoints.id, endpointId));
    tx.due(endpointId); // what was claimed for the endpoint as it was is claimed afresh
    if (before.enabled && change.enabled === false) await cancelDeliveries(tx, endpointId);
    const after = await findEndpoint(tx, endpointId);
    const subject = { kind: "webhook_endpoint", id: endpointId };
    await audit(tx, context, "webhook_endpoint.updated", { subject, before, after });
    return after;
  });
}

/** Their values are shown to nobody, and so go to no host but the one that they were given for. */
const headersWereForAnother = () =>
  invalid({
    path: "headers",
    code: "required",
    message: "The headers kept were given for another origin. Give them again, with their values, or `{}`.",
  });

/** How the address before did says nothing of this one. */
const movedTo = (url: string) => ({ url, failing_since: null });

/** Columns that are not given are left out, which leaves them as they are. */
const columnsOf = ({ event_types, description, enabled }: WebhookEndpointChange, before: WebhookEndpoint) => ({
  ...(event_types !== undefined && { event_types }),
  ...(description !== undefined && { description }),
  ...(enabled === true && { enabled, disabled_reason: null }),
  ...(enabled === true && !before.enabled && { failing_since: null }),
  // Why it was disabled first is what whoever looks wants to know.
  ...(enabled === false && before.enabled && { enabled, disabled_reason: "by_hand" }),
});
