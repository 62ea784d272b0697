import { next, type Scenery, type StagedSchool } from "../../support/scenery.ts";
import { expectStatus } from "../../support/school.ts";

export const peopleScenery: Scenery = {
  params: {
    // Members with the fewest permissions may only read their own person, and change their own logbook.
    personId: async ({ owner, student }, { method, name }) => {
      if (method === "GET" || name.endsWith("/opening-totals")) return student.personId;
      const person = { name: `Person ${next()}`, types: ["pilot"] };
      return expectStatus(201, await owner.post("/people", person)).body.data.id;
    },
  },
  bodies: {
    "POST /orgs/{orgId}/people": async () => ({ user_id: null, supervisor_id: null }),
    "PATCH /orgs/{orgId}/people/{personId}": async () => ({ user_id: null, supervisor_id: null }),
  },
};

export async function newStudent(school: StagedSchool): Promise<string> {
  const student = { name: `Student ${next()}`, types: ["student"] };
  return expectStatus(201, await school.owner.post("/people", student)).body.data.id;
}
