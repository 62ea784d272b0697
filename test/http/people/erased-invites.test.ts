/** An erasure and the invites to a person's addresses. */
import { expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { expectStatus, newOwnSchool, type School } from "../../support/school.ts";
import { tracesOf } from "../../support/traces.ts";

const [first, second, others] = ["zelda@old.example", "zelda@quux.example", "mia@muster.example"];

/** Returns the addresses of the invites in the export of a person. */
async function exported({ installation, orgId, owner }: School, id: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${owner.token}` };
  const request = new Request(`http://localhost/orgs/${orgId}/people/${id}/export`, { headers });
  const zip = await (await installation.app.fetch(request)).arrayBuffer();
  const { invites } = JSON.parse(Buffer.from(unzipSync(new Uint8Array(zip))["person.json"] ?? []).toString());
  return invites.map(({ email }: { email: string }) => email);
}

test("an erasure removes invites to each address that the person ever had, if nobody has claimed them", async () => {
  const school = await newOwnSchool();
  const { owner, installation } = school;
  const person = { name: "Zelda Quux", types: ["pilot"], email: first };
  const { id } = expectStatus(201, await owner.post("/people", person)).body.data;
  expectStatus(200, await owner.patch(`/people/${id}`, { email: second }));
  const invite = async (email: string): Promise<{ id: string; token: string }> =>
    expectStatus(201, await owner.post("/invites", { email, roles: ["accountant"] })).body.data;
  const [old, present, other] = [await invite(first.toUpperCase()), await invite(second), await invite(others)];
  expectStatus(200, await owner.delete(`/invites/${old.id}`));
  const unclaimed = async (): Promise<string[]> =>
    expectStatus(200, await owner.get("/invites"))
      .body.data.filter(({ status }: { status: string }) => status !== "claimed")
      .map((one: { email: string }) => one.email);
  expect((await unclaimed()).sort()).toEqual([others, first, second].sort());

  expect((await exported(school, id)).sort()).toEqual([first, second].sort());

  expectStatus(200, await owner.post(`/people/${id}/erase`));
  expect(await unclaimed()).toEqual([others]);
  expectStatus(404, await installation.call("GET", `/auth/org-invites/${present.token}`));
  expectStatus(200, await installation.call("GET", `/auth/org-invites/${other.token}`));
  expect(await tracesOf(school, "Zelda Quux", first, second)).toEqual([]);
});

test("an invite to an address that another person has, too, stays", async () => {
  const school = await newOwnSchool();
  const { owner } = school;
  const people = [];
  for (const [name, email] of [
    ["Zelda Quux", second],
    ["Mia Muster", others],
  ])
    people.push(expectStatus(201, await owner.post("/people", { name, types: ["pilot"], email })).body.data.id);
  const [id, mia] = people;
  expectStatus(200, await owner.patch(`/people/${id}`, { email: null }));
  expectStatus(200, await owner.patch(`/people/${mia}`, { email: second }));
  expectStatus(201, await owner.post("/invites", { email: second, roles: ["accountant"] }));
  expectStatus(200, await owner.post(`/people/${id}/erase`));
  const { data } = expectStatus(200, await owner.get("/invites?status=open")).body;
  expect(data).toMatchObject([{ email: second }]);
});
