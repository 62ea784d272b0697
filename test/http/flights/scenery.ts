import type { Scenery } from "../../support/scenery.ts";
import { expectStatus } from "../../support/school.ts";

export const flightsScenery: Scenery = {
  params: {
    flightId: async (school, { name }) => {
      const submits = /\/(approve|reject|reverse|charge|rebill|waive)$|\/public\//.test(name);
      const { id } = await (submits ? school.submitFlight(school.student) : school.draftFlight(school.student));
      if (/\/(reverse|charge|rebill|waive)$/.test(name))
        expectStatus(200, await school.owner.post(`/flights/${id}/approve`));
      return id;
    },
  },
  bodies: {
    "POST /orgs/{orgId}/flights": async (school) => school.flightBody(flown),
    "PATCH /orgs/{orgId}/flights/{flightId}": async (school) => school.flightBody(flown),
  },
};

/** A body with every figure of a flight, so that tests can make each field invalid. */
const flown = {
  body: { lesson_id: null, take_off_at: null, landing_at: null, hobbs_start: "1234.50", hobbs_end: "1235.50" },
};
