import { Elysia } from "elysia";
import { toInstant } from "../../core/clock.ts";
import { requires } from "../../http/before-validation.ts";
import type { Http } from "../../http/http.ts";
import { data, responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import { askClearance } from "./ask-clearance.ts";
import { Clearance, ClearanceQuery } from "./clearance.schemas.ts";

/** `/orgs/{orgId}/clearance` */
export const clearanceRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "clearance", prefix: "/orgs/:orgId/clearance", tags: ["Clearance"] }).use(session).get(
    "/",
    async ({ context, query: { at = toInstant(context.clock.now()), ...query } }) => ({
      data: await context.tenant.read((reader) => askClearance(reader, context.actor, { ...query, at })),
    }),
    {
      transform: requires("compliance:read", "compliance:read_own"),
      query: ClearanceQuery,
      response: responses({ 200: data(Clearance) }, 400, 401, 404, "aircraft_archived", "person_archived"),
      detail: {
        summary: "Ask whether a person may fly an aircraft",
        description:
          "With every reason against it and what would put it right, and until when recent experience is enough. Records must be valid on each day of the flight where the organization is, to its end. Recent experience counts approved flights, each crew member's own landings. Members without `compliance:read` ask about themselves.",
      },
    },
  );
