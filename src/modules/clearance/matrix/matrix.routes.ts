import { Elysia } from "elysia";
import { toInstant } from "../../../core/clock.ts";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { jsonData } from "../../../http/json-text.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { askMatrix } from "./ask-matrix.ts";
import { Matrix, MatrixQuery } from "./matrix.schemas.ts";

/** `/orgs/{orgId}/clearance/matrix` */
export const matrixRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "clearance matrix", prefix: "/orgs/:orgId/clearance/matrix", tags: ["Clearance"] })
    .use(session)
    .get(
      "",
      async ({ context: { tenant, actor, clock }, query: { at = toInstant(clock.now()), ...query } }) => {
        return jsonData(await tenant.read((reader) => askMatrix(reader, actor, { ...query, at })));
      },
      {
        transform: requires("compliance:read"),
        query: MatrixQuery,
        response: responses({ 200: data(Matrix) }, 400, 401, 404),
        detail: {
          summary: "Ask who may fly what",
          description:
            "The clearance of each person in a function for each aircraft, with every reason against it: those of the aircraft, and those of the person by class of aircraft. Without the rules that depend on what is entered for one flight: `solo_supervision`, because a matrix names no supervisor.",
        },
      },
    );
