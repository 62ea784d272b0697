import { Elysia } from "elysia";
import type { z } from "zod";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import { page, responses } from "../../../http/responses.ts";
import type { InOrganization } from "../../../storage/context.ts";
import { EvaluationListQuery, evaluation, listEvaluations } from "./evaluations.queries.ts";

const Evaluations = page(evaluation.schema);
const query = EvaluationListQuery;

const list = async ({ context, query }: { context: InOrganization; query: z.infer<typeof EvaluationListQuery> }) =>
  listPage(query, (query) => context.tenant.read((reader) => listEvaluations(reader, context.actor, query)));

/** `/internal/compliance-evaluations`, for development. */
export const internalEvaluationRoutes = ({ namedOrganization }: Http) =>
  new Elysia({ name: "internal evaluations", prefix: "/internal/compliance-evaluations", tags: ["Operational"] })
    .use(namedOrganization)
    .get("/", list, {
      transform: requires("compliance:read"),
      query,
      response: responses({ 200: Evaluations }, 400, 401),
      detail: {
        summary: "List an organization's compliance evaluations",
        description: "As `GET /orgs/{orgId}/compliance/evaluations`. Only with `WINDSOCK_ENV=development`.",
      },
    });

/** `/orgs/{orgId}/compliance/evaluations` */
export const evaluationRoutes = ({ session }: Http) =>
  new Elysia({ name: "compliance-evaluations", prefix: "/orgs/:orgId/compliance/evaluations", tags: ["Compliance"] })
    .use(session)
    .get("/", list, {
      transform: requires("compliance:read", "compliance:read_aircraft", "compliance:read_own"),
      query,
      response: responses({ 200: Evaluations }, 400, 401, 404),
      detail: {
        summary: "List compliance evaluations",
        description:
          "Whether each person and aircraft has the records that the school requires, and what is missing. A caller without `compliance:read` sees those of aircraft, if they may read their records, and their own.",
      },
    });
