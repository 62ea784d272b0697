/** The admin and marketplace tables: for each row and each status, a request with that response. */

import { newModerator, publish } from "../support/directory.ts";
import { newInstallation } from "../support/installation.ts";
import { makeReviewer, newApplication, newReviewer, submittedListing } from "../support/market.ts";
import { broken, ofBodies, type Provocations, type Scene, to } from "./provoke.ts";

const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
const notes = "The description does not say which data leaves the school.";

const byReviewer = async ({ school }: Scene) => ({ token: (await newReviewer(school.installation)).token });
const byOwner = ({ school }: Scene) => ({ token: school.owner.token });
const newOne = async ({ school }: Scene) => (await submittedListing(school.owner)).id;

const queue = to("GET", "/admin/addon-listings");
const queueRow: Provocations = {
  200: async (scene) => queue(scene, await byReviewer(scene)),
  400: async (scene) => to("GET", "/admin/addon-listings?review_status=new")(scene, await byReviewer(scene)),
  401: (scene) => queue(scene),
  403: (scene) => queue(scene, byOwner(scene)),
  404: async ({ from }) => {
    const without = await newInstallation({ shared: true, env: { WINDSOCK_DISABLE: "addons" } });
    return without.call("GET", "/admin/addon-listings", { from }).finally(() => without.close());
  },
  500: broken(queue, byReviewer),
};

const listing = (id: string) => to("GET", `/admin/addon-listings/${id}`);
const listingRow: Provocations = {
  200: async (scene) => listing(await newOne(scene))(scene, await byReviewer(scene)),
  400: async (scene) => listing(`${await newOne(scene)}?full=1`)(scene, await byReviewer(scene)),
  401: async (scene) => listing(await newOne(scene))(scene),
  403: async (scene) => listing(await newOne(scene))(scene, byOwner(scene)),
  404: async (scene) => listing(nobody)(scene, await byReviewer(scene)),
  500: broken(listing(nobody), byReviewer),
};

const decisionRow = (name: "approve" | "reject"): Provocations => {
  const decide = (id: string) => to("POST", `/admin/addon-listings/${id}/${name}`);
  const sent = async (scene: Scene) => ({ ...(await byReviewer(scene)), body: { review_notes: notes } });
  return {
    ...Object.fromEntries(
      Object.entries(ofBodies(decide(nobody))).map(([status, provoke]) => [
        status,
        (scene: Scene) => withToken(scene, provoke),
      ]),
    ),
    200: async (scene) => decide(await newOne(scene))(scene, await sent(scene)),
    400: async (scene) =>
      decide(await newOne(scene))(scene, {
        ...(await byReviewer(scene)),
        body: name === "reject" ? { review_notes: ` ${"x".repeat(39)} ` } : { notes },
      }),
    401: async (scene) => decide(await newOne(scene))(scene, { body: { review_notes: notes } }),
    403: async (scene) => {
      const { installation, owner } = scene.school;
      await makeReviewer(installation, owner.email);
      return decide(await newOne(scene))(scene, { ...byOwner(scene), body: { review_notes: notes } });
    },
    404: async (scene) => decide(nobody)(scene, await sent(scene)),
    409: async (scene) => {
      const id = await newOne(scene);
      const call = await sent(scene);
      await decide(id)(scene, call);
      return decide(id)(scene, call);
    },
    500: broken(decide(nobody), sent),
  };
};

/** The request of another provocation, by a platform admin. */
async function withToken(scene: Scene, provoke: Provocations[number], admin: typeof byReviewer = byReviewer) {
  const { installation } = scene.school;
  const { token } = await admin(scene);
  const call: typeof installation.call = (method, path, sent) => installation.call(method, path, { token, ...sent });
  return provoke({ ...scene, school: { ...scene.school, installation: { ...installation, call } } });
}

const moderate = (id: string) => to("PATCH", `/admin/directory/schools/${id}`);
const byModerator = async ({ school }: Scene) => ({
  token: (await newModerator(school.installation)).token,
  body: { status: "hidden" },
});
const publishedSchool = async ({ school: { owner, orgId } }: Scene) => {
  await publish(owner, "schools", orgId);
  return orgId;
};
const moderationRow: Provocations = {
  ...Object.fromEntries(
    Object.entries(ofBodies(moderate(nobody))).map(([status, provoke]) => [
      status,
      (scene: Scene) => withToken(scene, provoke, byModerator),
    ]),
  ),
  200: async (scene) => moderate(await publishedSchool(scene))(scene, await byModerator(scene)),
  400: async (scene) =>
    moderate(await publishedSchool(scene))(scene, { ...(await byModerator(scene)), body: { sort_priority: 1001 } }),
  401: async (scene) => moderate(await publishedSchool(scene))(scene, { body: { status: "hidden" } }),
  404: async (scene) =>
    moderate(await publishedSchool(scene))(scene, { ...byOwner(scene), body: { status: "hidden" } }),
  500: broken(moderate(nobody), byModerator),
};

const list = to("GET", "/applications");
const listRow: Provocations = {
  200: (scene) => list(scene, byOwner(scene)),
  400: (scene) => to("GET", "/applications?status=new")(scene, byOwner(scene)),
  401: (scene) => list(scene),
  403: (scene) => list(scene, { token: scene.school.student.token }),
  500: broken(list, byOwner),
};

const application = (id: string) => to("GET", `/applications/${id}`);
const applicationRow: Provocations = {
  200: async (scene) => application(await newApplication(scene.school))(scene, byOwner(scene)),
  400: (scene) => application(`${nobody}?full=1`)(scene, byOwner(scene)),
  401: (scene) => application(nobody)(scene),
  403: (scene) => application(nobody)(scene, { ...byOwner(scene), org: nobody }),
  404: (scene) => application(nobody)(scene, byOwner(scene)),
  500: broken(application(nobody), byOwner),
};

const setStatus = (id: string) => to("PATCH", `/applications/${id}/status`);
const shortlist = (scene: Scene) => ({ ...byOwner(scene), body: { status: "shortlisted", note: "Please call us." } });
const statusRow: Provocations = {
  413: (scene) => setStatus(nobody)(scene, { ...byOwner(scene), body: { too_long: "x".repeat(70_000) } }),
  415: (scene) =>
    setStatus(nobody)(scene, {
      ...byOwner(scene),
      body: "a=b",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    }),
  200: async (scene) => setStatus(await newApplication(scene.school))(scene, shortlist(scene)),
  400: async (scene) =>
    setStatus(await newApplication(scene.school))(scene, { ...byOwner(scene), body: { status: "accepted" } }),
  401: (scene) => setStatus(nobody)(scene, { body: { status: "shortlisted" } }),
  403: (scene) => setStatus(nobody)(scene, shortlist(scene)),
  404: (scene) => setStatus("no-id")(scene, shortlist(scene)),
  500: broken(setStatus(nobody), shortlist),
};

export const marketProvocations: Record<string, Provocations> = {
  "GET /admin/addon-listings": queueRow,
  "GET /admin/addon-listings/{listingId}": listingRow,
  "POST /admin/addon-listings/{listingId}/approve": decisionRow("approve"),
  "POST /admin/addon-listings/{listingId}/reject": decisionRow("reject"),
  "PATCH /admin/directory/{type}/{id}": moderationRow,
  "GET /applications": listRow,
  "GET /applications/{applicationId}": applicationRow,
  "PATCH /applications/{applicationId}/status": statusRow,
};
