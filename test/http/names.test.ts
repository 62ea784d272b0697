/** Names beside ids: who did it and what it is about, in the answer itself. */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { expectStatus, newSchool, type School } from "../support/school.ts";
import { tenantOf } from "./maintenance/maintaining.ts";

const flightOf = async ({ owner }: School, id: string) =>
  expectStatus(200, await owner.get(`/flights/${id}`)).body.data;

test("a flight names who drafted, submitted and approved it, from their first write on", async () => {
  const school = await newSchool();
  const { owner } = school;
  const newcomer = await school.join(["instructor"], "Nils Newcomer");
  const draft = await school.draftFlight(newcomer);
  expect(draft).toMatchObject({
    created_by: newcomer.userId,
    created_by_name: "Nils Newcomer",
    approved_by_name: null,
  });
  expectStatus(200, await newcomer.post(`/flights/${draft.id}/submit`));
  expectStatus(200, await owner.post(`/flights/${draft.id}/approve`));
  const names = {
    created_by_name: "Nils Newcomer",
    submitted_by_name: "Nils Newcomer",
    approved_by_name: "Olga Owner",
  };
  expect(await flightOf(school, draft.id)).toMatchObject(names);
  const [listed] = expectStatus(200, await owner.get("/flights")).body.data;
  expect(listed).toMatchObject(names);
});

test("a student reads who approved their flight, without the list of members", async () => {
  const school = await newSchool();
  const { id } = await school.submitFlight(school.student);
  expectStatus(200, await school.owner.post(`/flights/${id}/approve`));
  const { body } = await school.student.get(`/flights/${id}`);
  expect(body.data).toMatchObject({ created_by_name: "Sam Student", approved_by_name: "Olga Owner" });
  expectStatus(403, await school.student.get("/members"));
});

test("a new name of an account is shown at once, moves no change and finds the member", async () => {
  const school = await newSchool();
  const { owner, installation } = school;
  const { id, updated_at } = await school.draftFlight(owner);
  const before = (await owner.get(`/flights/${id}`)).headers.get("etag");
  const renamed = { token: owner.token, body: { name: "Olga Othername" } };
  expectStatus(200, await installation.call("PATCH", "/auth/me", renamed));
  const answer = await school.instructor.get(`/flights/${id}`);
  expect(answer.body.data).toMatchObject({ created_by_name: "Olga Othername", updated_at });
  expect((await owner.get(`/flights/${id}`)).headers.get("etag")).not.toBe(before);
  expectStatus(200, await owner.patch(`/flights/${id}`, { remarks: "Windy." }));
  expect((await flightOf(school, id)).created_by_name).toBe("Olga Othername");
  const { data } = expectStatus(200, await owner.get("/search?q=othername")).body;
  expect(data).toMatchObject([{ kind: "member" }]);
});

test("an erasure takes the name of the person's account, and leaves the id", async () => {
  const school = await newSchool();
  const { owner } = school;
  const leaver = await school.join(["mechanic"], "Lea Leaver");
  const at = `/aircraft/${school.aircraftId}`;
  const reported = { description: "Nose wheel shimmies." };
  const { id } = expectStatus(201, await leaver.post(`${at}/defects`, reported)).body.data;
  const read = async () => expectStatus(200, await owner.get(`${at}/defects/${id}`)).body.data;
  expect(await read()).toMatchObject({ reported_by: leaver.userId, reported_by_name: "Lea Leaver" });
  expectStatus(200, await owner.delete(`/members/${leaver.userId}`));
  expect((await read()).reported_by_name).toBe("Lea Leaver");
  expectStatus(200, await owner.post(`/people/${leaver.personId}/erase`));
  expect(await read()).toMatchObject({ reported_by: leaver.userId, reported_by_name: null });
  const kept = await tenantOf(school).read((reader) => reader.values(sql`select name from account_names`));
  expect(kept.flat()).not.toContain("Lea Leaver");
});

test("an aircraft and an instructor are named in what refers to them, in CSV too", async () => {
  const school = await newSchool();
  const { owner, instructor, aircraftId } = school;
  const hours = { person_id: instructor.personId, weekday: 2, from_time: "08:00", to_time: "18:00" };
  expect(expectStatus(201, await owner.post("/planning/hours", hours)).body.data.person_name).toBe("Ines Instructor");
  const whole = { ...hours, person_id: null, weekday: 3 };
  expect(expectStatus(201, await owner.post("/planning/hours", whole)).body.data.person_name).toBeNull();
  const item = { aircraft_id: aircraftId, name: "Oil change", interval_hours: "50.00" };
  expect(expectStatus(201, await owner.post("/maintenance/items", item)).body.data).toMatchObject({
    aircraft_registration: "D-EABC",
  });
  const { text } = await owner.call("GET", `/orgs/${school.orgId}/maintenance/items`, {
    headers: { accept: "text/csv" },
  });
  expect(text.split("\r\n")[0]?.split(",")).toContain("aircraft_registration");
  expect(text).toContain("D-EABC");
});

test("the public API has ids without names", async () => {
  const school = await newSchool();
  const { id } = await school.submitFlight(school.student);
  const { body } = await school.publicGet("/flights", await school.apiKey("public.flights:read"));
  expect(body.data[0].id).toBe(id);
  expect(Object.keys(body.data[0]).filter((name) => name.endsWith("_name"))).toEqual([]);
});
