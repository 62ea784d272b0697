import { next, type Scenery, type StagedSchool } from "../../support/scenery.ts";
import { expectStatus } from "../../support/school.ts";

export const complianceScenery: Scenery = {
  params: {
    typeId: async ({ owner }) => {
      const type = { key: `own_${next()}`, name: "Club check", subject: "person" };
      return expectStatus(201, await owner.post("/compliance/types", type)).body.data.id;
    },
    recordId: async (school, { method, name }) => {
      // Students read only their own records, and mechanics withdraw only those of aircraft.
      const { personId } = school.student;
      const ofPerson = method === "GET" || name.endsWith("/remind");
      const record = ofPerson ? { ...ownSep, person_id: personId } : await aircraftRecord(school);
      return expectStatus(201, await school.owner.post("/compliance/records", record)).body.data.id;
    },
  },
  bodies: {
    "POST /orgs/{orgId}/compliance/types": async () => ({ key: `own_${next()}` }),
    "POST /orgs/{orgId}/compliance/records": aircraftRecord,
  },
  arrivals: {
    "GET /orgs/{orgId}/compliance/suggested-validity": async () => ({ query: "type=sep&done_on=2025-03-14" }),
  },
};

const ownSep = { type: "sep", issued_on: "2025-03-14", valid_until: "2027-03-31" };

async function aircraftRecord({ owner }: StagedSchool) {
  const aircraft = { registration: `D-R${next()}`, model: "Cessna 172S", class: "SEP" };
  const { id } = expectStatus(201, await owner.post("/aircraft", aircraft)).body.data;
  const dates = { issued_on: "2025-03-14", valid_until: "2026-03-13" };
  return { type: "arc", aircraft_id: id, person_id: null, supersedes: null, ...dates };
}

/** Jobs have work with a medical. The example in the document is a record of an aircraft. */
export async function addMedical({ owner, student, installation }: StagedSchool): Promise<void> {
  const inDays = (days: number) =>
    new Date(installation.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const dates = { issued_on: inDays(-300), valid_until: inDays(45) };
  const medical = { person_id: student.personId, type: "medical", level: "class_2", ...dates };
  expectStatus(201, await owner.post("/compliance/records", medical));
}
