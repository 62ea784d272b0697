import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { bookable } from "./resources.queries.ts";
import { resources } from "./resources.shapes.ts";

/** `/orgs/{orgId}/planning/resources` */
export const resourcesRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "planning resources", prefix: "/orgs/:orgId/planning/resources", tags: ["Planning"] })
    .use(session)
    .get(
      "",
      async ({ context: { tenant, actor } }) => jsonData(await tenant.read((reader) => bookable(reader, actor))),
      {
        transform: requires("planning:read", "planning:read_own"),
        response: responses({ 200: data(resources.schema) }, 401, 404),
        detail: {
          summary: "List what can be booked",
          description:
            "The aircraft, instructors and rooms that are not archived, sorted by name: the rows of a board. Members who may not read people or records see of an instructor the name and the id.",
        },
      },
    );
