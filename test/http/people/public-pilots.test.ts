import { expect, test } from "bun:test";
import { expectStatus, newOwnSchool, newSchool } from "../../support/school.ts";

const names = (answer: { body: { data: { name: string }[] } }) => answer.body.data.map(({ name }) => name);

test("public pilots are students, pilots and instructors, sorted by name", async () => {
  const school = await newSchool();
  const { owner } = school;
  for (const [name, ...types] of [
    ["Carl", "pilot"],
    ["Dora", "mechanic"],
    ["Anna", "staff", "instructor", "pilot"],
  ])
    expectStatus(201, await owner.post("/people", { name, types }));
  const key = await school.apiKey("public.pilots:read");
  const list = async (query: string) => names(expectStatus(200, await school.publicGet(`/pilots${query}`, key)));

  const everybody = ["Anna", "Carl", "Ines Instructor", "Sam Student"];
  expect(await list("")).toEqual(everybody);
  expect(await list("?type=all")).toEqual(everybody);
  expect(await list("?type=pilot")).toEqual(["Anna", "Carl", "Sam Student"]);
  expect(await list("?type=instructor")).toEqual(["Anna", "Ines Instructor"]);
  expect(await list("?limit=2&offset=1")).toEqual(["Carl", "Ines Instructor"]);
  expectStatus(400, await school.publicGet("/pilots?type=staff", key));
  expectStatus(400, await school.publicGet("/pilots?limit=501", key));
});

test("public pilots contain no private fields", async () => {
  const school = await newSchool();
  const secrets = {
    email: "private@example.com",
    date_of_birth: "1994-03-21",
    licence_number: "DE.FCL.4711",
    licence_authority: "Luftfahrt-Bundesamt",
    phone: "+49 171 1234567",
    street: "Am Flugplatz 1",
    postcode: "63329",
    city: "Egelsbach",
    emergency_name: "Jonas Berg",
    emergency_phone: "+49 171 7654321",
    emergency_relation: "Husband",
  };
  expectStatus(200, await school.owner.patch(`/people/${school.student.personId}`, secrets));
  const key = await school.apiKey("public.pilots:read");

  const answer = expectStatus(200, await school.publicGet("/pilots?type=pilot", key));

  for (const secret of [...Object.values(secrets), school.student.userId]) expect(answer.text).not.toContain(secret);
  expect(new Set(Object.keys(answer.body.data[0]))).toEqual(
    new Set(["created_at", "id", "name", "ratings", "restricted_instructor", "status", "types", "updated_at"]),
  );
});

test("public pilots require the scope and a key of the organization", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const other = await newSchool(installation);

  expectStatus(403, await school.publicGet("/pilots", await school.apiKey("public.flights:read")));
  expectStatus(401, await school.publicGet("/pilots", await other.apiKey("public.pilots:read")));
});

test("updated_since lists the pilots who were added or changed, in the order of the changes", async () => {
  const school = await newSchool();
  const key = await school.apiKey("public.pilots:read");
  const read = async (query: string) => expectStatus(200, await school.publicGet(`/pilots?${query}`, key));
  const since = "updated_since=2026-01-01T00:00:00Z";
  const all = await read(since);
  expect(names(all)).toEqual(["Ines Instructor", "Sam Student"]);

  expectStatus(200, await school.owner.patch(`/people/${school.instructor.personId}`, { ratings: ["SEP"] }));
  const changed = await read(`${since}&cursor=${all.body.page.last_cursor}`);
  expect(names(changed)).toEqual(["Ines Instructor"]);
  expect(names(await read(`updated_since=${changed.body.data[0].updated_at}&type=instructor`))).toEqual([
    "Ines Instructor",
  ]);
});
