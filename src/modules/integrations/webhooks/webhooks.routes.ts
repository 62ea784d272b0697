import { Elysia } from "elysia";
import { authorize } from "../../../core/actor.ts";
import { toInstant } from "../../../core/clock.ts";
import type { VetUrl } from "../../../events/outbound/vet-url.ts";
import type { Http } from "../../../http/http.ts";
import { jsonText } from "../../../http/json-text.ts";
import { takeOrRefuse } from "../../../http/rate-limit.ts";
import { cursorPage, data, page, responses } from "../../../http/responses.ts";
import { shownOnce } from "../../../http/shown-once.ts";
import { listEndpointDeliveries } from "../event-log/deliveries.queries.ts";
import { EndpointDeliveriesQuery } from "../event-log/deliveries.schemas.ts";
import { delivery } from "../event-log/deliveries.shapes.ts";
import { NoBody } from "../event-log/event-log.schemas.ts";
import { dispatched } from "../event-log/event-log.shapes.ts";
import type { IntegrationLimits } from "../integration-limits.ts";
import { createWebhookEndpoint } from "./create-webhook-endpoint.ts";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.ts";
import { endpointHealth } from "./endpoint-health.queries.ts";
import { endpointHealthSchema } from "./endpoint-health.schemas.ts";
import { pingWebhookEndpoint } from "./ping-webhook-endpoint.ts";
import { rotateSigningSecret } from "./rotate-signing-secret.ts";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.ts";
import { findEndpoint, listEndpoints } from "./webhooks.queries.ts";
import { EndpointListQuery, EndpointRef, NewWebhookEndpoint, WebhookEndpointChange } from "./webhooks.schemas.ts";
import { revealedWebhookEndpoint, webhookEndpoint } from "./webhooks.shapes.ts";

const One = data(webhookEndpoint.schema);
const Many = page(webhookEndpoint.schema);
const Revealed = shownOnce(data(revealedWebhookEndpoint));
const Health = data(endpointHealthSchema);
const DeliveryPage = cursorPage(delivery.schema);
const Pinged = data(dispatched);

/** `/orgs/{orgId}/integrations/webhook-endpoints` */
export const webhookRoutes = (
  { session }: Http,
  { vetUrl, pings }: { vetUrl: VetUrl } & Pick<IntegrationLimits, "pings">,
) =>
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
        response: responses(
          { 201: Revealed },
          400,
          401,
          404,
          "step_up_required",
          "installation_key_missing",
          "limit_reached",
        ),
        detail: {
          summary: "Create a webhook endpoint",
          description:
            "The answer holds the signing secret, this one time. The address is looked up and vetted first. 409: there are 50 endpoints.",
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
        response: responses({ 200: Many }, 400, 401, 404),
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
        response: responses({ 200: One }, 401, 404),
        detail: { summary: "Get a webhook endpoint", description: "Everything but its secrets." },
      },
    )
    .get(
      "/:endpointId/health",
      async ({ context, params: { endpointId } }) => {
        authorize(context.actor, "integrations:manage");
        const now = toInstant(context.clock.now());
        return { data: await context.tenant.read((reader) => endpointHealth(reader, { endpointId, now })) };
      },
      {
        params: EndpointRef,
        response: responses({ 200: Health }, 401, 404),
        detail: {
          summary: "Read how a webhook endpoint is doing",
          description: "Its attempts of the last 24 hours, of its newest 2000 deliveries at most.",
        },
      },
    )
    .get(
      "/:endpointId/deliveries",
      async ({ context, params, query }) => {
        authorize(context.actor, "integrations:manage");
        return jsonText(
          await context.tenant.read((reader) => listEndpointDeliveries(reader, params.endpointId, query)),
        );
      },
      {
        params: EndpointRef,
        query: EndpointDeliveriesQuery,
        response: responses({ 200: DeliveryPage }, 400, 401, 404),
        detail: {
          summary: "List an endpoint's deliveries",
          description: "Newest first, without their attempts; those to a deleted endpoint are listed as well.",
        },
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
        response: responses(
          { 200: One },
          400,
          401,
          404,
          "step_up_required",
          "changed_meanwhile",
          "installation_key_missing",
        ),
        detail: {
          summary: "Change a webhook endpoint",
          description:
            "Disabling it cancels what is waiting to be delivered; events go on being kept and can be replayed later. With another origin (host or port), `headers` have to be given again. Only a new `url` requires a step-up.",
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
        response: responses({ 200: One }, 401, 404),
        detail: {
          summary: "Delete a webhook endpoint",
          description: "What is waiting to be delivered is cancelled; the log of its deliveries stays.",
        },
      },
    )
    .post(
      "/:endpointId/ping",
      async ({ context, params, set }) => {
        authorize(context.actor, "integrations:manage");
        takeOrRefuse(set, "pings", pings, context.actor.orgId);
        set.status = 201;
        return { data: await pingWebhookEndpoint(context, { endpointId: params.endpointId }) };
      },
      {
        params: EndpointRef,
        body: NoBody,
        response: responses({ 201: Pinged }, 400, 401, 404, 429, "endpoint_disabled"),
        detail: {
          summary: "Ping a webhook endpoint",
          description:
            "Emits `webhook.test` to it alone, subscribed or not. A disabled endpoint answers 409. 60 a minute for each organization.",
        },
      },
    )
    .post(
      "/:endpointId/rotate-secret",
      async ({ context, params }) => ({ data: await rotateSigningSecret(context, { endpointId: params.endpointId }) }),
      {
        params: EndpointRef,
        response: responses(
          { 200: Revealed },
          401,
          404,
          "step_up_required",
          "installation_key_missing",
          "secret_just_rotated",
        ),
        detail: {
          summary: "Rotate a signing secret",
          description:
            "The answer holds the new secret, this one time. The old one signs as well for 72 hours; until then 409.",
        },
      },
    );
