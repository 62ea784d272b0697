import { newModerator, publish } from "../../support/directory.ts";
import { type Called, next, type Scenery, type StagedSchool } from "../../support/scenery.ts";
import { expectStatus } from "../../support/school.ts";
import { newAircraft } from "../fleet/scenery.ts";

export const directoryScenery: Scenery = {
  params: {
    orgId: async ({ owner, orgId }, { name }) => {
      if (name.endsWith("/directory/school")) await publish(owner, "schools", orgId);
      return undefined;
    },
    aircraftId: async ({ owner }, { template }) =>
      template.includes("/directory/")
        ? (await publish(owner, "aircraft", await newAircraft(owner))).subject_id
        : undefined,
    personId: async (school, { method, template }) => {
      if (!template.includes("/directory/")) return undefined;
      return method === "GET" ? ownProfile(school) : publishedInstructor(school);
    },
    type: async () => "aircraft",
    // One of its own: the school's may have been hidden by another request.
    id: async ({ owner }) => (await publish(owner, "aircraft", await newAircraft(owner))).subject_id,
  },
  callers: {
    "GET /admin/directory/{type}": async ({ installation }) => ({ caller: (await newModerator(installation)).token }),
    "GET /admin/directory/{type}/{id}": moderating,
    "PATCH /admin/directory/{type}/{id}": moderating,
    "POST /orgs/{orgId}/directory/instructors/{personId}/consent": consenting,
    "DELETE /orgs/{orgId}/directory/instructors/{personId}/consent": consenting,
  },
};

async function moderating({ installation, owner, orgId }: StagedSchool): Promise<Called> {
  await publish(owner, "schools", orgId);
  return { caller: (await newModerator(installation)).token, params: { type: "schools", id: orgId } };
}

async function consenting(school: StagedSchool): Promise<Called> {
  return { caller: school.student.token, params: { personId: await ownProfile(school) } };
}

/** A member with the fewest permissions reads only their own, and consents to it. */
async function ownProfile({ owner, student: { personId } }: StagedSchool): Promise<string> {
  expectStatus(200, await owner.patch(`/people/${personId}`, { types: ["student", "instructor"] }));
  await publish(owner, "instructors", personId);
  return personId;
}

async function publishedInstructor({ owner }: StagedSchool): Promise<string> {
  const person = { name: `Instructor ${next()}`, types: ["instructor"] };
  const { id } = expectStatus(201, await owner.post("/people", person)).body.data;
  await publish(owner, "instructors", id);
  return id;
}
