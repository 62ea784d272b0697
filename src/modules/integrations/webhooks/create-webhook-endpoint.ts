import { authorize } from "../../../core/actor.ts";
import { conflict } from "../../../core/errors.ts";
import { newId } from "../../../core/ids.ts";
import type { VetUrl } from "../../../events/outbound/vet-url.ts";
import { newSecret, sealSecret } from "../../../events/signing-secrets.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { addRow } from "../../../storage/entity.ts";
import { requireStepUp } from "../../accounts/mfa/require-step-up.ts";
import { sealedHeaders } from "./sealed-headers.ts";
import { countEndpoints, endpointEntity } from "./webhooks.queries.ts";
import type { NewWebhookEndpoint } from "./webhooks.schemas.ts";
import type { RevealedWebhookEndpoint } from "./webhooks.shapes.ts";

/** Each event is written once for each subscribed endpoint. */
const mostEndpoints = 50;

/**
 * Creates an enabled endpoint. Only the response contains its signing secret; the database has it encrypted.
 *
 * @throws STEP_UP_REQUIRED the caller has a second factor and has not verified it recently
 * @throws VALIDATION_ERROR the URL is not allowed, or a header's value is the mask
 * @throws CONFLICT the installation key is missing, or the organization has 50 endpoints
 */
export async function createWebhookEndpoint(
  context: InOrganization & { vetUrl: VetUrl },
  input: NewWebhookEndpoint,
): Promise<RevealedWebhookEndpoint> {
  const { actor, clock, tenant, vetUrl } = context;
  authorize(actor, "integrations:manage");
  await requireStepUp(context);
  const { headers: given, ...fields } = input;
  const url = await vetUrl(fields.url, actor.orgId);
  const id = newId<"webhook_endpoint">(clock);
  const secret = newSecret();
  const dataKey = await tenant.dataKey();
  const sealed = {
    primary_secret: sealSecret(dataKey, id, secret),
    ...sealedHeaders(dataKey, id, { given, before: null }),
  };

  return tenant.write(async (tx) => {
    if ((await countEndpoints(tx)) >= mostEndpoints)
      throw conflict(
        "limit_reached",
        `An organization has at most ${mostEndpoints} webhook endpoints. Delete one first.`,
        { max: mostEndpoints },
      );
    const stamps = { created_by: actor.userId, created_at: tx.now, updated_at: tx.now };
    const created = await addRow(tx, context, endpointEntity, {
      action: "webhook_endpoint.created",
      row: { id, ...fields, url, enabled: true, ...sealed, ...stamps },
    });
    return { ...created, secret };
  });
}
