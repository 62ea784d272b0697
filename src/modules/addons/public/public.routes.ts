import { Elysia } from "elysia";
import { z } from "zod";
import { conditional } from "../../../http/etag.ts";
import type { Http } from "../../../http/http.ts";
import { jsonPage } from "../../../http/json-page.ts";
import { jsonData } from "../../../http/json-text.ts";
import { paging, searchText } from "../../../http/query.ts";
import { data, page, responses, tagged } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import { findPublic, listPublic } from "../listings/listings.queries.ts";
import { category, slug } from "../listings/listings.schemas.ts";
import { publicListing } from "../listings/listings.shapes.ts";

const PublicQuery = z.strictObject({
  ...paging,
  category: category.optional(),
  q: searchText("the name", "Flight").optional(),
});

const PublicRef = z.object({ slug });

/** `/public/addon-listings`: for everybody. */
export const publicListingRoutes = ({ open }: Http): RoutePlugin =>
  new Elysia({ name: "public add-ons", prefix: "/public/addon-listings", tags: ["Add-ons"] })
    .use(open)
    .onAfterHandle(({ request, responseValue, set }) => conditional({ request, responseValue, set }))
    .get(
      "/",
      async ({ context: { control }, query, request, set }) =>
        jsonPage({ request, set }, await control.read((reader) => listPublic(reader, query))),
      {
        query: PublicQuery,
        response: responses({ 200: tagged(page(publicListing.schema)) }, 400),
        detail: { summary: "List public add-ons", description: "The approved ones of all organizations, by name." },
      },
    )
    .get(
      "/:slug",
      async ({ context: { control }, params }) => jsonData(await control.read((reader) => findPublic(reader, params))),
      {
        params: PublicRef,
        response: responses({ 200: tagged(data(publicListing.schema)) }, 404),
        detail: { summary: "Get a public add-on", description: "404: there is none, or it is not approved." },
      },
    );
