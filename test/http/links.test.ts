/** Links in headers: `Location` of what was created, and `Link: rel="next"` of lists. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { jsonPage } from "../../src/http/json-page.ts";
import type { Call } from "../support/installation.ts";
import { expectStatus, newOwnSchool, newSchool, times } from "../support/school.ts";
import { newStage, prepare, type Stage } from "../support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await newStage();
});
afterAll(() => stage.installation.close());

const nextOf = (answer: { headers: Headers }) => /^<([^<>]+)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1];

test("every 201 and 202 names what it created, except for API keys, which can't read it", async () => {
  const missing: string[] = [];
  const creating = stage.routes.filter((route) => createdBy(route) !== undefined);
  expect(creating.length).toBeGreaterThan(9);
  for (const route of creating) {
    const { path, query = "", caller, ...sent } = await prepare(route, stage.school);
    const { security } = route;
    const byKey = typeof security === "object";
    const token = byKey ? await stage.school.apiKey(security.scope) : (caller ?? stage.school.owner.token);
    const answer = await stage.installation.call(route.method, `${path}?${query}`, {
      ...sent,
      ...(security !== "open" && { token }),
      org: stage.school.orgId,
    });
    const location = expectStatus(createdBy(route) ?? 201, answer).headers.get("location");
    if (byKey) expect(location).toBeNull();
    else if (location === null) missing.push(route.name);
    else {
      const methods = (await stage.installation.call("PUT", location, { token })).headers.get("allow");
      expect([route.name, methods]).toEqual([route.name, expect.stringMatching(/GET/)]);
    }
  }
  expect(missing).toEqual([]);
});

/** Returns the status of a route that creates something. */
const createdBy = ({ operation }: Stage["routes"][number]): number | undefined =>
  [201, 202].find((status) => operation?.responses[status] !== undefined);

test("Location is the address of the new resource, also in a repeat of the request", async () => {
  const { owner, flightBody } = await newSchool();
  const { orgId } = owner;
  const body = flightBody();
  const draft = (key: string) =>
    owner.call("POST", `/orgs/${orgId}/flights`, { body, headers: { "idempotency-key": key } });
  const first = expectStatus(201, await draft("a"));
  const location = first.headers.get("location") ?? "";
  expect((await owner.call("GET", location)).body).toEqual(first.body);
  const repeated = expectStatus(201, await draft("a"));
  expect(repeated.headers.get("idempotency-replayed")).toBe("true");
  expect(repeated.headers.get("location")).toBe(location);
});

/** Follows the links to the end. @returns the ids of all pages, and the links */
async function follow(start: string, ask: (path: string) => ReturnType<Stage["installation"]["call"]>) {
  const ids: string[] = [];
  const links: string[] = [];
  for (let path: string | undefined = start; path !== undefined; ) {
    const answer = expectStatus(200, await ask(path));
    ids.push(...answer.body.data.map(({ id }: { id: string }) => id));
    path = nextOf(answer);
    expect(path !== undefined).toBe(answer.body.page.has_more);
    if (path !== undefined) links.push(path);
    if (links.length > 9) throw new Error("The links do not come to an end.");
  }
  return { ids, links };
}

test("the links of session and public lists lead through all pages, by cursor or by offset as asked", async () => {
  const school = await newOwnSchool();
  const { owner, installation } = school;
  await Promise.all(times(5, () => school.submitFlight(school.student)));
  const key = await school.apiKey("public.flights:read");
  const byKey = (path: string) => installation.call("GET", path, { token: key, org: school.orgId });
  const bySession = (path: string) => owner.call("GET", path);

  for (const [path, ask] of [
    [`/orgs/${school.orgId}/flights`, bySession],
    ["/api/v1/public/flights", byKey],
  ] as const) {
    const all = (await ask(path)).body.data.map(({ id }: { id: string }) => id);
    expect((await ask(path)).headers.has("link")).toBe(false);
    const byCursor = await follow(`${path}?status=submitted&limit=2`, ask);
    expect(byCursor.ids).toEqual(all);
    for (const link of byCursor.links) expect(link).toStartWith(`${path}?status=submitted&limit=2&cursor=`);
    const byOffset = await follow(`${path}?offset=0&limit=2`, ask);
    expect(byOffset).toEqual({ ids: all, links: [`${path}?limit=2&offset=2`, `${path}?limit=2&offset=4`] });
  }
});

test("a cached list has the links of each request's own query, and a 304 has them too", async () => {
  const { school, ask } = await publicFlights();
  const path = "/api/v1/public/flights";
  const first = await ask(`${path}?limit=1`);
  const { next_cursor } = first.body.page;
  expect(nextOf(first)).toBe(`${path}?limit=1&cursor=${next_cursor}`);
  // The same list, and so the same cached body.
  expect(nextOf(await ask(`${path}?offset=0&limit=1`))).toBe(`${path}?limit=1&offset=1`);
  expect(nextOf(await ask(`${path}?limit=1&cursor=${next_cursor}&offset=0`))).toBeUndefined();
  const unchanged = await ask(`${path}?limit=1`, { headers: { "if-none-match": String(first.headers.get("etag")) } });
  expect([unchanged.status, nextOf(unchanged)]).toEqual([304, nextOf(first)]);
  expect(school.orgId).toBeString();
});

test("an address that the runtime did not normalize is encoded", () => {
  const request = new Request("http://localhost/");
  // Bun's, after an invalid `Host`.
  Object.defineProperty(request, "url", { value: '/flights/?a=<"ä>&offset=0&b=%20+' });
  const set: { headers: Record<string, string> } = { headers: {} };
  const body = '{"data":[],"page":{"limit":2,"offset":0,"has_more":true,"next_cursor":"WzFd"}}';
  jsonPage({ request, set }, Buffer.from(body));
  expect(set.headers.link).toBe('</flights?a=%3C%22%C3%A4%3E&b=%20+&offset=2>; rel="next"');
});

async function publicFlights() {
  const school = await newSchool();
  await school.submitFlight(school.student);
  await school.submitFlight(school.student);
  const token = await school.apiKey("public.flights:read");
  const ask = (path: string, call: Call = {}) =>
    school.installation.call("GET", path, { token, org: school.orgId, ...call });
  return { school, ask };
}
