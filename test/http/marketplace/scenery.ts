import { newAccount, newApplication, newOpportunity, publishedOpportunity } from "../../support/market.ts";
import type { Scenery } from "../../support/scenery.ts";

export const marketplaceScenery: Scenery = {
  params: {
    opportunityId: ({ owner }, { name, template }) =>
      name.endsWith("/close") || !template.startsWith("/orgs/") ? publishedOpportunity(owner) : newOpportunity(owner),
    applicationId: (school) => newApplication(school),
  },
  bodies: {
    "PATCH /applications/{applicationId}/status": async () => ({ status: "shortlisted" }),
  },
  callers: {
    "POST /opportunities/{opportunityId}/applications": async ({ installation, owner }) => ({
      caller: (await newAccount(installation)).token,
      params: { opportunityId: await publishedOpportunity(owner) },
    }),
  },
};
