import { expect, test } from "bun:test";
import { hours } from "../../../src/core/clock.ts";
import { TestClock } from "../../support/clock.ts";
import { newInstallation } from "../../support/installation.ts";
import { expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";

const paths = (answer: { body: { issues: { path: string }[] } }) => answer.body.issues.map(({ path }) => path);

test("createPerson stores the body and writes an audit row", async () => {
  const { owner } = await newSchool();
  const sent = {
    name: "Anna Berg",
    email: "Anna.Berg@Example.com",
    types: ["instructor", "pilot"],
    date_of_birth: "1994-03-21",
    licence_number: "DE.FCL.4711",
    licence_authority: "LBA",
    ratings: ["SEP", "FI"],
    phone: "+49 171 1234567",
    street: "Am Flugplatz 1",
    postcode: "63329",
    city: "Egelsbach",
    country: "de",
    language: "de",
    emergency_name: "Jonas Berg",
    emergency_phone: "+49 171 7654321",
    emergency_relation: "Husband",
  };

  const created = expectStatus(201, await owner.post("/people", sent)).body.data;

  expect(created).toEqual({
    ...sent,
    id: created.id,
    email: "anna.berg@example.com",
    country: "DE",
    status: "active",
    erased_at: null,
    user_id: null,
    restricted_instructor: false,
    supervisor_id: null,
    supervisor_name: null,
    receives_mails: true,
    created_at: "2026-06-14T09:00:00.000Z",
    // Later than every other change, although the clock stands still.
    updated_at: expect.stringMatching(/^2026-06-14T09:00:00\.00\dZ$/),
  });
  expect((await owner.get(`/people/${created.id}`)).body.data).toEqual(created);
  const [entry] = (await owner.get(`/audit-log?subject_id=${created.id}`)).body.data;
  expect(entry).toMatchObject({ action: "person.created", before: null, after: created });
});

test("createPerson rejects an invalid field and names it", async () => {
  const { owner } = await newSchool();
  const faults: [path: string, change: object][] = [
    ["body.types", { types: [] }],
    ["body.types", { types: ["pilot", "pilot"] }],
    ["body.types.0", { types: ["astronaut"] }],
    ["body.name", { name: "  " }],
    ["body.name", { name: undefined }],
    ["body.email", { email: "anna" }],
    ["body.country", { country: "Germany" }],
    ["body.date_of_birth", { date_of_birth: "2001-02-30" }],
    ["body.date_of_birth", { date_of_birth: "2026-06-15" }],
    ["body.user_id", { user_id: "01890a5d-ac96-774b-bcce-b302099a8057" }],
    ["body.shoe_size", { shoe_size: 42 }],
  ];
  for (const [path, change] of faults) {
    const answer = await owner.post("/people", { name: "Anna Berg", types: ["pilot"], ...change });
    expect(paths(expectStatus(400, answer))).toEqual([path]);
  }
  expect((await owner.get("/people")).body.data).toHaveLength(3);
});

test("createPerson accepts a person born today", async () => {
  const { owner } = await newSchool();

  expectStatus(201, await owner.post("/people", { name: "Baby", types: ["student"], date_of_birth: "2026-06-14" }));
});

test.each([
  ["2026-06-13T23:30:00.000Z", "Europe/Berlin", "2026-06-14", "2026-06-15"],
  ["2026-06-13T23:30:00.000Z", "America/New_York", "2026-06-13", "2026-06-14"],
  ["2026-06-14T10:30:00.000Z", "Pacific/Kiritimati", "2026-06-15", "2026-06-16"],
  ["2026-06-14T10:30:00.000Z", "Pacific/Pago_Pago", "2026-06-13", "2026-06-14"],
])("at %s in %s a date of birth may be %s but not %s", async (now, time_zone, today, tomorrow) => {
  const { owner } = await newSchool(await newInstallation({ clock: new TestClock(now) }));
  expectStatus(200, await owner.patch("", { time_zone }));
  const born = (date_of_birth: string) => ({ name: "Baby", types: ["student"], date_of_birth });

  const { id } = expectStatus(201, await owner.post("/people", born(today))).body.data;
  const refused = [await owner.post("/people", born(tomorrow)), await owner.patch(`/people/${id}`, born(tomorrow))];

  for (const answer of refused) expect(paths(expectStatus(400, answer))).toEqual(["body.date_of_birth"]);
});

test("createPerson rejects an account of another organization like an unknown account", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const other = await newSchool(installation);
  const body = { name: "Anna Berg", types: ["pilot"], user_id: other.student.userId };

  expect(paths(expectStatus(400, await school.owner.post("/people", body)))).toEqual(["body.user_id"]);
});

test("an account is linked to one person at most", async () => {
  const { owner, student, instructor } = await newSchool();
  const twin = { name: "Twin", types: ["pilot"], user_id: student.userId };

  expectStatus(409, await owner.post("/people", twin));
  expectStatus(409, await owner.patch(`/people/${instructor.personId}`, { user_id: student.userId }));
  // Repeating the same link is not a conflict, and an unlinked account can be linked again.
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { user_id: student.userId }));
  expectStatus(200, await owner.patch(`/people/${student.personId}`, { user_id: null }));
  expectStatus(201, await owner.post("/people", twin));
});

test("updatePerson changes only the given fields, and null clears a field", async () => {
  const { owner, installation } = await newOwnSchool();
  const body = { name: "Anna Berg", types: ["pilot"], email: "a@example.com", licence_number: "X 1", ratings: ["SEP"] };
  const before = expectStatus(201, await owner.post("/people", body)).body.data;
  installation.clock.advance(1000);

  const change = { email: null, ratings: ["SEP", "IR"] };
  const after = expectStatus(200, await owner.patch(`/people/${before.id}`, change)).body.data;

  expect(after).toEqual({ ...before, ...change, updated_at: "2026-06-14T09:00:01.000Z" });
  const [entry] = (await owner.get(`/audit-log?subject_id=${before.id}`)).body.data;
  expect(entry).toMatchObject({ action: "person.updated", before, after });
});

test("updatePerson rejects an empty change and an unknown person", async () => {
  const { owner, student } = await newSchool();

  expect(paths(expectStatus(400, await owner.patch(`/people/${student.personId}`, {})))).toEqual(["body"]);
  expectStatus(404, await owner.patch("/people/01890a5d-ac96-774b-bcce-b302099a8057", { name: "X" }));
  expectStatus(404, await owner.patch("/people/anna", { name: "X" }));
});

test("listPeople sorts by name, returns pages and filters by type", async () => {
  const { owner } = await newSchool();
  for (const name of ["Zoe", "Bob", "Bob"])
    expectStatus(201, await owner.post("/people", { name, types: ["mechanic"] }));

  const all = expectStatus(200, await owner.get("/people")).body.data;
  const names = all.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["Bob", "Bob", "Ines Instructor", "Olga Owner", "Sam Student", "Zoe"]);

  const page = expectStatus(200, await owner.get("/people?type=mechanic&limit=2&offset=1&with_total=true")).body;
  expect(page.data).toEqual([all[1], all[5]]);
  expect(page.page).toEqual({ limit: 2, offset: 1, has_more: false, next_cursor: null, total: 3 });
  expectStatus(400, await owner.get("/people?type=astronaut"));
});

test("listPeople finds the words of names and e-mail addresses, and beginnings of words, in any case", async () => {
  const { owner, student } = await newSchool();
  for (const [name, email] of [
    ["Anna Berg", "berg@club.example"],
    ["anton Zander", null],
    ["Bernd", "anna@club.example"],
    ["Ünal", null],
    ["100%", null],
  ])
    expectStatus(201, await owner.post("/people", { name, email, types: ["mechanic"] }));
  const find = async (q: string, by = owner) => {
    const { data } = expectStatus(200, await by.get(`/people?limit=500&q=${encodeURIComponent(q)}`)).body;
    return data.map(({ name }: { name: string }) => name);
  };

  expect(await find("AN")).toEqual(["Anna Berg", "Bernd", "anton Zander"]);
  expect(await find("ber")).toEqual(["Anna Berg", "Bernd"]);
  expect(await find("berg@")).toEqual(["Anna Berg"]);
  expect(await find("Ü")).toEqual(["Ünal"]);
  expect(await find("zan ant")).toEqual(["anton Zander"]);
  expectStatus(400, await owner.get("/people?q=%25"));
  expect(await find("sam")).toEqual(["Sam Student"]);
  expect(await find("sam", student)).toEqual(["Sam Student"]);
  expect(await find("anna", student)).toEqual([]);

  const first = expectStatus(200, await owner.get("/people?q=an&type=mechanic&limit=2&with_total=true")).body;
  expect(first.page).toMatchObject({ has_more: true, total: 3 });
  const second = expectStatus(200, await owner.get(`/people?q=an&cursor=${first.page.next_cursor}`)).body;
  expect(second.data.map(({ name }: { name: string }) => name)).toEqual(["anton Zander"]);
});

test("people:manage and people:read are enforced, and a student sees only themselves", async () => {
  const { owner, instructor, student } = await newSchool();
  const body = { name: "X", types: ["pilot"] };

  for (const member of [instructor, student]) {
    expectStatus(403, await member.post("/people", body));
    expectStatus(403, await member.patch(`/people/${member.personId}`, { name: "X" }));
  }
  expectStatus(200, await instructor.get(`/people/${student.personId}`));
  expectStatus(200, await student.get(`/people/${student.personId}`));
  expectStatus(404, await student.get(`/people/${instructor.personId}`));
  const seen = expectStatus(200, await student.get("/people?with_total=true")).body;
  expect(seen.data).toHaveLength(1);
  expect(seen.data[0].id).toBe(student.personId);
  expect(seen.page.total).toBe(1);
  expect((await owner.get("/people")).body.data).toHaveLength(3);
});

test("only members can access people", async () => {
  const { installation, owner, orgId } = await newOwnSchool();
  const stranger = (await newSchool(installation)).owner;

  for (const [method, path] of [
    ["GET", ""],
    ["POST", ""],
    ["GET", `/${owner.personId}`],
    ["PATCH", `/${owner.personId}`],
  ] as const) {
    const url = `/orgs/${orgId}/people${path}`;
    const body = method === "GET" ? {} : { body: { name: "X", types: ["pilot"] } };
    expectStatus(401, await installation.call(method, url, body));
    expectStatus(404, await stranger.call(method, url, body));
  }
  installation.clock.advance(hours(1));
  expectStatus(401, await owner.get("/people"));
});
