import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { jsonPage } from "../../../http/json-page.ts";
import { publicResource } from "../../../http/public-resource.ts";
import { takeOrRefuse } from "../../../http/rate-limit.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import type { IntegrationLimits } from "../integration-limits.ts";
import { findEvent, listEvents } from "./event-log.queries.ts";
import { EventListQuery, PublicEventRef } from "./event-log.schemas.ts";
import { dispatched, EventPage, event } from "./event-log.shapes.ts";
import { replayEvent } from "./replay-event.ts";

const Replayed = data(dispatched);

/** `/api/v1/public/events`. Each route requires a different scope, so each has its own gate. */
export const publicEventRoutes = (http: Http, limits: Pick<IntegrationLimits, "replays">): RoutePlugin =>
  new Elysia({ name: "public events" }).use(listRoute(http)).use(eventRoute(http)).use(replayRoute(http, limits));

const prefix = "/api/v1/public/events";
const tags = ["Public API"];

const listRoute = ({ apiKey }: Http): RoutePlugin =>
  new Elysia({ name: "public event list", prefix, tags }).use(apiKey("public.events:read")).get(
    "/",
    async ({ context, query, request, set }) => {
      const question = `public events ${JSON.stringify(query)}`;
      return jsonPage({ request, set }, await context.tenant.readBody(question, (reader) => listEvents(reader, query)));
    },
    {
      query: EventListQuery,
      response: responses({ 200: EventPage }, 400, 401, "records_restored"),
      detail: {
        summary: "List events",
        description:
          "Newest first, or oldest first with `order=asc`. `since` (inclusive) and `until` (exclusive) filter by " +
          "`occurred_at`. New events do not make pages that are read by `cursor` overlap or skip events.",
      },
    },
  );

const eventRoute = (http: Http) =>
  publicResource(http, {
    path: "events/:eventId",
    scope: "public.events:read",
    ref: PublicEventRef,
    schema: event.schema,
    read: (reader, { eventId }) => findEvent(reader, eventId),
    summary: "Get an event",
    description: "As it was sent to webhook endpoints. Returns 404 for one that is older than the retention of events.",
  });

const replayRoute = ({ apiKey }: Http, { replays }: Pick<IntegrationLimits, "replays">): RoutePlugin =>
  new Elysia({ name: "public event replay", prefix, tags }).use(apiKey("events:replay")).post(
    "/:eventId/replay",
    async ({ context, params, set }) => {
      takeOrRefuse(set, "replays", replays, context.actor.orgId);
      set.status = 201;
      return { data: await replayEvent(context, { eventId: params.eventId }) };
    },
    {
      params: PublicEventRef,
      response: responses({ 201: Replayed }, 401, 404),
      detail: {
        summary: "Replay an event",
        description:
          "Queues new deliveries with new ids to the endpoints that are now enabled and subscribed. Ignores the body. " +
          "Limited to 60 a minute for each organization, in addition to the limit of the key.",
      },
    },
  );
