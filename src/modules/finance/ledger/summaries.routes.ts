import { Elysia } from "elysia";
import { z } from "zod";
import { toLegalDate } from "../../../core/dates.ts";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { publicCollection } from "../../../http/public-collection.ts";
import { data, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { today } from "../../../storage/today.ts";
import { listSummaries } from "./summaries.queries.ts";
import { Summary, SummaryQuery } from "./summaries.schemas.ts";

const description =
  "One for each month and currency, the newest first, from the first month with an entry in the journal to the present one. `limit` counts months. A payment that is recorded late counts in the month in which it was received.";

/** `/orgs/{orgId}/finance/summaries` */
export const summaryRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "finance summaries", prefix: "/orgs/:orgId/finance/summaries", tags: ["Finance"] })
    .use(session)
    .get(
      "",
      async ({ context: { tenant, clock }, query }) => ({
        data: await tenant.read(async (reader) =>
          listSummaries(reader, query, toLegalDate(await today(reader, clock.now()))),
        ),
      }),
      {
        transform: requires("finance:read"),
        query: SummaryQuery,
        response: responses({ 200: data(z.array(Summary)) }, 400, 401, 404),
        detail: { summary: "List the summaries of the months", description },
      },
    );

/** `/api/v1/public/finance-summaries` */
export const publicSummaryRoutes = (http: Http): RoutePlugin =>
  publicCollection(http, {
    path: "finance-summaries",
    scope: "public.finance:read",
    query: SummaryQuery,
    item: Summary,
    dateOf: today,
    read: async (reader, query, date) => JSON.stringify({ data: await listSummaries(reader, query, date) }),
    summary: "List the summaries of the months",
    description,
  });
