import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { days, hours } from "../../../src/core/clock.ts";
import { newId, type OpportunityId } from "../../../src/core/ids.ts";
import { disableAccount } from "../../../src/modules/accounts/operator/disable-account.ts";
import { opportunities } from "../../../src/modules/marketplace/marketplace.tables.ts";
import { type Call, newInstallation } from "../../support/installation.ts";
import { newAccount, newOpportunity, opportunityBody, publishedOpportunity } from "../../support/market.ts";
import { expectStatus, newOwnSchool, newSchool, times } from "../../support/school.ts";
import { newSession } from "../accounts/scenery.ts";

/** A school alone in its installation, since the list of open opportunities has those of all schools. */
async function scene() {
  const school = await newOwnSchool();
  const { installation } = school;
  const visitor = await newAccount(installation);
  let { token } = visitor;
  const get = (path: string) => installation.call("GET", path, { token });
  /** Access tokens expire. */
  const signInAgain = async (): Promise<Call> => {
    token = await newSession(school, visitor);
    return { token: await newSession(school, school.owner) };
  };
  const titles = async (query = "") =>
    expectStatus(200, await get(`/opportunities${query}`)).body.data.map(({ title }: { title: string }) => title);
  return { ...school, get, titles, signInAgain };
}

test("an opportunity is a draft, then open for every account, then closed", async () => {
  const { owner, orgId, get, titles } = await scene();
  const created = expectStatus(201, await owner.post("/opportunities", opportunityBody)).body.data;
  expect(created).toMatchObject({ ...opportunityBody, status: "draft", ends_on: null, published_at: null });
  expect([await titles(), (await get(`/opportunities/${created.id}`)).status]).toEqual([[], 404]);

  const published = expectStatus(200, await owner.post(`/opportunities/${created.id}/publish`)).body.data;

  expect(published).toMatchObject({ status: "published", published_at: "2026-06-14T09:00:00.000Z" });
  expect(await titles()).toEqual([opportunityBody.title]);
  const seen = expectStatus(200, await get(`/opportunities/${created.id}`)).body.data;
  expect(seen).toMatchObject({ ...opportunityBody, organization: { id: orgId } });
  expect(Object.keys(seen)).not.toContain("status");

  const closed = expectStatus(200, await owner.post(`/opportunities/${created.id}/close`)).body.data;
  expect([closed.status, await titles()]).toEqual(["closed", []]);
  expect((await get(`/opportunities/${created.id}`)).status).toBe(404);
  const log = expectStatus(200, await owner.get(`/audit-log?log=organization&subject_id=${created.id}`)).body.data;
  expect(log.map(({ action }: { action: string }) => action)).toEqual([
    "opportunity.closed",
    "opportunity.published",
    "opportunity.created",
  ]);
});

test("each state allows its own moves only", async () => {
  const { owner } = await newSchool();
  const outcomes = async (id: string) => ({
    change: (await owner.patch(`/opportunities/${id}`, { title: "Instructor" })).status,
    remove: (await owner.delete(`/opportunities/${id}`)).status,
    publish: (await owner.post(`/opportunities/${id}/publish`)).status,
    close: (await owner.post(`/opportunities/${id}/close`)).status,
  });
  const draft = await newOpportunity(owner);
  expect((await owner.post(`/opportunities/${draft}/close`)).body.error).toMatchObject({ reason: "wrong_status" });
  expect((await owner.delete(`/opportunities/${draft}`)).status).toBe(200);
  expect((await owner.get(`/opportunities/${draft}`)).status).toBe(404);

  const id = await publishedOpportunity(owner);
  expect(await outcomes(id)).toEqual({ change: 200, remove: 409, publish: 409, close: 200 });
  expect(await outcomes(id)).toEqual({ change: 409, remove: 409, publish: 409, close: 409 });
});

test("an opportunity is open through `expires_on` where the organization is, and then counts as closed", async () => {
  const { owner, orgId, installation, titles, get, signInAgain } = await scene();
  const id = await publishedOpportunity(owner, { expires_on: "2026-06-15" });
  const draft = await newOpportunity(owner, { expires_on: "2026-06-15" });
  const own = `/orgs/${orgId}/opportunities`;
  // Berlin is two hours ahead.
  installation.clock.advance(days(1) + hours(13) - 1);
  const call = await signInAgain();
  const now = async () => expectStatus(200, await owner.call("GET", `${own}/${id}`, call)).body.data;
  const inList = async (status: string) => (await owner.call("GET", `${own}?status=${status}`, call)).body.data.length;
  expect(await now()).toMatchObject({ status: "published", closes_at: "2026-06-15T22:00:00.000Z" });
  expect([await titles(), await inList("published"), await inList("closed")]).toEqual([[opportunityBody.title], 1, 0]);

  installation.clock.advance(1);

  expect([(await now()).status, await titles()]).toEqual(["closed", []]);
  expect([await inList("published"), await inList("closed")]).toEqual([0, 1]);
  expect((await get(`/opportunities/${id}`)).status).toBe(404);
  const later = { ...call, body: { expires_on: "2026-07-01" } };
  expect((await owner.call("PATCH", `${own}/${id}`, later)).status).toBe(409);
  expect((await owner.call("POST", `${own}/${id}/close`, call)).body.error.message).toContain("is closed");
  const refused = await owner.call("POST", `${own}/${draft}/publish`, call);
  expect([refused.status, refused.body.error.reason]).toEqual([409, "wrong_status"]);
});

test("open opportunities are found by kind, country, place and words of the title, the soonest closing first", async () => {
  const { owner, titles } = await scene();
  await publishedOpportunity(owner, { title: "Later", expires_on: "2026-09-01" });
  await publishedOpportunity(owner, { title: "Sooner", expires_on: "2026-07-01", kind: "shared_flight" });
  await publishedOpportunity(owner, { title: "Second pilot", country: "AT", place: "LOAV", expires_on: "2026-08-01" });

  expect(await titles()).toEqual(["Sooner", "Second pilot", "Later"]);
  expect(await titles("?kind=shared_flight")).toEqual(["Sooner"]);
  expect(await titles("?country=at")).toEqual(["Second pilot"]);
  expect(await titles("?place=loav&country=AT")).toEqual(["Second pilot"]);
  expect(await titles("?q=S")).toEqual(["Sooner", "Second pilot"]);
  expect(await titles("?q=sE")).toEqual(["Second pilot"]);
  expect(await titles("?q=pil%20s")).toEqual(["Second pilot"]);
  expect(await titles("?q=ilot")).toEqual([]);
});

test("`closes_at` follows `expires_on`: a draft may have any, what is published is open for a day at least", async () => {
  const { owner } = await newSchool();
  const id = await newOpportunity(owner);
  const set = (expires_on: string) => owner.patch(`/opportunities/${id}`, { expires_on });
  expect(expectStatus(200, await set("2026-06-13")).body.data.closes_at).toBe("2026-06-13T22:00:00.000Z");
  expect(expectStatus(200, await set("2026-07-01")).body.data.closes_at).toBe("2026-07-01T22:00:00.000Z");
  expectStatus(200, await owner.post(`/opportunities/${id}/publish`));
  const { issues } = expectStatus(400, await set("2026-06-13")).body;
  expect(issues).toMatchObject([{ path: "body.expires_on", code: "in_the_past" }]);
  expect(expectStatus(200, await set("2026-06-14")).body.data.closes_at).toBe("2026-06-14T22:00:00.000Z");
  const drafted = await newOpportunity(owner, { expires_on: "2026-06-14" });
  expectStatus(200, await owner.patch("", { time_zone: "America/New_York" }));
  const published = expectStatus(200, await owner.post(`/opportunities/${drafted}/publish`)).body.data;
  expect(published.closes_at).toBe("2026-06-15T04:00:00.000Z");
});

test("an organization lists what it offers by status and kind, the newest first, and nothing of another", async () => {
  const { owner, installation } = await newOwnSchool();
  await publishedOpportunity((await newSchool(installation)).owner);
  const job = await publishedOpportunity(owner);
  installation.clock.advance(1);
  const shared = await newOpportunity(owner, { kind: "shared_flight" });
  installation.clock.advance(1);
  const drafted = await newOpportunity(owner);
  const list = async (query: string) =>
    expectStatus(200, await owner.get(`/opportunities${query}`)).body.data.map(({ id }: { id: string }) => id);

  expect(await list("")).toEqual([drafted, shared, job]);
  expect(await list("?kind=job")).toEqual([drafted, job]);
  expect(await list("?status=draft")).toEqual([drafted, shared]);
  expect(await list("?status=draft&kind=job")).toEqual([drafted]);
});

test("an organization has at most 200 drafts and open opportunities: what has closed does not count", async () => {
  const { owner, installation } = await newOwnSchool();
  const id = await newOpportunity(owner);
  await installation.storage.control.write(async (tx) => {
    const [row] = await tx
      .select()
      .from(opportunities)
      .where(eq(opportunities.id, id as OpportunityId));
    if (row === undefined) throw new Error("no opportunity");
    const copy = (change: Partial<typeof row>) => ({ ...row, ...change, id: newId<"opportunity">(installation.clock) });
    const open = { status: "published", published_at: tx.now } as const;
    const rows = times(198, (n) => copy(n % 2 === 0 ? {} : open));
    const closed = [copy({ ...open, status: "closed" }), copy({ ...open, closes_at: tx.now })];
    await tx.insert(opportunities).values([...rows, ...closed]);
  });
  const last = await newOpportunity(owner);
  const refused = await owner.post("/opportunities", opportunityBody);
  expect([refused.status, refused.body.error.reason]).toEqual([409, "limit_reached"]);
  expectStatus(200, await owner.delete(`/opportunities/${last}`));
  await newOpportunity(owner);
});

test("an opportunity must not end before it starts", async () => {
  const { owner } = await newSchool();
  const dates = { starts_on: "2026-07-02", ends_on: "2026-07-01" };
  expect((await owner.post("/opportunities", { ...opportunityBody, ...dates })).status).toBe(400);
  const id = await newOpportunity(owner, { starts_on: "2026-07-02" });
  expect((await owner.patch(`/opportunities/${id}`, { ends_on: "2026-07-01" })).status).toBe(400);
  const sameDay = expectStatus(200, await owner.patch(`/opportunities/${id}`, { ends_on: "2026-07-02" })).body.data;
  expect(sameDay).toMatchObject({ starts_on: "2026-07-02", ends_on: "2026-07-02" });
});

test("what an organization has published is not public when the operator has disabled all who manage it", async () => {
  const { owner, installation, titles, get } = await scene();
  const id = await publishedOpportunity(owner);
  const { storage, clock } = installation;
  const operator = { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control } as const;

  await disableAccount(operator, { email: owner.email });

  expect([await titles(), (await get(`/opportunities/${id}`)).status]).toEqual([[], 404]);
});

test("the routes of the marketplace are 404 when the operator has disabled it", async () => {
  const school = await newSchool(await newInstallation({ env: { WINDSOCK_DISABLE: "marketplace" } }));
  const headers = { authorization: `Bearer ${school.owner.token}` };
  for (const path of ["/opportunities", `/orgs/${school.orgId}/opportunities`, "/applications"]) {
    const { status } = await school.installation.app.fetch(new Request(`http://localhost${path}`, { headers }));
    expect([path, status]).toEqual([path, 404]);
  }
});
