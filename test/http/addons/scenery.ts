import { approvedListing, newListing, newReviewer, submittedListing } from "../../support/market.ts";
import { type Called, next, type Scenery, type StagedSchool } from "../../support/scenery.ts";

export const addonsScenery: Scenery = {
  params: {
    listingId: async ({ owner }, { name }) =>
      (await (name.endsWith("/withdraw") ? submittedListing(owner) : newListing(owner))).id,
    slug: async (school) => (await approvedListing(school)).slug,
  },
  bodies: {
    "POST /orgs/{orgId}/addon-listings": async () => ({ slug: `add-on-${next()}` }),
    "PATCH /orgs/{orgId}/addon-listings/{listingId}": async () => ({ slug: `add-on-${next()}` }),
  },
  callers: {
    "GET /admin/addon-listings": async ({ installation }) => ({ caller: (await newReviewer(installation)).token }),
    "GET /admin/addon-listings/{listingId}": queued,
    "POST /admin/addon-listings/{listingId}/approve": queued,
    "POST /admin/addon-listings/{listingId}/reject": queued,
  },
};

async function queued({ installation, owner }: StagedSchool): Promise<Called> {
  const { token: caller } = await newReviewer(installation);
  return { caller, params: { listingId: (await submittedListing(owner)).id } };
}
