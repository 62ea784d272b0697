import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { type ListingId, newId } from "../../../src/core/ids.ts";
import { disableAccount } from "../../../src/modules/accounts/operator/disable-account.ts";
import { addonListings } from "../../../src/modules/addons/addons.tables.ts";
import { approvedListing, listingBody, newListing, newReviewer, submittedListing } from "../../support/market.ts";
import { expectStatus, newOwnSchool, newSchool, times } from "../../support/school.ts";

const notes = "The description does not say which data leaves the school.";

test("a listing is a draft, waits for its review, and is public once it is approved", async () => {
  const { owner, installation, orgId } = await newOwnSchool();
  const { token } = await newReviewer(installation);
  const body = listingBody();
  const isPublic = async () => (await installation.call("GET", `/public/addon-listings/${body.slug}`)).status;
  const draft = expectStatus(201, await owner.post("/addon-listings", body)).body.data;
  expect(draft).toMatchObject({
    ...body,
    review_status: "draft",
    status: "private",
    submitted_at: null,
    pricing: null,
  });
  expect(draft.organization).toMatchObject({ id: orgId });

  const submitted = expectStatus(200, await owner.post(`/addon-listings/${draft.id}/submit`)).body.data;
  expect(submitted).toMatchObject({ review_status: "pending_review", status: "private" });
  expect([submitted.submitted_at, await isPublic()]).toEqual(["2026-06-14T09:00:00.000Z", 404]);

  const decided = await installation.call("POST", `/admin/addon-listings/${draft.id}/approve`, { token });
  expect(expectStatus(200, decided).body).toMatchObject({ review_status: "approved", status: "public" });
  const shown = (await installation.call("GET", `/public/addon-listings/${body.slug}`)).body.data;
  expect(shown).toMatchObject({ ...body, approved_at: "2026-06-14T09:00:00.000Z" });
  for (const name of ["review_notes", "reviewed_by", "review_status"]) expect(shown).not.toHaveProperty(name);

  const withdrawn = expectStatus(200, await owner.post(`/addon-listings/${draft.id}/withdraw`)).body.data;
  expect([withdrawn.review_status, withdrawn.status, await isPublic()]).toEqual(["draft", "private", 404]);
});

test("each review status allows its own moves only", async () => {
  const school = await newOwnSchool();
  const { owner, installation } = school;
  const { token } = await newReviewer(installation);
  const outcomes = async (id: string) => ({
    submit: (await owner.post(`/addon-listings/${id}/submit`)).status,
    remove: (await owner.delete(`/addon-listings/${id}`)).status,
  });
  const pending = await submittedListing(owner);
  expect(await outcomes(pending.id)).toEqual({ submit: 409, remove: 409 });
  expect(await outcomes((await approvedListing(school)).id)).toEqual({ submit: 409, remove: 409 });
  const call = { token, body: { review_notes: notes } };
  expectStatus(200, await installation.call("POST", `/admin/addon-listings/${pending.id}/reject`, call));
  expect((await owner.post(`/addon-listings/${pending.id}/withdraw`)).status).toBe(409);
  expect((await owner.post(`/addon-listings/${pending.id}/submit`)).status).toBe(200);
  expectStatus(200, await installation.call("POST", `/admin/addon-listings/${pending.id}/reject`, call));
  expect((await owner.delete(`/addon-listings/${pending.id}`)).status).toBe(200);
  const draft = await newListing(owner);
  expect((await owner.post(`/addon-listings/${draft.id}/withdraw`)).status).toBe(409);
  expect((await owner.delete(`/addon-listings/${draft.id}`)).status).toBe(200);
});

test("a change of any field but the support address puts an approved listing back into the queue", async () => {
  const school = await newOwnSchool();
  const { owner } = school;
  const changes = {
    name: "Costs of flights",
    slug: "costs-of-flights",
    summary: "Books flights.",
    description: "Reads flights.",
    category: "reporting",
    homepage_url: "https://addons.example.com/costs",
    icon_url: "https://addons.example.com/costs.png",
    pricing: "10 EUR a month",
    event_types: ["flight.approved", "flight.submitted"],
    scopes: ["public.fleet:read"],
    support_email: "support@addons.example.com",
  };
  const after: Record<string, string> = {};
  for (const [field, value] of Object.entries(changes)) {
    const { id } = await approvedListing(school);
    const changed = await owner.patch(`/addon-listings/${id}`, { [field]: value });
    const { review_status, status } = expectStatus(200, changed).body.data;
    after[field] = `${review_status}, ${status}`;
    expectStatus(200, await owner.post(`/addon-listings/${id}/withdraw`));
    expectStatus(200, await owner.delete(`/addon-listings/${id}`));
  }

  const { support_email, ...material } = after;
  expect(support_email).toBe("approved, public");
  expect(new Set(Object.values(material))).toEqual(new Set(["pending_review, private"]));
  expect(Object.keys(after)).toEqual(Object.keys(changes));
  const same = await approvedListing(school, { summary: "As before." });
  const unchanged = await owner.patch(`/addon-listings/${same.id}`, { summary: "As before." });
  expect(unchanged.body.data.review_status).toBe("approved");
});

test("a slug belongs to one listing, also when a draft is changed", async () => {
  const [{ owner }, other] = [await newSchool(), await newSchool()];
  const [{ slug }, { id, slug: own }] = [await newListing(other.owner), await newListing(owner)];
  for (const refused of [
    await owner.post("/addon-listings", { ...listingBody(), slug }),
    await owner.patch(`/addon-listings/${id}`, { slug }),
  ])
    expect([refused.status, refused.body.error.reason]).toEqual([409, "slug_taken"]);
  expectStatus(200, await owner.patch(`/addon-listings/${id}`, { slug: own, summary: "As before." }));
});

test("what goes back into the queue waits from then on, and what is withdrawn does not wait", async () => {
  const school = await newOwnSchool();
  const { owner, installation } = school;
  const { id } = await approvedListing(school);
  installation.clock.advance(1000);
  const changed = expectStatus(200, await owner.patch(`/addon-listings/${id}`, { summary: "Books." })).body.data;
  expect(changed.submitted_at).toBe("2026-06-14T09:00:01.000Z");
  const withdrawn = expectStatus(200, await owner.post(`/addon-listings/${id}/withdraw`)).body.data;
  expect(withdrawn.submitted_at).toBeNull();
  expectStatus(200, await owner.patch(`/addon-listings/${id}`, { summary: "Books flights." }));
  const log = expectStatus(200, await owner.get(`/audit-log?log=organization&subject_id=${id}`)).body.data;
  expect(log.map(({ action }: { action: string }) => action).slice(0, 3)).toEqual([
    "addon_listing.updated",
    "addon_listing.withdrawn",
    "addon_listing.requeued",
  ]);
});

test("a listing that is being reviewed stays what the reviewer reads", async () => {
  const { owner } = await newSchool();
  const { id } = await submittedListing(owner);

  const refused = await owner.patch(`/addon-listings/${id}`, { summary: "Something else." });
  const allowed = await owner.patch(`/addon-listings/${id}`, { support_email: "new@addons.example.com" });

  expect([refused.status, refused.body.error.reason, allowed.status]).toEqual([409, "wrong_status", 200]);
});

test("the addresses of a listing are https without a user name", async () => {
  const { owner } = await newSchool();
  for (const homepage_url of ["http://example.com", "javascript:alert(1)", "https://a:b@example.com", "example.com"]) {
    const { status, body } = await owner.post("/addon-listings", { ...listingBody(), homepage_url });
    expect([homepage_url, status, body.issues[0].path]).toEqual([homepage_url, 400, "body.homepage_url"]);
  }
});

test("the public list has approved listings only, by category and by words of the name, with an ETag", async () => {
  const school = await newOwnSchool();
  const { owner, installation } = school;
  await approvedListing(school, { name: "Bad Weather" });
  await approvedListing(school, { name: "Accounts", category: "reporting" });
  await submittedListing(owner, { name: "Waiting" });
  await newListing(owner, { name: "Writing" });
  const get = (query = "", headers = {}) => installation.call("GET", `/public/addon-listings${query}`, { headers });
  const names = async (query?: string) => (await get(query)).body.data.map(({ name }: { name: string }) => name);

  expect(await names()).toEqual(["Accounts", "Bad Weather"]);
  expect(await names("?category=reporting")).toEqual(["Accounts"]);
  expect(await names("?q=w")).toEqual(["Bad Weather"]);
  expect(await names("?q=weather%20b")).toEqual(["Bad Weather"]);
  expect(await names("?q=eather")).toEqual([]);
  const first = await get("?limit=1");
  expect([first.body.data[0].name, first.body.page.has_more]).toEqual(["Accounts", true]);
  const tag = first.headers.get("etag") ?? "";
  expect((await get("?limit=1", { "if-none-match": tag })).status).toBe(304);
  expect((await get("", { "if-none-match": tag })).status).toBe(200);
});

test("an organization has at most 50 listings, and another organization's do not count", async () => {
  const { owner, installation, orgId } = await newOwnSchool();
  const { id } = await newListing(owner);
  await installation.storage.control.write(async (tx) => {
    const [row] = await tx
      .select()
      .from(addonListings)
      .where(eq(addonListings.id, id as ListingId));
    if (row === undefined) throw new Error("no listing");
    const copies = times(48, (n) => ({ ...row, id: newId<"listing">(installation.clock), slug: `copy-${orgId}-${n}` }));
    await tx.insert(addonListings).values(copies);
  });
  const last = await newListing(owner);
  const refused = await owner.post("/addon-listings", listingBody());
  expect([refused.status, refused.body.error.reason]).toEqual([409, "limit_reached"]);
  await newListing((await newSchool(installation)).owner);
  expectStatus(200, await owner.delete(`/addon-listings/${last.id}`));
  await newListing(owner);
});

test("listings are not public when the operator has disabled all who manage their organization", async () => {
  const school = await newOwnSchool();
  const { installation, owner } = school;
  const { slug } = await approvedListing(school);
  const { storage, clock } = installation;
  const operator = { actor: { kind: "command_line" }, requestId: "", clock, control: storage.control } as const;

  await disableAccount(operator, { email: owner.email });

  expect((await installation.call("GET", "/public/addon-listings")).body.data).toEqual([]);
  expect((await installation.call("GET", `/public/addon-listings/${slug}`)).status).toBe(404);
});

test("an organization's listings are in the order of their making, the newest first", async () => {
  const { owner, installation } = await newOwnSchool();
  const made: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    made.unshift((await newListing(owner)).id);
    installation.clock.advance(1000);
  }
  const { data } = expectStatus(200, await owner.get("/addon-listings")).body;
  expect(data.map(({ id }: { id: string }) => id)).toEqual(made);
});
