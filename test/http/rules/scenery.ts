import type { Scenery } from "../../support/scenery.ts";

export const rulesScenery: Scenery = {
  params: {
    rule: async () => "medical_missing",
  },
};
