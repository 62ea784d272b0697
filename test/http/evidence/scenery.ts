import { sql } from "drizzle-orm";
import type { OrgId } from "../../../src/core/ids.ts";
import type { Scenery, StagedSchool } from "../../support/scenery.ts";
import { expectStatus, newSchool } from "../../support/school.ts";
import { enrollment } from "../training/scenery.ts";

export const evidenceScenery: Scenery = {
  params: {
    packId: async (school, { name }) => {
      const id = await newPack(school);
      if (name.endsWith("/retry")) await failPack(school, id);
      return id;
    },
    vtrId: async (school) => newPack(school),
  },
  bodies: {
    "POST /orgs/{orgId}/evidence-packs": async ({ student }) => ({ person_id: student.personId }),
  },
  arrivals: {
    "POST /orgs/{orgId}/training/enrollments/{enrollmentId}/credits/import": (school, { enrollmentId = "" }) =>
      packFromElsewhere(school, enrollmentId),
    "GET /public/orgs/{orgId}/vtr/{vtrId}/verify": async ({ owner }, { vtrId }) => {
      const share = { purpose: "vtr", subject_id: vtrId, name: "Another school" };
      const { token } = expectStatus(201, await owner.post("/share-tokens", share)).body.data;
      return { query: `token=${token}` };
    },
  },
};

/** A pack of another school about the student of an enrollment, and the key that has signed it. */
async function packFromElsewhere(school: StagedSchool, enrollmentId: string): Promise<{ body: Blob; query: string }> {
  const { student } = expectStatus(200, await school.owner.get(`/training/enrollments/${enrollmentId}`)).body.data;
  const other = await newSchool(school.installation);
  const { owner, student: trained } = other;
  expectStatus(200, await owner.patch(`/people/${trained.personId}`, { name: student.name }));
  await enrollment(other, trained.personId);
  const id = await newPack(other);
  const headers = { authorization: `Bearer ${owner.token}` };
  const url = `http://localhost/orgs/${other.orgId}/evidence-packs/${id}/content`;
  const zip = await (await school.installation.app.fetch(new Request(url, { headers }))).arrayBuffer();
  const [key] = expectStatus(200, await owner.get("/signing-keys")).body.data;
  return { body: new Blob([zip], { type: "application/zip" }), query: `key=${key.thumbprint}` };
}

async function newPack({ student }: StagedSchool): Promise<string> {
  const pack = { type: "pilot_portable", person_id: student.personId };
  return expectStatus(202, await student.post("/evidence-packs", pack)).body.data.id;
}

/** As if building it had failed. */
const failPack = ({ installation, orgId }: StagedSchool, id: string) =>
  installation.storage.tenants
    .tenant(orgId as OrgId)
    .write((tx) => tx.run(sql`update evidence_packs set status = 'failed' where id = ${id}`));
