import { Elysia } from "elysia";
import { requires } from "../../http/before-validation.ts";
import type { Http } from "../../http/http.ts";
import { listPage } from "../../http/list-page.ts";
import { page, responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import { listRevalidations } from "./revalidations.queries.ts";
import { PersonRevalidations, RevalidationListQuery } from "./revalidations.schemas.ts";

/** `/orgs/{orgId}/compliance/revalidations` */
export const revalidationRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "revalidations", prefix: "/orgs/:orgId/compliance/revalidations", tags: ["Compliance"] })
    .use(session)
    .get(
      "/",
      async ({ context: { tenant, actor, clock }, query }) =>
        listPage(query, (query) =>
          tenant.read((reader) => listRevalidations(reader, query, { actor, now: clock.now() })),
        ),
      {
        transform: requires("compliance:read", "compliance:read_own"),
        query: RevalidationListQuery,
        response: responses({ 200: page(PersonRevalidations) }, 400, 401, 404),
        detail: {
          summary: "List who lacks what for a revalidation",
          description:
            "Of each active person with a rating SEP or TMG, an FI certificate or an LAPL: what is missing until when. Approved flights count, and of the LAPL a proficiency check, too. In the order in which the people were added. Members without `compliance:read` see their own.",
        },
      },
    );
