import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import { page, responses } from "../../../http/responses.ts";
import { EvaluationListQuery, evaluation, listEvaluations } from "./evaluations.queries.ts";

/** `/internal/compliance-evaluations`, for development. */
export const internalEvaluationRoutes = ({ namedOrganization }: Http) =>
  new Elysia({ name: "internal evaluations", prefix: "/internal/compliance-evaluations", tags: ["Operational"] })
    .use(namedOrganization)
    .get(
      "/",
      async ({ context, query }) =>
        listPage(query, (query) => context.tenant.read((reader) => listEvaluations(reader, query))),
      {
        transform: requires("compliance:read"),
        query: EvaluationListQuery,
        response: responses({ 200: page(evaluation.schema) }, 400, 401),
        detail: {
          summary: "List an organization's compliance evaluations",
          description: "As `GET /orgs/{orgId}/compliance/evaluations`. Only with `WINDSOCK_ENV=development`.",
        },
      },
    );

/** `/orgs/{orgId}/compliance/evaluations` */
export const evaluationRoutes = ({ session }: Http) =>
  new Elysia({ name: "compliance-evaluations", prefix: "/orgs/:orgId/compliance/evaluations", tags: ["Compliance"] })
    .use(session)
    .get(
      "/",
      async ({ context, query }) =>
        listPage(query, (query) => context.tenant.read((reader) => listEvaluations(reader, query))),
      {
        transform: requires("compliance:read"),
        query: EvaluationListQuery,
        response: responses({ 200: page(evaluation.schema) }, 400, 401, 404),
        detail: {
          summary: "List compliance evaluations",
          description:
            "Whether each person and aircraft has the records that the school requires, and what is missing.",
        },
      },
    );
