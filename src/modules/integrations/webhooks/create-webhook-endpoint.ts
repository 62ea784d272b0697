import { authorize } from "../../../core/actor.ts";
import { conflict } from "../../../core/errors.ts";
import { type EndpointId, newId } from "../../../core/ids.ts";
import { webhookEndpoints } from "../../../events/events.tables.ts";
import type { VetUrl } from "../../../events/outbound/vet-url.ts";
import { newSecret, sealSecret } from "../../../events/signing-secrets.ts";
import { audit } from "../../../storage/audit.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { requireStepUp } from "../../accounts/mfa/require-step-up.ts";
import { sealedHeaders } from "./sealed-headers.ts";
import { countEndpoints, findEndpoint } from "./webhooks.queries.ts";
import type { NewWebhookEndpoint } from "./webhooks.schemas.ts";
import type { RevealedWebhookEndpoint } from "./webhooks.shapes.ts";

/** Each event is written once for every endpoint subscribed to it. */
const mostEndpoints = 50;

/**
 * Makes an endpoint, enabled. Its signing secret is in the answer, this one time; here it is kept sealed.
 *
 * @throws STEP_UP_REQUIRED the caller has a second factor and has not just shown it
 * @throws VALIDATION_ERROR the address may not be sent to, or a header's value is what stands for one
 * @throws CONFLICT secrets here are another installation's, or there are 50 endpoints
 */
export async function createWebhookEndpoint(
  context: InOrganization & { vetUrl: VetUrl },
  input: NewWebhookEndpoint,
): Promise<RevealedWebhookEndpoint> {
  const { actor, clock, tenant, vetUrl } = context;
  authorize(actor, "integrations:manage");
  await requireStepUp(context);
  const url = await vetUrl(input.url, actor.orgId);
  const id: EndpointId = newId(clock);
  const secret = newSecret();
  const dataKey = await tenant.dataKey();
  const primarySecret = sealSecret(dataKey, id, secret);
  const headers = sealedHeaders(dataKey, id, { given: input.headers ?? {}, before: null });

  return tenant.write(async (tx) => {
    if ((await countEndpoints(tx)) >= mostEndpoints)
      throw conflict(
        "limit_reached",
        `An organization has at most ${mostEndpoints} webhook endpoints. Delete one first.`,
      );
    await tx.insert(webhookEndpoints).values({
      id,
      url,
      description: input.description ?? null,
      event_types: input.event_types,
      enabled: true,
      primary_secret: primarySecret,
      ...headers,
      created_by: actor.userId,
      created_at: tx.now,
      updated_at: tx.now,
    });
    const created = await findEndpoint(tx, id);
    const subject = { kind: "webhook_endpoint", id };
    await audit(tx, context, "webhook_endpoint.created", { subject, after: created });
    return { ...created, secret };
  });
}
