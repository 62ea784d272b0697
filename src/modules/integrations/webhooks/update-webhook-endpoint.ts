import { authorize } from "../../../core/actor.ts";
import { conflict, invalid } from "../../../core/errors.ts";
import type { EndpointId } from "../../../core/ids.ts";
import type { VetUrl } from "../../../events/outbound/vet-url.ts";
import { cancelDeliveries, cancelRest } from "../../../events/outbox.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { changeRow } from "../../../storage/entity.ts";
import { requireStepUp } from "../../accounts/mfa/require-step-up.ts";
import { sealedHeaders } from "./sealed-headers.ts";
import { endpointEntity, requireEndpoint } from "./webhooks.queries.ts";
import type { WebhookEndpointChange } from "./webhooks.schemas.ts";
import type { WebhookEndpoint } from "./webhooks.shapes.ts";

/**
 * Changes the given fields of an endpoint. Disabling it cancels its pending deliveries. An enabled endpoint gets the
 * events that occur from then on.
 *
 * @throws NOT_FOUND; STEP_UP_REQUIRED the URL changes, and the caller has a second factor and has not verified it recently
 * @throws VALIDATION_ERROR the URL is not allowed; a masked header has no stored value; the origin changes and the
 *   headers are not given again
 * @throws CONFLICT another request changed the URL meanwhile, or the installation key is missing
 */
export async function updateWebhookEndpoint(
  context: InOrganization & { vetUrl: VetUrl },
  { endpointId, change }: { endpointId: EndpointId; change: WebhookEndpointChange },
): Promise<WebhookEndpoint> {
  const { actor, tenant, vetUrl } = context;
  authorize(actor, "integrations:manage");
  const { url: givenUrl, headers: given, enabled, ...fields } = change;
  // Before the URL is resolved: for an unknown endpoint, no lookup is needed.
  const current = await tenant.read((reader) => requireEndpoint(reader, endpointId));
  const moves = givenUrl !== undefined && givenUrl !== current.url;
  if (moves) await requireStepUp(context);
  const url = givenUrl === undefined ? undefined : await vetUrl(givenUrl, actor.orgId);
  const dataKey = given && (await tenant.dataKey());

  let isLeft = false;
  const updated = await tenant.write(async (tx) => {
    const row = await requireEndpoint(tx, endpointId);
    // Another request changed the URL since, so this request would change it too, without a step-up.
    if (!moves && url !== undefined && url !== row.url)
      throw conflict("changed_meanwhile", "Another request changed the endpoint. Read it again, then retry.");
    const changesOrigin = url !== undefined && new URL(url).origin !== new URL(row.url).origin;
    if (changesOrigin && row.headers !== null && given === undefined) throw headersRequired();
    const kept = { given: given ?? {}, before: changesOrigin ? null : row.headers };
    const headers = dataKey && sealedHeaders(dataKey, endpointId, kept);
    tx.due(endpointId); // the dispatcher claims its deliveries again, for the changed endpoint
    const switched = enabled !== undefined && enabled !== row.enabled;
    return changeRow(tx, context, endpointEntity, {
      id: endpointId,
      action: "webhook_endpoint.updated",
      set: {
        ...fields,
        ...headers,
        ...(url !== undefined && { url, failing_since: null }),
        ...(switched && (enabled ? enabling : disabling)),
        updated_at: tx.now,
      },
      also: async () => {
        if (switched && !enabled) isLeft = await cancelDeliveries(tx, endpointId);
      },
    });
  });
  if (isLeft) await cancelRest(tenant, endpointId);
  return updated;
}

const enabling = { enabled: true, disabled_reason: null, failing_since: null };
const disabling = { enabled: false, disabled_reason: "by_hand" };

/** The stored values are never shown, so they must not be sent to another origin. */
const headersRequired = () =>
  invalid({
    path: "headers",
    code: "required",
    message: "The stored headers are for another origin. Give them again with their values, or give `{}`.",
  });
