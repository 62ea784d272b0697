import { expect, test } from "bun:test";
import type { FlightId, OrgId } from "../../../src/core/ids.ts";
import { findPublicFlight } from "../../../src/modules/flights/flights.queries.ts";
import { publicFlight } from "../../../src/modules/flights/flights.shapes.ts";
import type { Answer } from "../../support/installation.ts";
import { expectStatus, newSchool, times } from "../../support/school.ts";

const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);

/** Five solo flights on five days, the first on 1 June. */
async function withFlights() {
  const school = await newSchool();
  const flights = [];
  for (const day of [1, 2, 3, 4, 5]) {
    const body = { off_block_at: `2026-06-0${day}T08:00:00Z`, on_block_at: `2026-06-0${day}T09:00:00Z` };
    flights.push(await school.submitFlight(school.student, { body }));
  }
  return { school, newestFirst: flights.reverse().map(({ id }): string => id) };
}

test("flights are listed newest first, and pages neither overlap nor skip flights", async () => {
  const { school, newestFirst } = await withFlights();
  const pages = [];
  for (const offset of [0, 2, 4]) {
    const { body } = await school.owner.get(`/flights?limit=2&offset=${offset}&with_total=true`);
    expect(body.page).toEqual({
      limit: 2,
      offset,
      has_more: offset < 4,
      next_cursor: offset < 4 ? expect.any(String) : null,
      total: 5,
    });
    pages.push(...body.data.map(({ id }: { id: string }) => id));
  }
  expect(pages).toEqual(newestFirst);
  expect((await school.owner.get("/flights")).body.page).toEqual({
    limit: 100,
    offset: 0,
    has_more: false,
    next_cursor: null,
  });
});

test("a cursor continues after the last row of its page, even if rows were added meanwhile", async () => {
  const { school, newestFirst } = await withFlights();
  const first = await school.owner.get("/flights?limit=2");
  await school.draftFlight(school.owner, { body: { off_block_at: "2026-06-06T08:00:00Z", on_block_at: null } });
  const rest = await school.owner.get(`/flights?limit=2&cursor=${first.body.page.next_cursor}&with_total=true`);
  expect([...ids(first), ...ids(rest)]).toEqual(newestFirst.slice(0, 4));
  expect(rest.body.page).toEqual({ limit: 2, offset: 0, has_more: true, next_cursor: expect.any(String), total: 6 });
  const draft = await school.owner.get(`/flights?status=draft&cursor=${first.body.page.next_cursor}`);
  expect(ids(draft)).toEqual([]);
});

test("a cursor that is malformed, of another list, or combined with an offset is rejected", async () => {
  const { school } = await withFlights();
  const next = async (path: string) => expectStatus(200, await school.owner.get(path)).body.page.next_cursor;
  const [flight, person] = [await next("/flights?limit=1"), await next("/people?limit=1")];
  const encoded = (keys: unknown) => Buffer.from(JSON.stringify(keys)).toString("base64url");
  const [order, day, id] = JSON.parse(Buffer.from(flight, "base64url").toString());
  for (const cursor of [
    "",
    "nonsense",
    `${flight}=`,
    encoded({}),
    encoded([]),
    encoded([order, null, id]),
    encoded([order, [day], id]),
  ])
    expectIssueAt("query.cursor", await school.owner.get(`/flights?cursor=${encodeURIComponent(cursor)}`));
  // Otherwise valid in the order of people.
  const [byName, , personId] = JSON.parse(Buffer.from(person, "base64url").toString());
  expectStatus(200, await school.owner.get(`/people?cursor=${encoded([byName, "x".repeat(200), personId])}`));
  expectIssueAt(
    "query.cursor",
    await school.owner.get(`/people?cursor=${encoded([byName, "x".repeat(2000), personId])}`),
  );
  for (const keys of [[day], [day, id, id], [id, day], [1, id]])
    expectStatus(400, await school.owner.get(`/flights?cursor=${encoded([order, ...keys])}`));
  for (const cursor of [person, encoded([day, id]), encoded(["", id])])
    expectStatus(400, await school.owner.get(`/flights?cursor=${cursor}`));
  expectStatus(400, await school.owner.get(`/flights?cursor=${flight}&offset=1`));
  expectStatus(200, await school.owner.get(`/flights?cursor=${flight}&offset=0`));
  expectStatus(200, await school.owner.get(`/flights?cursor=${encoded([order, "", id])}`));
});

function expectIssueAt(path: string, answer: Answer): void {
  expect(expectStatus(400, answer).body.issues).toMatchObject([{ path }]);
}

test("has_more is false on a full last page", async () => {
  const { school } = await withFlights();
  expect((await school.owner.get("/flights?limit=5")).body.page.has_more).toBe(false);
});

test("`from` is inclusive and `to` exclusive, by off-block time", async () => {
  const { school, newestFirst } = await withFlights();
  const answer = await school.owner.get("/flights?from=2026-06-02T08:00:00Z&to=2026-06-04T10:00:00%2B02:00");
  expect(ids(answer)).toEqual(newestFirst.slice(2, 4));
});

test("`person_id` lists the flights with a person in the crew, also with the other filters and in both orders", async () => {
  const { school, newestFirst } = await withFlights();
  const { instructor, student, owner } = school;
  const both = [
    { person_id: instructor.personId, function: "instructor" },
    { person_id: student.personId, function: "dual" },
  ];
  const taught = await school.draftFlight(instructor, {
    body: { off_block_at: "2026-06-03T12:00:00Z", on_block_at: "2026-06-03T13:00:00Z", crew: both },
  });
  const listed = async (query: string) => ids(await owner.get(`/flights?${query}`));
  const [of, ofStudent] = [`person_id=${instructor.personId}`, `person_id=${student.personId}`];
  expect(await listed(of)).toEqual([taught.id]);
  expect(await listed(ofStudent)).toEqual([...newestFirst.slice(0, 2), taught.id, ...newestFirst.slice(2)]);
  expect(await listed(`${ofStudent}&order=off_block_at&limit=2`)).toEqual(newestFirst.slice(3).reverse());
  expect(await listed(`${ofStudent}&status=draft`)).toEqual([taught.id]);
  expect(await listed(`${ofStudent}&from=2026-06-04T00:00:00Z`)).toEqual(newestFirst.slice(0, 2));
  expect(await listed(`${ofStudent}&workshop_remarks=true`)).toEqual([]);
  expect(await listed(`person_id=${owner.personId}`)).toEqual([]);
});

test("`to` without `from` excludes flights without an off-block time", async () => {
  const { school, newestFirst } = await withFlights();
  const { id } = await school.draftFlight(school.owner, { body: { off_block_at: null } });
  expect(ids(await school.owner.get("/flights"))).toEqual([...newestFirst, id]);
  expect(ids(await school.owner.get("/flights?to=2026-06-03T08:00:00Z"))).toEqual(newestFirst.slice(3));
});

test("the public list filters by status and omits private fields", async () => {
  const { school, newestFirst } = await withFlights();
  await school.instructor.post(`/flights/${newestFirst[0]}/approve`);
  const key = await school.apiKey("public.flights:read");

  const approved = await school.publicGet("/flights?status=approved", key);
  expect(ids(approved)).toEqual([newestFirst[0] ?? ""]);
  expect(approved.text).not.toContain('"remarks"');
  expect(approved.text).not.toContain("created_by");
  expect(ids(await school.publicGet("/flights?status=submitted", key))).toEqual(newestFirst.slice(1));
  expect((await school.publicGet("/flights?status=lost", key)).status).toBe(400);
});

test("document, list body and event data have the same fields of a flight", async () => {
  const { school } = await withFlights();
  const key = await school.apiKey("public.flights:read");
  const [listed] = (await school.publicGet("/flights?limit=1", key)).body.data;

  const tenant = school.installation.storage.tenants.tenant(school.orgId as OrgId);
  const emitted = await tenant.read((reader) => findPublicFlight(reader, listed.id as FlightId));

  expect(listed).toEqual(emitted.value);
  // The document's schema is strict: it rejects extra and missing fields.
  expect(publicFlight.schema.parse(listed)).toEqual(listed);
  expect(Object.keys(listed)).toEqual(Object.keys(publicFlight.schema.shape));
});

test("students see only the flights that they drafted or flew", async () => {
  const school = await newSchool();
  const other = await school.join(["student"], "Tom Student");
  const flown = await school.submitFlight(school.student);
  const foreign = await school.draftFlight(other, {
    body: { crew: [{ person_id: other.personId, function: "solo" }] },
  });

  expect(ids(await school.student.get("/flights"))).toEqual([flown.id]);
  for (const call of [
    school.student.get(`/flights/${foreign.id}`),
    school.student.patch(`/flights/${foreign.id}`, { remarks: "Mine now." }),
    school.student.post(`/flights/${foreign.id}/submit`),
  ]) {
    expect((await call).status).toBe(404);
  }
  expect(ids(await school.instructor.get("/flights"))).toHaveLength(2);
});

test("a student whose person has no linked account sees and submits the flights of their e-mail address", async () => {
  const { owner, student, draftFlight } = await newSchool();
  const { personId, email } = student;
  expectStatus(200, await owner.patch(`/people/${personId}`, { user_id: null, email }));
  const { id } = await draftFlight(owner);

  expect(ids(await student.get("/flights"))).toEqual([id]);
  expectStatus(200, await student.get(`/flights/${id}`));
  expectStatus(200, await student.post(`/flights/${id}/submit`));
});

test("flights with the same on-block time are sorted by off-block time, newest first, over several pages", async () => {
  const school = await newSchool();
  await Promise.all(times(120, (index) => school.draftFlight(school.owner, { blockMinutes: index + 1 })));
  const seen = [];
  for (let offset = 0; offset < 120; offset += 50) {
    const { body } = await school.owner.get(`/flights?limit=50&offset=${offset}`);
    seen.push(...body.data.map(({ block_minutes }: { block_minutes: number }) => block_minutes));
  }
  expect(seen).toEqual(times(120, (index) => index + 1));
});

test("the public API shows no drafts, in the list and by id", async () => {
  const { school, newestFirst } = await withFlights();
  const draft = await school.draftFlight(school.owner);
  const key = await school.apiKey("public.flights:read");

  const listed = await school.publicGet("/flights?with_total=true", key);
  expect([ids(listed), listed.body.page.total]).toEqual([newestFirst, 5]);
  expect(expectStatus(400, await school.publicGet("/flights?status=draft", key)).body.issues[0].path).toBe(
    "query.status",
  );
  const missing = expectStatus(404, await school.publicGet(`/flights/${draft.id}`, key));
  const unknown = expectStatus(404, await school.publicGet("/flights/01890a5d-ac96-774b-bcce-b302099a8057", key));
  expect(missing.body.error.message).toBe(unknown.body.error.message);
});

test("the public API shows one flight with the names of its crew and why it was rejected", async () => {
  const { school, newestFirst } = await withFlights();
  const [id] = newestFirst;
  await school.instructor.post(`/flights/${id}/reject`, { reason: "The tacho readings are missing." });
  const key = await school.apiKey("public.flights:read");

  const one = expectStatus(200, await school.publicGet(`/flights/${id}`, key));
  expect(one.body.data).toMatchObject({
    id,
    status: "rejected",
    rejection_reason: "The tacho readings are missing.",
    crew: [{ person_id: school.student.personId, name: "Sam Student", function: "solo" }],
  });
  expect(one.body.data).toEqual((await school.publicGet("/flights?limit=1", key)).body.data[0]);
  expect(one.headers.get("etag")).toBeString();
  expectStatus(403, await school.publicGet(`/flights/${id}`, await school.apiKey("public.pilots:read")));
});

test("updated_since lists what changed since then in the order of the changes, with reversals", async () => {
  const { school, newestFirst } = await withFlights();
  const [fifth, fourth, third, second, first] = newestFirst;
  const key = await school.apiKey("public.flights:read");
  const read = async (query: string) => expectStatus(200, await school.publicGet(`/flights?${query}`, key));
  const all = await read("updated_since=2026-01-01T00:00:00Z");
  // The clock of the shared installation stands still, so all were submitted in one millisecond.
  expect(ids(all)).toEqual([first, second, third, fourth, fifth] as string[]);
  const after = (answer: Answer) => `updated_since=2026-01-01T00:00:00Z&cursor=${answer.body.page.last_cursor}`;

  const nothing = await read(after(all));
  expect([ids(nothing), nothing.body.page]).toEqual([
    [],
    { limit: 100, offset: 0, has_more: false, next_cursor: null, last_cursor: all.body.page.last_cursor },
  ]);

  for (const id of [second, fourth]) expectStatus(200, await school.instructor.post(`/flights/${id}/approve`));
  const approved = await read(after(nothing));
  expect(ids(approved)).toEqual([second, fourth] as string[]);
  expectStatus(200, await school.owner.post(`/flights/${second}/reverse`, { reason: "Another aircraft flew." }));
  const reversed = await read(after(approved));
  expect(reversed.body.data).toMatchObject([{ id: second, status: "reversed", reversed_at: expect.any(String) }]);
  const { updated_at } = reversed.body.data[0];
  expect(ids(await read(`updated_since=${updated_at}`))).toEqual([second ?? ""]);
  expect(ids(await read("updated_since=2026-01-01T00:00:00Z&status=approved"))).toEqual([fourth ?? ""]);
});

test("updated_since is read in pages by cursor and by offset, and not combined with `from` or `to`", async () => {
  const { school, newestFirst } = await withFlights();
  const key = await school.apiKey("public.flights:read");
  const since = "/flights?updated_since=2026-01-01T00:00:00Z&limit=2";
  const first = await school.publicGet(since, key);
  expect(first.body.page).toMatchObject({ has_more: true, last_cursor: first.body.page.next_cursor });
  const second = await school.publicGet(`${since}&cursor=${first.body.page.next_cursor}`, key);
  const third = await school.publicGet(`${since}&offset=4`, key);
  expect([...ids(first), ...ids(second), ...ids(third)]).toEqual(newestFirst.toReversed());
  const newest = await school.publicGet("/flights?limit=2", key);
  for (const query of [
    `/flights?cursor=${first.body.page.last_cursor}`,
    `/flights?offset=0&cursor=${first.body.page.last_cursor}`,
    `${since}&cursor=${newest.body.page.next_cursor}`,
  ])
    expect(expectStatus(400, await school.publicGet(query, key)).body.error.message).toContain("in another order");
  for (const bound of ["from", "to"])
    expectIssueAt("query.updated_since", await school.publicGet(`${since}&${bound}=2026-06-01T00:00:00Z`, key));
});
