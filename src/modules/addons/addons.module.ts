import type { Module } from "../../module.ts";
import { seenWith } from "../../storage/change-kinds.ts";
import { on } from "../../storage/occasions.ts";
import { organizationRemoved } from "../organizations/organizations.occasions.ts";
import * as tables from "./addons.tables.ts";
import { listingRoutes } from "./listings/listings.routes.ts";
import { removeListings } from "./listings/remove-listings.ts";
import { movedListings } from "./moved-listings.ts";
import { publicListingRoutes } from "./public/public.routes.ts";
import { reviewRoutes } from "./review/review.routes.ts";

export const addons = {
  capability: "addons",
  tables: { control: tables },
  moved: movedListings,
  routes: (http) => [listingRoutes(http), reviewRoutes(http), publicListingRoutes(http)],
  follows: [on(organizationRemoved, removeListings)],
  changes: [{ kind: "addon_listing", seenBy: seenWith("addons:manage") }],
  tags: { "Add-ons": "Programs for other organizations: their listings, the review, and the public list." },
} satisfies Module;
