import { next, type Scenery, type StagedSchool } from "../../support/scenery.ts";
import { expectStatus } from "../../support/school.ts";
import { newStudent } from "../people/scenery.ts";

export const organizationsScenery: Scenery = {
  params: {
    orgId: async ({ orgId }) => orgId,
    userId: async (school) => (await school.join(["student"], `Joined ${next()}`)).userId,
    inviteId: async (school, { template }) =>
      (template.includes("/student-invites/") ? await studentInvite(school) : await memberInvite(school)).id,
    token: async (school, { template }) =>
      (template.includes("/student-invites/") ? await studentInvite(school) : await memberInvite(school)).token,
  },
  bodies: {
    "POST /auth/org-invites/claim": async (school) => ({ token: (await memberInvite(school)).token }),
    "POST /auth/student-invites/claim": async (school) => ({ token: (await studentInvite(school)).token }),
    "POST /auth/establish-exchange": async ({ owner }) => ({
      token: expectStatus(200, await owner.call("POST", "/auth/establish-token")).body.token,
    }),
    "POST /orgs/{orgId}/student-invites": async (school) => ({ person_id: await newStudent(school) }),
  },
};

interface Invite {
  id: string;
  token: string;
}

async function memberInvite(school: StagedSchool): Promise<Invite> {
  const invite = { email: `invited${next()}@example.com`, roles: ["student"] };
  return expectStatus(201, await school.owner.post("/invites", invite)).body.data;
}

async function studentInvite(school: StagedSchool): Promise<Invite> {
  const invite = { person_id: await newStudent(school), email: `student${next()}@example.com` };
  return expectStatus(201, await school.owner.post("/student-invites", invite)).body.data;
}
