import { Elysia } from "elysia";
import type { Capability } from "../../core/capabilities.ts";
import { requires } from "../../http/before-validation.ts";
import type { Http } from "../../http/http.ts";
import { jsonText } from "../../http/json-text.ts";
import { data, responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import { isEnrolled } from "../accounts/mfa/mfa.queries.ts";
import { beginningsOf } from "./counts.queries.ts";
import { readToday } from "./read-today.ts";
import { Setup, Today } from "./today.schemas.ts";

/** `/orgs/{orgId}/today` and `/orgs/{orgId}/setup` */
export const todayRoutes = ({ session }: Http, capabilities: ReadonlySet<Capability>): RoutePlugin =>
  new Elysia({ name: "today", prefix: "/orgs/:orgId", tags: ["Today"] })
    .use(session)
    .get("/today", async ({ context }) => jsonText(await readToday(context, capabilities)), {
      transform: requires("organization:read"),
      response: responses({ 200: data(Today) }, 401, 404),
      detail: {
        summary: "Get what waits for the caller",
        description:
          "Counts and first rows of what the caller does next, by their permissions: the day's sessions, flights to approve, own drafts, aircraft that need something, records that lapse, open defects, failing webhooks, waiting students, signoffs to acknowledge, and the own account.",
      },
    })
    .get(
      "/setup",
      async ({ context: { actor, tenant, control } }) => ({
        data: {
          ...(await tenant.read((reader) => beginningsOf(reader, actor))),
          has_second_factor: await control.read((reader) => isEnrolled(reader, actor.userId)),
        },
      }),
      {
        transform: requires("organization:manage"),
        response: responses({ 200: data(Setup) }, 401, 404),
        detail: {
          summary: "Get what a new school has done",
          description: "Which of the first steps are done: an aircraft, people, a flight, a second factor, a webhook.",
        },
      },
    );
