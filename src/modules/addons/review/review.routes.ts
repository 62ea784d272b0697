import { Elysia } from "elysia";
import type { Http } from "../../../http/http.ts";
import { jsonText } from "../../../http/json-text.ts";
import { listPage } from "../../../http/list-page.ts";
import { page, responses } from "../../../http/responses.ts";
import type { RoutePlugin } from "../../../http/route.ts";
import type { SignedIn } from "../../../storage/context.ts";
import { requirePlatformPermission } from "../../accounts/operator/platform-permissions.queries.ts";
import { listingEntity, listQueue } from "../listings/listings.queries.ts";
import { ListingRef } from "../listings/listings.schemas.ts";
import { listing } from "../listings/listings.shapes.ts";
import { Approval, QueueQuery, Rejection } from "./review.schemas.ts";
import { reviewListing } from "./review-listing.ts";

/** Before the input is validated. */
const transform = ({ context: { control, actor } }: { context: SignedIn }) =>
  control.read((reader) => requirePlatformPermission(reader, actor.userId, "platform_admin.listing:review"));

/** `/admin/addon-listings`: for platform admins. Single listings are not in `data`. */
export const reviewRoutes = ({ signedIn }: Http): RoutePlugin =>
  new Elysia({ name: "listing reviews", prefix: "/admin/addon-listings", tags: ["Add-ons"] })
    .use(signedIn)
    .get(
      "/",
      async ({ context: { control }, query }) =>
        listPage(query, (query) => control.read((reader) => listQueue(reader, query))),
      {
        transform,
        query: QueueQuery,
        response: responses({ 200: page(listing.schema) }, 400, 401, 404, "permission_missing"),
        detail: {
          summary: "List add-on listings for review",
          description:
            "Of all organizations: those that wait longest first, by default those that wait for a review. For accounts with `platform_admin.listing:review`. 404: add-ons are switched off.",
        },
      },
    )
    .get(
      "/:listingId",
      async ({ context: { control }, params: { listingId } }) =>
        jsonText((await control.read((reader) => listingEntity.read(reader, listingId))).text),
      {
        transform,
        params: ListingRef,
        response: responses({ 200: listing.schema }, 401, 404, "permission_missing"),
        detail: { summary: "Get an add-on listing for review", description: "Of any organization, in any status." },
      },
    )
    .post(
      "/:listingId/approve",
      async ({ context, params, body }) =>
        jsonText((await reviewListing(context, { ...params, ...body, decision: "approved" })).text),
      {
        transform,
        params: ListingRef,
        body: Approval.optional(),
        response: responses(
          { 200: listing.schema },
          400,
          401,
          404,
          "permission_missing",
          "conflict_of_interest",
          "wrong_status",
          "revision_changed",
        ),
        detail: {
          summary: "Approve an add-on listing",
          description:
            "From `pending_review` to `approved`: it is public. Not by members of its organization, or by former ones.",
        },
      },
    )
    .post(
      "/:listingId/reject",
      async ({ context, params, body }) =>
        jsonText((await reviewListing(context, { ...params, ...body, decision: "rejected" })).text),
      {
        transform,
        params: ListingRef,
        body: Rejection,
        response: responses(
          { 200: listing.schema },
          400,
          401,
          404,
          "permission_missing",
          "conflict_of_interest",
          "wrong_status",
          "revision_changed",
        ),
        detail: {
          summary: "Reject an add-on listing",
          description:
            "From `pending_review` to `rejected`: it stays private. Not by members of its organization, or by former ones.",
        },
      },
    );
