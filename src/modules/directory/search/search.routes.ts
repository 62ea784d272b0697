import { Elysia } from "elysia";
import type { Clock } from "../../../core/clock.ts";
import { networkOf } from "../../../http/client-address.ts";
import { conditional } from "../../../http/etag.ts";
import type { Http } from "../../../http/http.ts";
import { jsonPage } from "../../../http/json-page.ts";
import { jsonData } from "../../../http/json-text.ts";
import { createLimiter, type Fields, takeOrRefuse } from "../../../http/rate-limit.ts";
import { data, page, responses, tagged } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { entry } from "./entry.shapes.ts";
import { findEntry, searchEntries } from "./search.queries.ts";
import { EntryPath, SearchQuery, TypeRef } from "./search.schemas.ts";

/** `/public/directory`: for everybody. */
export function searchRoutes({ open }: Http, { clock }: { clock: Clock }): RoutePlugin {
  const reads = createLimiter({ clock, limit: 300, windowSeconds: 60 });
  const transform = ({ client, set }: { client: { readonly address: string }; set: Fields }) =>
    takeOrRefuse(set, "directory", reads, networkOf(client));
  return new Elysia({ name: "public directory", prefix: "/public/directory", tags: ["Directory"] })
    .use(open)
    .onAfterHandle(({ request, responseValue, set }) => conditional({ request, responseValue, set }))
    .get(
      "/:type",
      async ({ context: { control }, params: { type }, query, request, set }) =>
        jsonPage({ request, set }, await control.read((reader) => searchEntries(reader, type, query))),
      {
        transform,
        params: TypeRef,
        query: SearchQuery,
        response: responses({ 200: tagged(page(entry.schema)) }, 400, 404, 429),
        detail: {
          summary: "Search the directory",
          description:
            "What organizations publish: featured ones first, then by the priority that the platform gave them, then by name. 404: no such type. At most 300 requests a minute for each address.",
        },
      },
    )
    .get(
      "/:type/:id",
      async ({ context: { control }, params }) => jsonData(await control.read((reader) => findEntry(reader, params))),
      {
        transform,
        params: EntryPath,
        response: responses({ 200: tagged(data(entry.schema)) }, 404, 429),
        detail: { summary: "Get an entry of the directory", description: "404: there is none, or it is not public." },
      },
    );
}
