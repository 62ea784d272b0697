import type { Scenery } from "../../support/scenery.ts";
import { expectStatus } from "../../support/school.ts";

export const sharingScenery: Scenery = {
  params: {
    // Members see only the tokens that they made, unless they manage all.
    shareTokenId: async ({ student }) => {
      const token = { purpose: "calendar", subject_id: student.personId, name: "My phone" };
      return expectStatus(201, await student.post("/share-tokens", token)).body.data.id;
    },
  },
  bodies: {
    "POST /orgs/{orgId}/share-tokens": async ({ student }) => ({ subject_id: student.personId }),
  },
};
