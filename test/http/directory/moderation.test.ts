/** Moderation belongs to the platform: it outlives what organizations publish. */
import { expect, test } from "bun:test";
import { found, idsOf, newModerator, publish } from "../../support/directory.ts";
import { newReviewer } from "../../support/market.ts";
import { expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";

async function scene() {
  const school = await newOwnSchool();
  const { installation, owner, orgId } = school;
  await publish(owner, "schools", orgId, { fields: ["headline"], headline: "Learn to fly" });
  const { token } = await newModerator(installation);
  const moderate = (body: unknown, id = orgId, type = "schools") =>
    installation.call("PATCH", `/admin/directory/${type}/${id}`, { token, body });
  return { ...school, moderate };
}

test("a suspended or hidden entry is not public, and stays so when it is changed, unpublished or published again", async () => {
  const { installation, owner, orgId, moderate } = await scene();
  for (const status of ["suspended", "hidden"]) {
    const moderated = expectStatus(200, await moderate({ status, sort_priority: 5 })).body.data;
    expect(moderated).toMatchObject({ id: orgId, type: "schools", status, sort_priority: 5, listed: true });
    expect(await idsOf(installation, "schools")).toEqual([]);
    expectStatus(404, await installation.call("GET", `/public/directory/schools/${orgId}`));
    await publish(owner, "schools", orgId, { headline: "Learn to fly, again" });
    expectStatus(200, await owner.delete("/directory/school"));
    await publish(owner, "schools", orgId, { fields: ["headline"], headline: "New" });
    expect(await idsOf(installation, "schools")).toEqual([]);
    expectStatus(200, await moderate({ status: "published" }));
    expect(await found(installation, "schools", "?q=new")).toMatchObject([{ id: orgId, headline: "New" }]);
  }
});

test("an entry without a profile keeps nothing but its moderation", async () => {
  const { installation, owner, orgId, moderate } = await scene();
  expectStatus(200, await moderate({ status: "suspended" }));
  expectStatus(200, await owner.delete("/directory/school"));
  const moderated = expectStatus(200, await moderate({ status: "published" })).body.data;
  expect(moderated).toMatchObject({ listed: false, status: "published" });
  expectStatus(404, await installation.call("GET", `/public/directory/schools/${orgId}`));
});

test("featured entries come first, then the greatest priority, then the name", async () => {
  const { installation, orgId, moderate } = await scene();
  const others: string[] = [];
  for (const name of ["Charlie", "Alpha", "Bravo"]) {
    const { owner, orgId } = await newSchool(installation);
    expectStatus(200, await owner.patch("", { name }));
    await publish(owner, "schools", orgId);
    others.push(orgId);
  }
  const [charlie, alpha, bravo] = others;
  expectStatus(200, await moderate({ featured: true, sort_priority: -1000 }));
  expectStatus(200, await moderate({ sort_priority: 1 }, charlie));
  expect(await idsOf(installation, "schools")).toEqual([orgId, charlie ?? "", alpha ?? "", bravo ?? ""]);
  expectStatus(200, await moderate({ featured: true, sort_priority: 1000 }, bravo));
  expect((await idsOf(installation, "schools"))[0]).toBe(bravo ?? "");
});

test("moderators list the entries of a type by their status, also those that nobody publishes any more", async () => {
  const { installation, owner, orgId, aircraftId, moderate } = await scene();
  await publish(owner, "aircraft", aircraftId);
  const { token } = await newModerator(installation);
  const list = (query: string, by = token) => installation.call("GET", `/admin/directory/${query}`, { token: by });
  const listed = async (query: string) => expectStatus(200, await list(query)).body.data;
  expect(await listed("schools")).toMatchObject([{ id: orgId, status: "published", listed: true }]);
  expect(await listed("aircraft")).toMatchObject([{ id: aircraftId, organization: { id: orgId } }]);
  expectStatus(200, await moderate({ status: "suspended" }));
  expectStatus(200, await owner.delete("/directory/school"));
  expect(await listed("schools")).toEqual([]);
  expect(await listed("schools?status=hidden")).toEqual([]);
  const [entry] = await listed("schools?status=suspended");
  expect(entry).toMatchObject({ id: orgId, listed: false });
  expect(entry).not.toHaveProperty("headline");
  expect(expectStatus(200, await list(`schools/${orgId}`)).body.data).toEqual(entry);
  for (const one of [`aircraft/${orgId}`, `schools/${aircraftId}`]) expectStatus(404, await list(one));
  expectStatus(404, await list(`schools/${orgId}`, owner.token));
  for (const query of ["schools", "schools?status=away", "clubs"]) expectStatus(404, await list(query, owner.token));
  expectStatus(400, await list("schools?status=away"));
  expectStatus(404, await list("clubs"));
});

test("only moderators find entries to moderate, before anything is said about the input", async () => {
  const { installation, owner, orgId, moderate } = await scene();
  const path = `/admin/directory/schools/${orgId}`;
  const { token } = await newReviewer(installation);
  for (const body of [{ status: "hidden" }, { status: "away" }]) {
    expectStatus(404, await installation.call("PATCH", path, { token: owner.token, body }));
    expectStatus(404, await installation.call("PATCH", path, { token, body }));
    expectStatus(401, await installation.call("PATCH", path, { body }));
  }
  expectStatus(404, await moderate({ status: "hidden" }, orgId, "aircraft"));
  for (const body of [
    {},
    { status: "away" },
    { sort_priority: 1001 },
    { sort_priority: -1001 },
    { sort_priority: 0.5 },
    { featured: "yes" },
    { name: "X" },
  ])
    expectStatus(400, await moderate(body));
  expectStatus(404, await moderate({ status: "hidden" }, orgId, "clubs"));
});

test("the organization sees in its log what was moderated, and the log has no field of the entry", async () => {
  const { owner, orgId, moderate } = await scene();
  expectStatus(200, await moderate({ status: "suspended" }));
  const log = expectStatus(200, await owner.get(`/audit-log?log=organization&subject_id=${orgId}`));
  const entry = log.body.data.find(({ action }: { action: string }) => action === "directory_entry.moderated");
  expect(entry).toMatchObject({ before: { status: "published" }, after: { status: "suspended" } });
  expect(JSON.stringify(entry)).not.toContain("Learn to fly");
});
