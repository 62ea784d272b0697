import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { currencyOf } from "../../../identity/currency.queries.ts";
import { findAccount } from "./accounts.queries.ts";
import { Account, PersonRef, Statement, StatementQuery } from "./accounts.schemas.ts";
import { readStatement } from "./read-statement.ts";

/** `/orgs/{orgId}/people/{personId}/account` */
export const accountRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "accounts of people", prefix: "/orgs/:orgId/people/:personId/account", tags: ["Finance"] })
    .use(session)
    .get(
      "",
      async ({ context, params: { personId } }) => {
        const currency = await currencyOf(context);
        const { actor, tenant } = context;
        return { data: await tenant.read((reader) => findAccount(reader, { personId, actor, currency })) };
      },
      {
        transform: requires("finance:read", "finance:own"),
        params: PersonRef,
        response: responses({ 200: data(Account) }, 401, 404),
        detail: {
          summary: "Get the account of a person",
          description:
            "What they owe or have left, what is on account, what is not invoiced yet, and the open invoices. Members without `finance:read` see their own.",
        },
      },
    )
    .get(
      "/statement",
      async ({ context, params: { personId }, query }) => readStatement(context, { personId, query }),
      {
        transform: requires("finance:read", "finance:own"),
        params: PersonRef,
        query: StatementQuery,
        response: responses({ 200: Statement }, 400, 401, 404),
        detail: {
          summary: "Get the statement of a person's account",
          description:
            "The postings of one currency in the order of their days, each with the balance after it, and the balances before and after the period. A payment that was recorded late stands on the day on which it was received. Members without `finance:read` see their own.",
        },
      },
    );
