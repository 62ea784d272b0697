import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { cancelMatching } from "./cancel-matching.ts";
import { Cancelled, NewCancellations } from "./cancellations.schemas.ts";

/** `/orgs/{orgId}/planning/cancellations` */
export const cancellationRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "planning cancellations", prefix: "/orgs/:orgId/planning/cancellations", tags: ["Planning"] })
    .use(session)
    .post("", async ({ context, body }) => ({ data: await cancelMatching(context, body) }), {
      transform: requires("planning:manage"),
      body: NewCancellations,
      response: responses({ 200: data(Cancelled) }, 400, 401, 404, "limit_reached"),
      detail: {
        operationId: "cancelSessions",
        summary: "Cancel the sessions of a day",
        description:
          "All `requested` and `planned` sessions that reach into the hours and match the filter, with one reason, as on a day without flying weather: all or none, at most 300. Each person gets one mail. With `dry_run`, nothing is cancelled.",
      },
    });
