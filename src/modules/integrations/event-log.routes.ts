import { Elysia } from "elysia";
import { z } from "zod";
import { authorize } from "../../core/actor.ts";
import type { Http } from "../../http/http.ts";
import { jsonText } from "../../http/json-text.ts";
import { data, responses } from "../../http/responses.ts";
import { eventCatalog } from "../event-catalog.ts";
import { findLoggedEvent, listEvents } from "./event-log.queries.ts";
import { EventListQuery, EventRef } from "./event-log.schemas.ts";
import { catalogEntry, dispatched, EventPage, loggedEvent } from "./event-log.shapes.ts";
import { replayEvent } from "./replay-event.ts";

const Catalog = data(z.array(catalogEntry));
const catalog = Catalog.parse({ data: eventCatalog.entries });
const One = data(loggedEvent.schema);
const Replayed = data(dispatched);

/** `/orgs/{orgId}/integrations/event-catalog` and `/events` */
export const eventLogRoutes = ({ session }: Http) =>
  new Elysia({ name: "event log", prefix: "/orgs/:orgId/integrations", tags: ["Integrations"] })
    .use(session)
    .get(
      "/event-catalog",
      ({ context }) => {
        authorize(context.actor, "integrations:manage");
        return catalog;
      },
      {
        response: responses({ 200: Catalog }, 401, 403, 404),
        detail: {
          summary: "Read the event catalog",
          description: "Every type of event with its stability, the JSON Schema of its `data` and an example.",
        },
      },
    )
    .get(
      "/events",
      async ({ context, query }) => {
        authorize(context.actor, "integrations:manage");
        return jsonText(await context.tenant.read((reader) => listEvents(reader, query)));
      },
      {
        query: EventListQuery,
        response: responses({ 200: EventPage }, 400, 401, 403, 404),
        detail: {
          summary: "List events",
          description: "Newest first. `since` is inclusive and `until` exclusive, both of `occurred_at`.",
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
        response: responses({ 200: One }, 401, 403, 404),
        detail: { summary: "Read an event", description: "With its deliveries and each of their attempts." },
      },
    )
    .post(
      "/events/:eventId/replay",
      async ({ context, params, set }) => {
        set.status = 201;
        return { data: await replayEvent(context, { eventId: params.eventId }) };
      },
      {
        params: EventRef,
        response: responses({ 201: Replayed }, 401, 403, 404),
        detail: {
          summary: "Replay an event",
          description:
            "New deliveries under new ids, to the endpoints that are enabled and subscribed now; none if there are none.",
        },
      },
    );
