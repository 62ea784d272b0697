import type { Scenery } from "../../support/scenery.ts";

export const searchScenery: Scenery = {
  arrivals: {
    "GET /orgs/{orgId}/search": async () => ({ query: "q=eabc" }),
  },
};
