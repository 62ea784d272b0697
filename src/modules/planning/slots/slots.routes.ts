import { Elysia } from "elysia";
import { z } from "zod";
import { toInstant } from "../../../core/clock.ts";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { findSlots } from "./find-slots.ts";
import { Slot, SlotQuery } from "./slots.schemas.ts";

/** `/orgs/{orgId}/planning/free-slots` */
export const slotRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "planning slots", prefix: "/orgs/:orgId/planning/free-slots", tags: ["Planning"] })
    .use(session)
    .get(
      "",
      async ({ context: { tenant, actor, clock }, query }) => ({
        data: await tenant.read((reader) => findSlots(reader, actor, query, toInstant(clock.now()))),
      }),
      {
        transform: requires("planning:book", "planning:manage"),
        query: SlotQuery,
        response: responses(
          { 200: data(z.array(Slot)) },
          400,
          401,
          404,
          "aircraft_archived",
          "person_archived",
          "not_own_session",
        ),
        detail: {
          summary: "Search free slots",
          description:
            "The next times within 14 days at which an aircraft, the instructor and the student are free and there, and no rule blocks. They begin at quarters of an hour; those of one aircraft do not overlap. For members without `planning:manage`, they are within what the school allows them.",
        },
      },
    );
