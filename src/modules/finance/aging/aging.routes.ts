import { Elysia } from "elysia";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import { page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { listAging } from "./aging.queries.ts";
import { AgingQuery, agingRow } from "./aging.shapes.ts";

/** `/orgs/{orgId}/finance/aging` */
export const agingRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "finance aging", prefix: "/orgs/:orgId/finance/aging", tags: ["Finance"] })
    .use(session)
    .get(
      "",
      async ({ context: { tenant, clock }, query }) =>
        listPage(query, (asked) => tenant.read((reader) => listAging(reader, asked, clock.now()))),
      {
        transform: requires("finance:read"),
        query: AgingQuery,
        response: responses({ 200: page(agingRow.schema) }, 400, 401, 404),
        detail: {
          summary: "List who owes what since when",
          description:
            "A row for each person and currency in which they owe something, with what is left to pay of their invoices by how long it is overdue today, where the organization is. People whose money on account covers their invoices are not listed.",
        },
      },
    );
