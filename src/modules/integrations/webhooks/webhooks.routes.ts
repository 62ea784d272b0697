import { Elysia } from "elysia";
import { authorize } from "../../../core/actor.ts";
import { toInstant } from "../../../core/clock.ts";
import type { VetUrl } from "../../../events/outbound/vet-url.ts";
import { limitedPerOrganization, requires } from "../../../http/before-validation.ts";
import { created, createdBelow } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import { cursorPage, data, page, responses } from "../../../http/responses.ts";
import { shownOnce } from "../../../http/shown-once.ts";
import { listEndpointDeliveries } from "../event-log/deliveries.queries.ts";
import { delivery } from "../event-log/deliveries.shapes.ts";
import { EndpointDeliveriesQuery, NoBody } from "../event-log/event-log.schemas.ts";
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
      async ({ context, body, request, set }) => {
        const endpoint = await createWebhookEndpoint({ ...context, vetUrl }, body);
        createdBelow(request, set, endpoint);
        return { data: endpoint };
      },
      {
        transform: requires("integrations:manage"),
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
            "The response contains the signing secret, which is shown once. The URL's host is resolved and checked first. 409: the organization has 50 endpoints.",
        },
      },
    )
    .get(
      "/",
      async ({ context, query }) => {
        return listPage(query, (query) => context.tenant.read((reader) => listEndpoints(reader, query)));
      },
      {
        transform: requires("integrations:manage"),
        query: EndpointListQuery,
        response: responses({ 200: Many }, 400, 401, 404),
        detail: { summary: "List webhook endpoints", description: "Newest first. Without secrets." },
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
        detail: { summary: "Get a webhook endpoint", description: "Without its secrets." },
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
          summary: "Read the health of a webhook endpoint",
          description: "Counts the attempts of the last 24 hours, of the newest 2000 deliveries at most.",
        },
      },
    )
    .get(
      "/:endpointId/deliveries",
      async ({ context, params, query }) => {
        return listPage(query, (query) =>
          context.tenant.read((reader) => listEndpointDeliveries(reader, params.endpointId, query)),
        );
      },
      {
        transform: requires("integrations:manage"),
        params: EndpointRef,
        query: EndpointDeliveriesQuery,
        response: responses({ 200: DeliveryPage }, 400, 401, 404),
        detail: {
          summary: "List an endpoint's deliveries",
          description: "Newest first, without their attempts. Works for a deleted endpoint too.",
        },
      },
    )
    .patch(
      "/:endpointId",
      async ({ context, params, body }) => ({
        data: await updateWebhookEndpoint({ ...context, vetUrl }, { endpointId: params.endpointId, change: body }),
      }),
      {
        transform: requires("integrations:manage"),
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
            "Disabling it cancels its pending deliveries; the event log still records events, which can be replayed later. A `url` with another origin (host or port) requires `headers` again. A new `url` requires a step-up.",
        },
      },
    )
    .delete(
      "/:endpointId",
      async ({ context, params }) => ({
        data: await deleteWebhookEndpoint(context, { endpointId: params.endpointId }),
      }),
      {
        transform: requires("integrations:manage"),
        params: EndpointRef,
        response: responses({ 200: One }, 401, 404),
        detail: {
          summary: "Delete a webhook endpoint",
          description: "Cancels its pending deliveries. The log of its deliveries remains.",
        },
      },
    )
    .post(
      "/:endpointId/ping",
      async ({ context, params, set }) => {
        const pinged = await pingWebhookEndpoint(context, { endpointId: params.endpointId });
        created(set, `/orgs/${context.actor.orgId}/integrations/events/${pinged.event_id}`);
        return { data: pinged };
      },
      {
        transform: [requires("integrations:manage"), limitedPerOrganization("pings", pings)],
        params: EndpointRef,
        body: NoBody,
        response: responses({ 201: Pinged }, 400, 401, 404, 429, "endpoint_disabled"),
        detail: {
          summary: "Ping a webhook endpoint",
          description:
            "Emits `webhook.test` to this endpoint only, subscribed or not. 409: the endpoint is disabled. Limited to 60 a minute for each organization.",
        },
      },
    )
    .post(
      "/:endpointId/rotate-secret",
      async ({ context, params }) => ({ data: await rotateSigningSecret(context, { endpointId: params.endpointId }) }),
      {
        transform: requires("integrations:manage"),
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
            "The response contains the new secret, which is shown once. The previous secret signs too for 72 hours. 409: the last rotation is less than 72 hours ago.",
        },
      },
    );
