import { Elysia } from "elysia";
import { z } from "zod";
import { authorize } from "../../../core/actor.ts";
import { once } from "../../../core/once.ts";
import type { EventCatalog } from "../../../events/catalog.ts";
import { limitedPerOrganization, requires } from "../../../http/before-validation.ts";
import { created } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import { cursorPage, data, responses } from "../../../http/responses.ts";
import type { IntegrationLimits } from "../integration-limits.ts";
import { findLoggedDelivery, listEventDeliveries } from "./deliveries.queries.ts";
import { delivery, loggedDelivery } from "./deliveries.shapes.ts";
import { findLoggedEvent, listEvents } from "./event-log.queries.ts";
import { DeliveryRef, EventDeliveriesQuery, EventListQuery, EventRef, ReplayRequest } from "./event-log.schemas.ts";
import { catalogEntry, dispatched, EventPage, loggedEvent } from "./event-log.shapes.ts";
import { replayEvent } from "./replay-event.ts";

const Catalog = data(z.array(catalogEntry));
const One = data(loggedEvent.schema);
const DeliveryPage = cursorPage(delivery.schema);
const Delivery = data(loggedDelivery.schema);
const Replayed = data(dispatched);

/** `/orgs/{orgId}/integrations/event-catalog` and `/events` */
export const eventLogRoutes = (
  { session }: Http,
  { catalog, replays }: Pick<IntegrationLimits, "replays"> & { catalog: EventCatalog },
) => {
  const entries = once(() => Catalog.parse({ data: catalog.entries }));
  return new Elysia({ name: "event log", prefix: "/orgs/:orgId/integrations", tags: ["Integrations"] })
    .use(session)
    .get(
      "/event-catalog",
      ({ context }) => {
        authorize(context.actor, "integrations:manage");
        return entries();
      },
      {
        response: responses({ 200: Catalog }, 401, 404),
        detail: {
          summary: "Read the event catalog",
          description: "All types of events with their stability, the JSON Schema of `data` and an example.",
        },
      },
    )
    .get(
      "/events",
      async ({ context, query }) => {
        return listPage(query, (query) => context.tenant.read((reader) => listEvents(reader, query)));
      },
      {
        transform: requires("integrations:manage"),
        query: EventListQuery,
        response: responses({ 200: EventPage }, 400, 401, 404, "records_restored"),
        detail: {
          summary: "List events",
          description:
            "Newest first, or oldest first with `order=asc`. `since` (inclusive) and `until` (exclusive) filter by `occurred_at`.",
        },
      },
    )
    .get(
      "/events/:eventId",
      async ({ context, params }) => {
        authorize(context.actor, "integrations:manage");
        return { data: await context.tenant.read((reader) => findLoggedEvent(reader, params.eventId)) };
      },
      {
        params: EventRef,
        response: responses({ 200: One }, 401, 404),
        detail: { summary: "Read an event", description: "With its newest deliveries." },
      },
    )
    .get(
      "/events/:eventId/deliveries",
      async ({ context, params, query }) => {
        return listPage(query, (query) =>
          context.tenant.read((reader) => listEventDeliveries(reader, params.eventId, query)),
        );
      },
      {
        transform: requires("integrations:manage"),
        params: EventRef,
        query: EventDeliveriesQuery,
        response: responses({ 200: DeliveryPage }, 400, 401, 404),
        detail: { summary: "List an event's deliveries", description: "Newest first, without their attempts." },
      },
    )
    .get(
      "/deliveries/:deliveryId",
      async ({ context, params }) => {
        authorize(context.actor, "integrations:manage");
        return { data: await context.tenant.read((reader) => findLoggedDelivery(reader, params.deliveryId)) };
      },
      {
        params: DeliveryRef,
        response: responses({ 200: Delivery }, 401, 404),
        detail: {
          summary: "Read a delivery",
          description:
            "With the request and the response of each attempt. Values of the endpoint's own headers are masked.",
        },
      },
    )
    .post(
      "/events/:eventId/replay",
      async ({ context, params, body, set }) => {
        const { eventId } = params;
        const replayed = await replayEvent(context, { eventId, endpointId: body?.endpoint_id });
        created(set, `/orgs/${context.actor.orgId}/integrations/events/${eventId}/deliveries`);
        return { data: replayed };
      },
      {
        transform: [requires("integrations:manage"), limitedPerOrganization("replays", replays)],
        params: EventRef,
        body: ReplayRequest,
        response: responses({ 201: Replayed }, 400, 401, 404, 429, "endpoint_disabled", "endpoint_not_subscribed"),
        detail: {
          summary: "Replay an event",
          description:
            "Queues new deliveries with new ids to the endpoints that are now enabled and subscribed, or to one of them. Limited to 60 a minute for each organization.",
        },
      },
    );
};
