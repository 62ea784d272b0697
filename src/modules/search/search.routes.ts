import { Elysia } from "elysia";
import { requires } from "../../http/before-validation.ts";
import type { Http } from "../../http/http.ts";
import { jsonText } from "../../http/json-text.ts";
import { responses } from "../../http/responses.ts";
import type { RoutePlugin } from "../../http/route.ts";
import type { Finder } from "../../storage/finder.ts";
import { foundIn, SearchQuery } from "./search.schemas.ts";
import { searchAll } from "./search-all.ts";

/** `/orgs/{orgId}/search` */
export const searchRoutes = ({ session }: Http, finders: readonly Finder[]): RoutePlugin =>
  new Elysia({ name: "search", prefix: "/orgs/:orgId/search", tags: ["Search"] })
    .use(session)
    .get("/", async ({ context, query: { q } }) => jsonText(await searchAll(context, finders, q)), {
      transform: requires("organization:read"),
      query: SearchQuery,
      response: responses({ 200: foundIn(finders) }, 400, 401, 404),
      detail: {
        summary: "Search the records",
        description:
          "For a search while somebody types: at most 8 records of each kind that the caller may list, and of what is the caller's own only that where the lists show no more. People and members are found by name and e-mail address, aircraft by registration, model and type, flights by registration and day (`2026-06-15` or `15.06.2026`), invoices by number, work orders by title and registration, programs by name. What is archived or done comes last.",
      },
    });
