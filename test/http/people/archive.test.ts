import { expect, test } from "bun:test";
import { expectStatus, type Member, newOwnSchool, newSchool } from "../../support/school.ts";

const reason = (answer: { body: { error: { reason?: string } } }) => answer.body.error.reason;
const archive = async (owner: Member, id: string) =>
  expectStatus(200, await owner.patch(`/people/${id}`, { status: "archived" })).body.data;
const restore = async (owner: Member, id: string) =>
  expectStatus(200, await owner.patch(`/people/${id}`, { status: "active" })).body.data;

test("an archived person can't be changed until they are restored", async () => {
  const { owner, student } = await newSchool();
  const path = `/people/${student.personId}`;
  const before = expectStatus(200, await owner.get(path)).body.data;

  const archived = await archive(owner, student.personId);

  expect(archived).toEqual({ ...before, status: "archived", updated_at: expect.any(String) });
  for (const change of [{ name: "X" }, { user_id: null }, { status: "archived" }, { phone: "1", status: "archived" }])
    expect(reason(expectStatus(409, await owner.patch(path, change)))).toBe("person_archived");
  expect((await owner.get(path)).body.data).toEqual(archived);
  const restored = expectStatus(200, await owner.patch(path, { status: "active", name: "Sam" })).body.data;
  expect(restored).toMatchObject({ status: "active", name: "Sam" });
  const entries = expectStatus(200, await owner.get(`/audit-log?subject_id=${student.personId}`)).body.data;
  expect(entries.slice(0, 2)).toMatchObject([
    { action: "person.restored", before: archived, after: restored },
    { action: "person.archived", before, after: archived },
  ]);
});

test("a change that does not change the status is recorded as an update", async () => {
  const { owner, student } = await newSchool();

  expectStatus(200, await owner.patch(`/people/${student.personId}`, { status: "active", phone: "110" }));

  const [entry] = (await owner.get(`/audit-log?subject_id=${student.personId}`)).body.data;
  expect(entry.action).toBe("person.updated");
});

test("an archived person stays in their flights, and can't be named in others", async () => {
  const school = await newSchool();
  const { owner, student, instructor } = school;
  const named = await school.draftFlight(student);
  const other = await school.draftFlight(owner, {
    body: { crew: [{ person_id: instructor.personId, function: "pic" }] },
  });

  await archive(owner, student.personId);

  const refused = [
    await owner.post("/flights", school.flightBody()),
    await owner.patch(`/flights/${other.id}`, { crew: [{ person_id: student.personId, function: "solo" }] }),
  ];
  for (const answer of refused) expect(reason(expectStatus(409, answer))).toBe("person_archived");
  const edited = expectStatus(200, await owner.patch(`/flights/${named.id}`, { remarks: "Gusty." })).body.data;
  expect(edited.crew).toEqual(named.crew);
  expectStatus(200, await student.post(`/flights/${named.id}/submit`));
  expectStatus(200, await instructor.post(`/flights/${named.id}/approve`));

  await restore(owner, student.personId);
  expectStatus(201, await owner.post("/flights", school.flightBody()));
});

test("an archived person is not a public pilot, and is one again when restored", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const key = await school.apiKey("public.pilots:read");
  const ids = async (query: string): Promise<string[]> =>
    expectStatus(200, await school.publicGet(`/pilots?${query}`, key)).body.data.map(({ id }: { id: string }) => id);
  const since = "updated_since=2026-01-01T00:00:00Z";
  const queries = ["type=all", "type=pilot"];
  const seen = expectStatus(200, await school.publicGet(`/pilots?${since}`, key)).body.page.last_cursor;

  await archive(owner, student.personId);
  for (const query of queries) expect(await ids(query)).not.toContain(student.personId);

  // The clock stands still: a change after the archiving must still come after the cursor of before.
  expectStatus(200, await owner.patch(`/people/${school.instructor.personId}`, { ratings: ["SEP"] }));
  // A mirror sees that the person left the list.
  expect(await ids(`${since}&cursor=${seen}`)).toEqual([student.personId, school.instructor.personId]);
  await restore(owner, student.personId);
  for (const query of queries) expect(await ids(query)).toContain(student.personId);
  expect(await ids(`${since}&cursor=${seen}`)).toEqual([school.instructor.personId, student.personId]);
});

test("a member whose person is archived keeps their access", async () => {
  const school = await newSchool();
  const { owner, student } = school;
  const flight = await school.draftFlight(student);

  await archive(owner, student.personId);

  const own = expectStatus(200, await student.get(`/people/${student.personId}`)).body.data;
  expect(own).toMatchObject({ status: "archived", user_id: student.userId });
  expectStatus(200, await student.get(`/flights/${flight.id}`));
  expectStatus(200, await student.get("/aircraft"));
});

test("an archived person can't be linked to an account", async () => {
  const { owner, student, join } = await newSchool();
  const { userId, personId } = await join(["accountant"]);
  expectStatus(200, await owner.patch(`/people/${personId}`, { user_id: null }));
  const { id } = expectStatus(201, await owner.post("/people", { name: "Zoe", types: ["student"] })).body.data;
  const change = { status: "archived", user_id: userId };

  expect(reason(expectStatus(409, await owner.patch(`/people/${id}`, change)))).toBe("person_archived");
  await archive(owner, id);
  expect(reason(expectStatus(409, await owner.patch(`/people/${id}`, { user_id: userId })))).toBe("person_archived");
  const invite = { person_id: id, email: "zoe@example.com" };
  expect(reason(expectStatus(409, await owner.post("/student-invites", invite)))).toBe("person_archived");
  expect((await owner.get(`/people/${student.personId}`)).body.data.status).toBe("active");
  expectStatus(200, await owner.patch(`/people/${id}`, { status: "active", user_id: userId }));
});

test("an invite to a person who was archived since can't be claimed", async () => {
  const { installation, owner } = await newOwnSchool();
  const student = { name: "Zoe", types: ["student"], email: "zoe@archive.example" };
  const { id } = expectStatus(201, await owner.post("/people", student)).body.data;
  const invite = expectStatus(201, await owner.post("/student-invites", { person_id: id })).body.data;
  const body = { token: invite.token, password: "correct horse battery" };
  const claim = () => installation.call("POST", "/auth/student-invites/claim", { body });

  await archive(owner, id);

  const refused = [
    await claim(),
    await installation.call("GET", `/auth/student-invites/${invite.token}`),
    await owner.post(`/student-invites/${invite.id}/resend`),
  ];
  for (const answer of refused) expect(reason(expectStatus(409, answer))).toBe("person_archived");
  await restore(owner, id);
  expectStatus(200, await claim());
});

test("a supervisor is archived only after the instructors have another supervisor", async () => {
  const { owner, instructor, join } = await newSchool();
  const { personId: other } = await join(["instructor"], "Otto Other");
  const supervisor = instructor.personId;
  const restricted = { name: "Finn", types: ["instructor"], restricted_instructor: true, supervisor_id: supervisor };
  const { id } = expectStatus(201, await owner.post("/people", restricted)).body.data;

  const refused = expectStatus(409, await owner.patch(`/people/${supervisor}`, { status: "archived" }));
  expect(reason(refused)).toBe("supervises_instructors");

  // An archived instructor needs no supervisor, but their restoration does.
  await archive(owner, id);
  await archive(owner, supervisor);
  expectStatus(400, await owner.patch(`/people/${id}`, { status: "active" }));
  expectStatus(400, await owner.post("/people", { ...restricted, name: "Fritz" }));
  expectStatus(200, await owner.patch(`/people/${id}`, { status: "active", supervisor_id: other }));
});

test("listPeople filters by status", async () => {
  const { owner, student } = await newSchool();
  await archive(owner, student.personId);
  const names = async (query: string) =>
    expectStatus(200, await owner.get(`/people?${query}`)).body.data.map(({ name }: { name: string }) => name);

  expect(await names("status=archived")).toEqual(["Sam Student"]);
  expect(await names("status=active")).toEqual(["Ines Instructor", "Olga Owner"]);
  expect(await names("status=active&type=student")).toEqual([]);
  expect(await names("status=archived&type=student&q=sa")).toEqual(["Sam Student"]);
  expect(await names("type=student")).toEqual(["Sam Student"]);
});
