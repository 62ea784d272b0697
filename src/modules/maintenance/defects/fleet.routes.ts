import { Elysia } from "elysia";
import { authorize } from "../../../core/actor.ts";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import { page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { listDefects } from "./defects.queries.ts";
import { DefectListQuery } from "./defects.schemas.ts";
import { defect } from "./defects.shapes.ts";

/** `/orgs/{orgId}/maintenance/defects` */
export const fleetDefectRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "fleet defects", prefix: "/orgs/:orgId/maintenance/defects", tags: ["Maintenance"] })
    .use(session)
    .get(
      "/",
      async ({ context: { tenant, actor }, query }) => {
        authorize(actor, "maintenance:read");
        return listPage(query, (query) => tenant.read((reader) => listDefects(reader, query)));
      },
      {
        transform: requires("maintenance:read"),
        query: DefectListQuery,
        response: responses({ 200: page(defect.schema) }, 400, 401, 404),
        detail: { summary: "List the defects of the fleet", description: "Of all aircraft, newest first." },
      },
    );
