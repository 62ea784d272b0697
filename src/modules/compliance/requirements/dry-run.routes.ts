import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { NewTrial, Trial } from "./dry-run.schemas.ts";
import { tryRequirement } from "./try-requirement.ts";

/** `/orgs/{orgId}/compliance/requirements/dry-run` */
export const requirementDryRunRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({
    ...{ name: "compliance requirement dry runs", prefix: "/orgs/:orgId/compliance/requirements" },
    tags: ["Compliance"],
  })
    .use(session)
    .post("/dry-run", async ({ context, body }) => ({ data: await tryRequirement(context, body) }), {
      transform: requires("compliance:manage"),
      body: NewTrial,
      response: responses({ 200: data(Trial) }, 400, 401, 404),
      detail: {
        operationId: "tryComplianceRequirement",
        summary: "Try a change of the requirements",
        description:
          "Changes nothing. Refuses what the change would refuse; otherwise says who would get another status in the evaluations if the requirement was added, changed or removed today.",
      },
    });
