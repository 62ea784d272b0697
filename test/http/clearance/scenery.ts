import type { Scenery } from "../../support/scenery.ts";

export const clearanceScenery: Scenery = {
  arrivals: {
    "GET /orgs/{orgId}/clearance": async ({ aircraftId, student }) => ({
      query: `aircraft_id=${aircraftId}&person_id=${student.personId}&function=solo&at=2026-06-15T08:00:00Z`,
    }),
  },
};
