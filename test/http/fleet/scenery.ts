import { next, type Scenery } from "../../support/scenery.ts";
import { expectStatus, type Member } from "../../support/school.ts";

export const fleetScenery: Scenery = {
  params: {
    aircraftId: async ({ owner }) => newAircraft(owner),
    groundingId: async ({ owner }, _, { aircraftId }) => {
      const grounded = await owner.post(`/aircraft/${aircraftId}/ground`, { reason: "Nose wheel shimmy." });
      return expectStatus(200, grounded).body.data.groundings[0].id;
    },
  },
  bodies: {
    "POST /orgs/{orgId}/aircraft": async () => ({ registration: `D-N${next()}` }),
    "PATCH /orgs/{orgId}/aircraft/{aircraftId}": async () => ({ registration: `D-P${next()}` }),
  },
};

export async function newAircraft(owner: Member): Promise<string> {
  const aircraft = { registration: `D-F${next()}`, model: "Cessna 172S", class: "SEP" };
  return expectStatus(201, await owner.post("/aircraft", aircraft)).body.data.id;
}
