import { Elysia } from "elysia";
import { toLegalDate } from "../../../core/dates.ts";
import { requires } from "../../../http/before-validation.ts";
import type { Http } from "../../../http/http.ts";
import { listPage } from "../../../http/list-page.ts";
import { page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { today } from "../../../storage/today.ts";
import { record } from "../records/records.shapes.ts";
import { asOf, withdrawnOnes } from "../records/standing.queries.ts";
import { ExpiryListQuery, listExpiries } from "./expiries.queries.ts";

/** `/orgs/{orgId}/compliance/expiries` */
export const expiryRoutes = ({ session }: Http): RoutePlugin =>
  new Elysia({ name: "compliance expiries", prefix: "/orgs/:orgId/compliance/expiries", tags: ["Compliance"] })
    .use(session)
    .get(
      "/",
      async ({ context: { tenant, actor, clock }, query }) =>
        listPage(query, (query) =>
          tenant.read(async (reader) => {
            const now = await asOf(reader, toLegalDate(await today(reader, clock.now())));
            return listExpiries(reader, actor, query, await withdrawnOnes(reader, now));
          }),
        ),
      {
        transform: requires("compliance:read", "compliance:read_aircraft", "compliance:read_own"),
        query: ExpiryListQuery,
        response: responses({ 200: page(record.schema) }, 400, 401, 404),
        detail: {
          summary: "List what expires when",
          description:
            "The current records with an expiry, of people and aircraft that are not archived, the soonest expiry first; without a medical that the withdrawal of another has ended. `from` and `to` are days of expiry; without `from`, expired ones come first. Callers see the records that their permissions allow.",
        },
      },
    );
