import type { Http } from "../../../http/http.ts";
import { resourceRoutes } from "../../../http/resource-routes.ts";
import { listingEntity, listListings } from "./listings.queries.ts";
import { ListingChange, ListingListQuery, NewListing } from "./listings.schemas.ts";
import { addListing, changeListing, removeListing, submitListing, withdrawListing } from "./listings.verbs.ts";

/** `/orgs/{orgId}/addon-listings` */
export const listingRoutes = (http: Http) =>
  resourceRoutes(http, {
    tag: "Add-ons",
    names: ["an add-on listing", "add-on listings"],
    path: "addon-listings",
    item: "/:listingId",
    entity: listingEntity,
    reads: "addons:manage",
    writes: "addons:manage",
    list: {
      summary: "List the add-on listings of the organization",
      description: "The newest first, with the notes of their last review.",
      query: ListingListQuery,
      read: (reader, query, { orgId }) => listListings(reader, { ...query, org_id: orgId }),
    },
    add: {
      description: "Adds a draft. 409: another listing has the slug, or the organization has 50 listings.",
      body: NewListing,
      verb: addListing,
      refuses: ["limit_reached", "slug_taken"],
    },
    change: {
      description:
        "Changes the given fields; null clears a field. A change of anything but `support_email` puts an approved listing back into the queue: it is private until it is approved again. 409: it is in the queue (only `support_email` can be changed), or another listing has the slug.",
      body: ListingChange,
      verb: changeListing,
      refuses: ["wrong_status", "slug_taken"],
    },
    remove: {
      description: "Of a draft or a rejected one. Returns it as it was.",
      verb: removeListing,
      refuses: ["wrong_status"],
    },
    actions: {
      submit: {
        summary: "Submit an add-on listing for review",
        description: "From `draft` or `rejected` to `pending_review`.",
        verb: submitListing,
        refuses: ["wrong_status"],
      },
      withdraw: {
        summary: "Withdraw an add-on listing",
        description: "From `pending_review` or `approved` to `draft`. It is private at once.",
        verb: withdrawListing,
        refuses: ["wrong_status"],
      },
    },
  });
