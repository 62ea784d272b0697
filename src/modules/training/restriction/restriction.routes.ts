import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../../http/before-validation.ts";
import { idOf } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { findRestriction } from "./restriction.queries.ts";
import { Restriction } from "./restriction.schemas.ts";

/** `/orgs/{orgId}/people/{personId}/instructor-restriction` */
export const restrictionRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "instructor restriction", prefix: "/orgs/:orgId/people", tags: ["Training"] }).use(session).get(
    "/:personId/instructor-restriction",
    async ({ context: { tenant, actor }, params }) => ({
      data: await tenant.read((reader) => findRestriction(reader, params.personId, actor)),
    }),
    {
      transform: requires("training:read", "training:read_own"),
      params: z.object({ orgId: idOf<"organization">(), personId: idOf<"person">() }),
      response: responses({ 200: data(Restriction) }, 401, 404),
      detail: {
        summary: "Read how far a restricted instructor is",
        description:
          "What lifts the restriction of an instructor (FCL.910.FI), and how much of it is done. For the instructor and members with `training:read`.",
      },
    },
  );
