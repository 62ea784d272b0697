/**
 * More schools than the server keeps active: it puts some away, and ends their connections. A long run:
 * `SCHOOLS=200 ACTIVE=100 WRITES=2000 bun test --timeout 600000 test/storage/server/many-schools.test.ts`.
 */
import { afterEach, expect, test } from "bun:test";
import { expectStatus, newSchool, type School, times } from "../../support/school.ts";
import { cleanUp } from "../temporary.ts";
import { installationOn, newServer } from "./servers.ts";

afterEach(cleanUp);

const schools = Number(process.env.SCHOOLS ?? 12);
const active = Number(process.env.ACTIVE ?? 8);
const writes = Number(process.env.WRITES ?? 60);
const clients = 4;

/** Founds a school, and another one where the server had none to give: a sign-up has no key, so its client would look first. */
async function foundedAt(at: Awaited<ReturnType<typeof installationOn>>, refusals: number[]): Promise<School> {
  for (;;) {
    try {
      return await newSchool(at);
    } catch (error) {
      if (!/^503 instead of/.test(error instanceof Error ? error.message : "")) throw error;
      refusals.push(503);
    }
  }
}

test("more schools than the server keeps active lose nothing, and what is repeated with its key is there once", async () => {
  const at = await installationOn(await newServer({ args: ["--max-active-namespaces", String(active)] }));
  const [refusedSignUps, refused]: [number[], number[]] = [[], []];
  const founded: School[] = [];
  while (founded.length < schools) founded.push(await foundedAt(at, refusedSignUps));

  let number = 0;
  const names = founded.map((): string[] => []);
  async function client(): Promise<void> {
    while (number < writes) {
      number += 1;
      const name = `Person ${number}`;
      // In turns, so that each is the one that was not used for longest.
      const { owner } = founded[number % schools] as School;
      const headers = { "idempotency-key": crypto.randomUUID() };
      const body = { name, types: ["student"] };
      let answer = await owner.call("POST", `/orgs/${owner.orgId}/people`, { body, headers });
      while (answer.status === 503) {
        refused.push(number);
        answer = await owner.call("POST", `/orgs/${owner.orgId}/people`, { body, headers });
      }
      expectStatus(201, answer);
      names[founded.findIndex((one) => one.owner === owner)]?.push(name);
    }
  }
  await Promise.all(times(clients, client));

  for (const [school, { owner }] of founded.entries()) {
    const { data } = expectStatus(200, await owner.get("/people?limit=100&q=Person")).body;
    expect(data.map((person: { name: string }) => person.name).sort()).toEqual(names[school]?.toSorted() ?? []);
  }
  console.log(
    `${refusedSignUps.length} of ${schools} sign-ups and ${refused.length} of ${writes} writes were 503 first.`,
  );
});
