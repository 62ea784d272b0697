import { Elysia } from "elysia";
import { authorize } from "../../core/actor.ts";
import type { VetUrl } from "../../events/outbound/vet-url.ts";
import type { Http } from "../../http/http.ts";
import { jsonText } from "../../http/json-text.ts";
import { data, page, responses } from "../../http/responses.ts";
import { shownOnce } from "../../http/shown-once.ts";
import { createWebhookEndpoint } from "./create-webhook-endpoint.ts";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.ts";
import { dispatched } from "./event-log.shapes.ts";
import { pingWebhookEndpoint } from "./ping-webhook-endpoint.ts";
import { rotateSigningSecret } from "./rotate-signing-secret.ts";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.ts";
import { findEndpoint, listEndpoints } from "./webhooks.queries.ts";
import { EndpointListQuery, EndpointRef, NewWebhookEndpoint, WebhookEndpointChange } from "./webhooks.schemas.ts";
import { revealedWebhookEndpoint, webhookEndpoint } from "./webhooks.shapes.ts";

const One = data(webhookEndpoint.schema);
const Many = page(webhookEndpoint.schema);
const Revealed = shownOnce(data(revealedWebhookEndpoint));
const Pinged = data(dispatched);

/** `/orgs/{orgId}/integrations/webhook-endpoints` */
export const webhookRoutes = ({ session }: Http, { vetUrl }: { vetUrl: VetUrl }) =>
  new Elysia({ name: "webhooks", prefix: "/orgs/:orgId/integrations/webhook-endpoints", tags: ["Integrations"] })
    .use(session)
    .post(
      "/",
      async ({ context, body, set }) => {
        set.status = 201;
        return { data: await createWebhookEndpoint({ ...context, vetUrl }, body) };
      },
      {
        body: NewWebhookEndpoint,
        response: responses({ 201: Revealed }, 400, 401, 403, 404, 409),
        detail: {
          summary: "Create a webhook endpoint",
          description:
            "The answer holds the signing secret, this one time. The address is looked up and vetted first. 403 `STEP_UP_REQUIRED`: you have a second factor and have not shown it in the last 10 minutes.",
        },
      },
    )
    .get(
      "/",
      async ({ context, query }) => {
        authorize(context.actor, "integrations:manage");
        return jsonText(await context.tenant.read((reader) => listEndpoints(reader, query)));
      },
      {
        query: EndpointListQuery,
        response: responses({ 200: Many }, 400, 401, 403, 404),
        detail: { summary: "List webhook endpoints", description: "Newest first; never a secret." },
      },
    )
    .get(
      "/:endpointId",
      async ({ context, params }) => {
        authorize(context.actor, "integrations:manage");
        return { data: await context.tenant.read((reader) => findEndpoint(reader, params.endpointId)) };
      },
      {
        params: EndpointRef,
        response: responses({ 200: One }, 401, 403, 404),
        detail: { summary: "Get a webhook endpoint", description: "Everything but its secrets." },
      },
    )
    .patch(
      "/:endpointId",
      async ({ context, params, body }) => ({
        data: await updateWebhookEndpoint({ ...context, vetUrl }, { endpointId: params.endpointId, change: body }),
      }),
      {
        params: EndpointRef,
        body: WebhookEndpointChange,
        response: responses({ 200: One }, 400, 401, 403, 404),
        detail: {
          summary: "Change a webhook endpoint",
          description:
            "Disabling it cancels what is waiting to be delivered; events go on being kept and can be replayed later.",
        },
      },
    )
    .delete(
      "/:endpointId",
      async ({ context, params }) => ({
        data: await deleteWebhookEndpoint(context, { endpointId: params.endpointId }),
      }),
      {
        params: EndpointRef,
        response: responses({ 200: One }, 401, 403, 404),
        detail: {
          summary: "Delete a webhook endpoint",
          description: "What is waiting to be delivered is cancelled; the log of its deliveries stays.",
        },
      },
    )
    .post(
      "/:endpointId/ping",
      async ({ context, params, set }) => {
        set.status = 201;
        return { data: await pingWebhookEndpoint(context, { endpointId: params.endpointId }) };
      },
      {
        params: EndpointRef,
        response: responses({ 201: Pinged }, 401, 403, 404, 409),
        detail: {
          summary: "Ping a webhook endpoint",
          description: "Emits `webhook.test` to it alone, subscribed or not. A disabled endpoint answers 409.",
        },
      },
    )
    .post(
      "/:endpointId/rotate-secret",
      async ({ context, params }) => ({ data: await rotateSigningSecret(context, { endpointId: params.endpointId }) }),
      {
        params: EndpointRef,
        response: responses({ 200: Revealed }, 401, 403, 404, 409),
        detail: {
          summary: "Rotate a signing secret",
          description:
            "The answer holds the new secret, this one time. The old one signs as well for 72 hours; until then 409. 403 `STEP_UP_REQUIRED`: you have a second factor and have not shown it in the last 10 minutes.",
        },
      },
    );
