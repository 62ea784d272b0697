import { Elysia } from "elysia";
import { authorize } from "../../../core/actor.ts";
import { limitedPerOrganization, requires } from "../../../http/before-validation.ts";
import { acceptedBelow } from "../../../http/created.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import { data, page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import type { IntegrationLimits } from "../integration-limits.ts";
import { cancelReplay } from "./cancel-replay.ts";
import type { ReplayRunner } from "./replay-runner.ts";
import { findReplay, listReplays } from "./replays.queries.ts";
import { NewReplay, ReplayListQuery, ReplayRef } from "./replays.schemas.ts";
import { replay } from "./replays.shapes.ts";
import { startReplay } from "./start-replay.ts";

const One = data(replay.schema);
const Many = page(replay.schema);

interface Dependencies extends Pick<IntegrationLimits, "replays"> {
  replayRunner: Pick<ReplayRunner, "add">;
}

/** `/orgs/{orgId}/integrations/replays` */
export const replayRoutes = ({ session }: Http, { replays, replayRunner }: Dependencies): RoutePlugin =>
  new Elysia({ name: "replays", prefix: "/orgs/:orgId/integrations/replays", tags: ["Integrations"] })
    .use(session)
    .post(
      "/",
      async ({ context, body, request, set }) => {
        const started = await startReplay(context, body);
        replayRunner.add(context.tenant.id);
        acceptedBelow(request, set, started);
        return { data: started };
      },
      {
        transform: [requires("integrations:manage"), limitedPerOrganization("replays", replays)],
        body: NewReplay,
        response: responses(
          { 202: One },
          400,
          401,
          404,
          429,
          "endpoint_disabled",
          "endpoint_not_subscribed",
          "replay_running",
        ),
        detail: {
          summary: "Replay many events",
          description:
            "Delivers the events of a period again, with new delivery ids, in the background. It pauses while 1000 deliveries are pending, in the organization or at the given endpoint. 409: another replay is running. Limited to 60 a minute, including replays of single events.",
        },
      },
    )
    .get(
      "/",
      async ({ context, query }) => {
        return listPage(query, (query) => context.tenant.read((reader) => listReplays(reader, query)));
      },
      {
        transform: requires("integrations:manage"),
        query: ReplayListQuery,
        response: responses({ 200: Many }, 400, 401, 404),
        detail: { summary: "List replays", description: "Newest first." },
      },
    )
    .get(
      "/:replayId",
      async ({ context, params }) => {
        authorize(context.actor, "integrations:manage");
        return { data: await context.tenant.read((reader) => findReplay(reader, params.replayId)) };
      },
      {
        params: ReplayRef,
        response: responses({ 200: One }, 401, 404),
        detail: { summary: "Read a replay", description: "With its progress." },
      },
    )
    .post(
      "/:replayId/cancel",
      async ({ context, params }) => ({ data: await cancelReplay(context, { replayId: params.replayId }) }),
      {
        transform: requires("integrations:manage"),
        params: ReplayRef,
        response: responses({ 200: One }, 401, 404, "wrong_status"),
        detail: {
          summary: "Cancel a replay",
          description: "Stops the replay. Deliveries that it has queued are still sent. 409: it is not running.",
        },
      },
    );
