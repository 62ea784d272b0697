import { Elysia } from "elysia";
import { toInstant } from "../../../core/clock.ts";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { Board, BoardQuery } from "./board.schemas.ts";
import { boardOf } from "./read-board.ts";

/** `/orgs/{orgId}/planning/board` */
export const boardRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "planning board", prefix: "/orgs/:orgId/planning/board", tags: ["Planning"] })
    .use(session)
    .get(
      "",
      async ({ context: { tenant, actor, clock }, query }) =>
        jsonData(await tenant.read((reader) => boardOf(reader, actor, query, toInstant(clock.now())))),
      {
        transform: requires("planning:read", "planning:read_own"),
        query: BoardQuery,
        response: responses({ 200: data(Board) }, 400, 401, 404),
        detail: {
          summary: "Get the board of some days",
          description:
            "All sessions that reach into the time, when the school is open, and when aircraft, instructors and rooms can't be booked, at most 9 days. Members without `planning:read` see their own sessions, and of everything else only that it is busy.",
        },
      },
    );
