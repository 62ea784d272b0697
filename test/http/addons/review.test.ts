import { expect, test } from "bun:test";
import { newInstallation } from "../../support/installation.ts";
import { approvedListing, makeReviewer, newListing, newReviewer, submittedListing } from "../../support/market.ts";
import { expectStatus, newOwnSchool, newSchool, type School, times } from "../../support/school.ts";

const notes = "The description does not say which data leaves the school.";

async function scene() {
  const school = await newOwnSchool();
  const { installation, owner } = school;
  const reviewer = await newReviewer(installation);
  const admin = (method: string, path = "", body?: unknown, { token } = reviewer) =>
    installation.call(method, `/admin/addon-listings${path}`, { token, ...(body !== undefined && { body }) });
  return { ...school, installation, owner, reviewer, admin };
}

const actionsOf = async ({ owner }: Pick<School, "owner">, id: string) =>
  expectStatus(200, await owner.get(`/audit-log?log=organization&subject_id=${id}`)).body.data;

test("the queue has what waits for a review, the longest waiting first, and by its status everything else", async () => {
  const school = await scene();
  const { owner, admin } = school;
  const waiting = [await submittedListing(owner)];
  school.installation.clock.advance(1);
  waiting.push(await submittedListing(owner));
  const draft = await newListing(owner);
  const approved = await approvedListing(school);
  const idsOf = async (query: string) => (await admin("GET", query)).body.data.map(({ id }: { id: string }) => id);

  expect(await idsOf("")).toEqual(waiting.map(({ id }) => id));
  expect(await idsOf("?review_status=draft")).toEqual([draft.id]);
  expect(await idsOf("?review_status=approved")).toEqual([approved.id]);
  expect(await idsOf("?limit=1&offset=1")).toEqual([waiting[1]?.id]);
  expect((await admin("GET", `/${draft.id}`)).body).toMatchObject({ id: draft.id, review_status: "draft" });
  school.installation.clock.advance(1);
  expectStatus(200, await owner.post(`/addon-listings/${waiting[0]?.id}/withdraw`));
  expectStatus(200, await owner.post(`/addon-listings/${waiting[0]?.id}/submit`));
  expect(await idsOf("")).toEqual([waiting[1]?.id, waiting[0]?.id]);
});

test("a decision is kept with its notes, its reviewer and its time, and the organization sees it in its log", async () => {
  const school = await scene();
  const { owner, admin, installation } = school;
  const { id } = await submittedListing(owner);

  const rejected = expectStatus(200, await admin("POST", `/${id}/reject`, { review_notes: `  ${notes} ` })).body;

  expect(rejected).toMatchObject({ id, review_status: "rejected", status: "private", review_notes: notes });
  expect(rejected).not.toHaveProperty("data");
  const own = expectStatus(200, await owner.get(`/addon-listings/${id}`)).body.data;
  expect(own).toEqual(rejected);
  const [entry] = await actionsOf(school, id);
  expect(entry).toMatchObject({
    action: "addon_listing.rejected",
    actor: { id: rejected.reviewed_by },
    after: { review_notes: notes },
  });
  expectStatus(200, await owner.post(`/addon-listings/${id}/submit`));
  const approved = expectStatus(200, await admin("POST", `/${id}/approve`, { review_notes: "Well described." })).body;
  expect(approved).toMatchObject({ review_status: "approved", status: "public", review_notes: "Well described." });
  installation.clock.advance(1000);
  expectStatus(200, await owner.patch(`/addon-listings/${id}`, { summary: "Books." }));
  const again = expectStatus(200, await admin("POST", `/${id}/approve`)).body;
  expect(again).toMatchObject({ review_notes: null, reviewed_at: "2026-06-14T09:00:01.000Z" });
});

test("a decision about what the reviewer read is refused after the listing was withdrawn and changed", async () => {
  const { owner, admin } = await scene();
  const { id } = await submittedListing(owner);
  const { revision } = expectStatus(200, await admin("GET", `/${id}`)).body;
  const again = async (change: object) => {
    expectStatus(200, await owner.post(`/addon-listings/${id}/withdraw`));
    expectStatus(200, await owner.patch(`/addon-listings/${id}`, change));
    expectStatus(200, await owner.post(`/addon-listings/${id}/submit`));
  };
  await again({ summary: "Sells the flights." });
  for (const [path, body] of [
    ["approve", { revision }],
    ["reject", { revision, review_notes: notes }],
  ] as const) {
    const refused = expectStatus(409, await admin("POST", `/${id}/${path}`, body));
    expect(refused.body.error.reason).toBe("revision_changed");
  }
  const changed = expectStatus(200, await admin("GET", `/${id}`)).body;
  expect([changed.review_status, changed.revision]).toEqual(["pending_review", revision + 1]);
  // What no reviewer judges makes no new revision.
  await again({ support_email: "new@addons.example.com", summary: "Sells the flights." });
  expectStatus(200, await admin("POST", `/${id}/approve`, { revision: changed.revision }));
  expectStatus(200, await owner.patch(`/addon-listings/${id}`, { summary: "Sells flights." }));
  expect((await admin("POST", `/${id}/approve`, { revision: changed.revision })).status).toBe(409);
});

test("of the reasons to refuse a decision, the status comes before the conflict, and the notes come last", async () => {
  const { owner, installation, admin } = await scene();
  await makeReviewer(installation, owner.email);
  const [draft, pending] = [await newListing(owner), await submittedListing(owner)];
  const short = { review_notes: ` ${"x".repeat(39)} ` };
  const told = async (id: string, by = owner) => {
    const { status, body } = await admin("POST", `/${id}/reject`, short, by);
    return [status, body.error.reason];
  };

  expect(await told(draft.id)).toEqual([409, "wrong_status"]);
  expect(await told(pending.id)).toEqual([403, "conflict_of_interest"]);
  const { status, body } = await admin("POST", `/${pending.id}/reject`, short);
  expect([status, body.issues[0].path]).toEqual([400, "body.review_notes"]);
  expect((await admin("POST", `/${pending.id}/reject`, {})).status).toBe(400);
  expect((await admin("POST", `/${pending.id}/reject`, { review_notes: "x".repeat(40) })).status).toBe(200);
  expect((await admin("POST", "/01890a5d-ac96-774b-bcce-b302099a8057/approve")).status).toBe(404);
});

test("only accounts with the permission review, also for invalid input, and only as long as they have it", async () => {
  const { owner, admin, installation, reviewer } = await scene();
  const { id } = await submittedListing(owner);
  for (const [method, path, body] of [
    ["GET", ""],
    ["GET", "?review_status=new"],
    ["GET", `/${id}`],
    ["POST", `/${id}/approve`],
    ["POST", `/${id}/reject`, { nothing: 1 }],
  ] as const) {
    const { status, body: told } = await admin(method, path, body, owner);
    expect([path, status, told.error.reason]).toEqual([path, 403, "permission_missing"]);
  }
  const { storage } = installation;
  await storage.control.write((tx) => tx.run("delete from platform_permissions"));
  expect((await admin("POST", `/${id}/approve`, undefined, reviewer)).status).toBe(403);
});

test("of eight concurrent decisions, exactly one wins", async () => {
  const { owner, installation, admin } = await scene();
  const other = await newReviewer(installation);
  const { id } = await submittedListing(owner);

  const answers = await Promise.all(
    times(8, (at) =>
      at % 2 === 0 ? admin("POST", `/${id}/approve`) : admin("POST", `/${id}/reject`, { review_notes: notes }, other),
    ),
  );

  const winners = answers.filter(({ status }) => status === 200);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...times(7, () => 409)]);
  const { review_status, reviewed_by } = (await owner.get(`/addon-listings/${id}`)).body.data;
  expect(winners[0]?.body).toMatchObject({ review_status, reviewed_by });
  const decisions = (await owner.get(`/audit-log?log=organization&subject_id=${id}`)).body.data;
  expect(decisions.map(({ action }: { action: string }) => action)).toEqual([
    `addon_listing.${review_status}`,
    "addon_listing.submitted",
    "addon_listing.created",
  ]);
});

test("the routes of add-ons are 404 when the operator has disabled them", async () => {
  const { owner, orgId, installation } = await newSchool(
    await newInstallation({ env: { WINDSOCK_DISABLE: "addons" } }),
  );
  const headers = { authorization: `Bearer ${owner.token}` };
  for (const path of ["/admin/addon-listings", `/orgs/${orgId}/addon-listings`, "/public/addon-listings"]) {
    const { status } = await installation.app.fetch(new Request(`http://localhost${path}`, { headers }));
    expect([path, status]).toEqual([path, 404]);
  }
});
