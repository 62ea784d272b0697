import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../../http/before-validation.ts";
import { idOf, instantOut } from "../../../http/fields.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { resourceTypes } from "../planning.tables.ts";
import { Check } from "./checks.schemas.ts";
import { checksOf } from "./checks.ts";
import { busyTimes } from "./sessions.queries.ts";
import { BusyQuery } from "./sessions.schemas.ts";

const BusyTime = z
  .strictObject({
    type: z.enum(resourceTypes).meta({ examples: ["aircraft"] }),
    start_at: instantOut,
    end_at: instantOut,
  })
  .meta({ id: "PlanningBusyTime" });

const Ref = z.object({ orgId: idOf<"organization">(), sessionId: idOf<"session">() });

/** `/orgs/{orgId}/planning/sessions/{sessionId}/checks` */
export const checkRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "planning checks", prefix: "/orgs/:orgId/planning/sessions", tags: ["Planning"] })
    .use(session)
    .get(
      "/:sessionId/checks",
      async ({ context, params }) => ({
        data: await context.tenant.read((reader) => checksOf(reader, context.actor, params.sessionId)),
      }),
      {
        transform: requires("planning:read", "planning:read_own"),
        params: Ref,
        response: responses({ 200: data(z.array(Check)) }, 401, 404),
        detail: {
          summary: "Check a session again",
          description:
            "All rules that it does not meet now, also those that only warn, and what of it is archived: documents expire and aircraft are grounded after a booking. What is missing about a person is for members who may see records and medicals, and for that person: others learn that the person is not clear to fly, or not available. Members without `planning:read` learn about other people only that somebody is not ready.",
        },
      },
    );

/** `/orgs/{orgId}/planning/busy` */
export const busyRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "planning busy", prefix: "/orgs/:orgId/planning/busy", tags: ["Planning"] })
    .use(session)
    .get(
      "",
      async ({ context, query }) => ({ data: await context.tenant.read((reader) => busyTimes(reader, query)) }),
      {
        transform: requires("planning:read", "planning:read_own"),
        query: BusyQuery,
        response: responses({ 200: data(z.array(BusyTime)) }, 400, 401, 404),
        detail: {
          summary: "List when something is taken",
          description:
            "An aircraft, an instructor or a room: times only, at most 31 days. For those who may not see by whom.",
        },
      },
    );
