import { Elysia } from "elysia";
import { z } from "zod";
import { requires } from "../../http/before-validation.ts";
import type { Http } from "../../http/http.ts";
import { data, responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import { changeRule } from "./change-rule.ts";
import { findRule, listRules } from "./rules.queries.ts";
import { ClearanceRule, RuleChange, RuleRef } from "./rules.schemas.ts";

/** `/orgs/{orgId}/clearance/rules` */
export const clearanceRuleRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "clearance rules", prefix: "/orgs/:orgId/clearance/rules", tags: ["Clearance"] })
    .use(session)
    .get("/", async ({ context }) => ({ data: await context.tenant.read(listRules) }), {
      transform: requires("compliance:read", "compliance:read_own"),
      response: responses({ 200: data(z.array(ClearanceRule)) }, 401, 404),
      detail: {
        summary: "List the rules of the clearance",
        description: "What each rule is about, its source, and what happens if a flight does not meet it.",
      },
    })
    .get(
      "/:rule",
      async ({ context, params: { rule } }) => ({
        data: await context.tenant.read((reader) => findRule(reader, rule)),
      }),
      {
        transform: requires("compliance:read", "compliance:read_own"),
        params: RuleRef,
        response: responses({ 200: data(ClearanceRule) }, 401, 404),
        detail: { summary: "Get a rule of the clearance", description: "With the action that the school has set." },
      },
    )
    .patch(
      "/:rule",
      async ({ context, params, body }) => ({ data: await changeRule(context, { ...body, rule: params.rule }) }),
      {
        transform: requires("clearance:manage"),
        params: RuleRef,
        body: RuleChange,
        response: responses({ 200: data(ClearanceRule) }, 400, 401, 404),
        detail: {
          summary: "Set the action of a rule",
          description: "Applies to clearances and flights that are evaluated from then on.",
        },
      },
    );
