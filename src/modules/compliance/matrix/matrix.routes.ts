import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { jsonText } from "../../../http/json-text.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { RequirementMatrix, RequirementMatrixQuery, readMatrix } from "./read-matrix.ts";

/** `/orgs/{orgId}/compliance/matrix` */
export const requirementMatrixRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "compliance matrix", prefix: "/orgs/:orgId/compliance/matrix", tags: ["Compliance"] })
    .use(session)
    .get(
      "",
      async ({ context: { tenant, actor, clock }, query }) => {
        const matrix = await tenant.read((reader) => readMatrix(reader, actor, query, clock.now()));
        return jsonText(JSON.stringify({ data: matrix }));
      },
      {
        transform: requires("compliance:read"),
        query: RequirementMatrixQuery,
        response: responses({ 200: data(RequirementMatrix) }, 400, 401, 404),
        detail: {
          summary: "List who meets what is required",
          description: "How each person stands today under each requirement, as in the evaluations.",
        },
      },
    );
