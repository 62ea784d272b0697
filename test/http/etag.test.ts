/** A client of the public API whose copy is current gets 304 without a body. */
import { describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { operationsOf } from "../support/document.ts";
import type { Answer } from "../support/installation.ts";
import { expectStatus, newSchool, type School } from "../support/school.ts";
import { newStage, prepare } from "../support/stage.ts";

const FLIGHTS = "/api/v1/public/flights";

/** A school and its key, for requests with and without a tag. */
async function scene() {
  const school = await newSchool();
  const key = await school.apiKey("public.flights:read", "public.pilots:read", "public.events:read");
  const ask = (path: string, ifNoneMatch?: string, method = "GET"): Promise<Answer> =>
    school.installation.call(method, path, {
      token: key,
      org: school.orgId,
      ...(ifNoneMatch !== undefined && { headers: { "if-none-match": ifNoneMatch } }),
    });
  const tagOf = async (path: string) => String((await ask(path)).headers.get("etag"));
  return { school, key, ask, tagOf };
}

describe("a matching If-None-Match", () => {
  test("gets 304 with the tag and the headers of the response, and no body", async () => {
    const { ask } = await scene();
    const full = expectStatus(200, await ask(FLIGHTS));
    const tag = String(full.headers.get("etag"));
    expect(tag).toMatch(/^"[0-9a-f]{16}"$/);
    const short = await ask(FLIGHTS, tag);
    expect([short.status, short.text, short.headers.get("content-type")]).toEqual([304, "", null]);
    for (const name of ["etag", "cache-control", "vary", "x-content-type-options", "ratelimit-policy"])
      expect([name, short.headers.get(name)]).toEqual([name, full.headers.get(name)]);
    expect(short.headers.has("x-request-id")).toBe(true);
  });

  test("matches in a list, weak, or as an asterisk, and nothing else", async () => {
    const { ask, tagOf } = await scene();
    const tag = await tagOf(FLIGHTS);
    const statusFor = async (header: string) => [header, (await ask(FLIGHTS, header)).status];
    for (const header of ["*", " * ", tag, `W/${tag}`, `"a", ${tag}`, `"a,b" , W/${tag},"c"`, `,${tag}`])
      expect(await statusFor(header)).toEqual([header, 304]);
    const bare = tag.slice(1, -1);
    for (const header of ["", '""', '"*"', bare, `"${bare}x"`, `"${bare.toUpperCase()}"`, `"${bare}`, 'W/"a"'])
      expect(await statusFor(header)).toEqual([header, 200]);
  });

  test("works for HEAD as for GET", async () => {
    const { school, key, tagOf } = await scene();
    const tag = await tagOf(FLIGHTS);
    const head = async (headers: Record<string, string>) => {
      const credentials = { authorization: `Bearer ${key}`, "x-org-id": school.orgId };
      const request = { method: "HEAD", headers: { ...credentials, ...headers } };
      const answer = await school.installation.app.handle(new Request(`http://localhost${FLIGHTS}`, request));
      return [answer.status, await answer.text(), answer.headers.get("etag")];
    };
    expect(await head({})).toEqual([200, "", tag]);
    expect(await head({ "if-none-match": tag })).toEqual([304, "", tag]);
  });

  test("does not bypass the gate, the limit, the scope or the check of the query", async () => {
    const { school, ask } = await scene();
    const { installation, orgId } = school;
    const headers = { "if-none-match": "*" };
    const poor = await school.apiKey("public.directory:read");
    expect((await installation.call("GET", FLIGHTS, { org: orgId, headers })).status).toBe(401);
    expect((await installation.call("GET", FLIGHTS, { token: poor, org: orgId, headers })).status).toBe(403);
    expect((await ask(`${FLIGHTS}?limit=0`, "*")).status).toBe(400);
    const refused = await ask(`${FLIGHTS}?limit=0`, "*");
    expect([refused.headers.get("cache-control"), refused.headers.get("etag")]).toEqual(["no-store", null]);
  });

  test("counts against the key's limit", async () => {
    const { ask } = await scene();
    const left = async () => Number(/r=(\d+)/.exec(String((await ask(FLIGHTS, "*")).headers.get("ratelimit")))?.[1]);
    const before = await left();
    expect(await left()).toBe(before - 1);
  });
});

describe("the tag", () => {
  const writes: Record<string, (school: School) => Promise<unknown>> = {
    "a new flight": (school) => school.submitFlight(school.student),
    "a flight that moves on": async (school) => {
      const [flight] = (await school.owner.get("/flights")).body.data;
      expectStatus(200, await school.owner.post(`/flights/${flight.id}/approve`));
    },
    "a flight that is edited": async (school) => {
      const [flight] = (await school.owner.get("/flights")).body.data;
      const edited = { ...school.flightBody({ blockMinutes: 90 }), remarks: "Longer than it looked." };
      expectStatus(200, await school.owner.patch(`/flights/${flight.id}`, edited));
    },
  };
  test.each(Object.entries(writes))("changes after %s", async (_, write) => {
    const { school, ask } = await scene();
    await school.submitFlight(school.student);
    const before = await ask(FLIGHTS);
    await write(school);
    const after = expectStatus(200, await ask(FLIGHTS, String(before.headers.get("etag"))));
    expect(after.text).not.toBe(before.text);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  });

  test("changes exactly when the body changes, in any order of writes", async () => {
    const { school, ask } = await scene();
    const paths = [FLIGHTS, "/api/v1/public/pilots", "/api/v1/public/events", `${FLIGHTS}?status=approved`];
    const seen = new Map<string, string>();
    const steps = [
      () => school.submitFlight(school.student),
      () => school.submitFlight(school.student),
      () => school.owner.post("/people", { name: "Zoe Newcomer", types: ["pilot"] }),
      () => school.owner.patch(`/aircraft/${school.aircraftId}`, { model: "Cessna 172R" }),
      () => school.join(["student"], "Ida Instructor"),
    ];
    for (const step of [async () => undefined, ...steps]) {
      await step();
      for (const path of paths) {
        const { text, headers } = expectStatus(200, await ask(path));
        const tag = String(headers.get("etag"));
        const [known, textOfTag] = [seen.get(`${path} ${text}`), seen.get(`${path} ${tag}`)];
        expect([known ?? tag, textOfTag ?? text]).toEqual([tag, text]);
        seen.set(`${path} ${text}`, tag).set(`${path} ${tag}`, text);
      }
    }
  });

  test("stays the same after a write that does not change the body, and after the body is rebuilt", async () => {
    const { school, ask, tagOf } = await scene();
    await school.submitFlight(school.student);
    const tag = await tagOf(FLIGHTS);
    expectStatus(201, await school.owner.post("/people", { name: "Zoe Newcomer", types: ["pilot"] }));
    expect((await ask(FLIGHTS, tag)).status).toBe(304);
  });

  test("of one organization does not match in another", async () => {
    const { school, tagOf } = await scene();
    const other = await newSchool(school.installation);
    await school.submitFlight(school.student);
    await other.submitFlight(other.student);
    const headers = { "if-none-match": await tagOf(FLIGHTS) };
    const key = await other.apiKey("public.flights:read");
    expect((await school.installation.call("GET", FLIGHTS, { token: key, org: other.orgId, headers })).status).toBe(
      200,
    );
  });
});

test("a body of the public API may be stored by the client, and not by shared caches; one of a session by no cache", async () => {
  const { school, ask } = await scene();
  const { headers } = await ask(FLIGHTS);
  expect(headers.get("cache-control")).toBe("private, no-cache");
  expect(headers.get("vary")).toBe("Authorization, X-Org-Id, Accept-Encoding");
  const internal = (await school.owner.get("/flights")).headers;
  expect([internal.get("cache-control"), internal.get("etag")]).toEqual([
    "no-store",
    expect.stringMatching(/^"[0-9a-f]{16}"$/),
  ]);
});

test("a body of a session is compressed for clients that take that, and each form has its tag", async () => {
  const { owner, installation } = await newSchool();
  const path = `/orgs/${owner.orgId}/compliance/types`;
  const ask = (headers: Record<string, string>) =>
    installation.app.handle(
      new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${owner.token}`, ...headers } }),
    );
  const plain = await ask({});
  const small = await ask({ "accept-encoding": "gzip" });
  expect([plain.headers.get("content-encoding"), small.headers.get("content-encoding")]).toEqual([null, "gzip"]);
  expect(new Uint8Array(gunzipSync(await small.arrayBuffer()))).toEqual(new Uint8Array(await plain.arrayBuffer()));
  expect(small.headers.get("vary")).toContain("Accept");
  const tag = String(plain.headers.get("etag"));
  expect(small.headers.get("etag")).toBe(`${tag.slice(0, -1)}-gzip"`);
  for (const held of [tag, String(small.headers.get("etag"))])
    expect((await ask({ "accept-encoding": "gzip", "if-none-match": held })).status).toBe(304);
  const csv = await ask({ accept: "text/csv", "if-none-match": tag });
  expect([csv.status, csv.headers.get("etag")]).toEqual([200, null]);
});

test("a change, a refusal and a lost session are not answered by a tag", async () => {
  const { owner, student, installation } = await newSchool();
  const any = { headers: { "if-none-match": "*" } };
  const people = `/orgs/${owner.orgId}/people`;
  expect((await owner.call("GET", people, any)).status).toBe(304);
  expect((await owner.call("POST", people, { ...any, body: { name: "Zoe", types: ["pilot"] } })).status).toBe(201);
  expect((await owner.call("GET", `${people}?limit=0`, any)).status).toBe(400);
  expect((await student.call("GET", `/orgs/${owner.orgId}/audit-log`, any)).status).toBe(403);
  expect((await installation.call("GET", people, any)).status).toBe(401);
});

test("every GET with a credential has a tag, responds with 304 to it, and documents this; of others only files and what is public", async () => {
  const stage = await newStage();
  const { school, installation, document, routes } = stage;
  let counted = 0;
  try {
    const declared = operationsOf(document).filter(
      ([, { parameters = [], responses }]) =>
        parameters.some(({ name }) => name === "If-None-Match") && responses["304"]?.headers?.ETag !== undefined,
    );
    const example = { schema: { examples: [expect.stringMatching(/^"[0-9a-f]{16}"$/)] } };
    expect(document.components).toMatchObject({ headers: { ETag: example } });
    const reads = routes.filter(
      ({ name, method, security }) =>
        // A stream has no end, and so no tag.
        name !== "GET /orgs/{orgId}/changes" && security !== "open" && security !== "optional" && method === "GET",
    );
    const tagged = declared.map(([name]) => name).filter((name) => !/^GET \/(public|docs|openapi)\b/.test(name));
    expect(tagged.sort()).toEqual(reads.map(({ name }) => name).sort());
    expect(reads.length).toBeGreaterThan(150);
    for (const route of reads) {
      const { path, from, query, caller } = await prepare(route, school);
      const credential = async () =>
        typeof route.security === "object"
          ? { token: await school.apiKey(route.security.scope), org: school.orgId }
          : { token: caller ?? school.owner.token };
      const call = { ...(await credential()), ...(from !== undefined && { from }) };
      const address = query === undefined ? path : `${path}?${query}`;
      const first = await installation.call("GET", address, call);
      const isJson = first.headers.get("content-type")?.startsWith("application/json");
      if (first.status !== 200 || !isJson) continue;
      counted += 1;
      const etag = String(first.headers.get("etag"));
      const again = await installation.call("GET", address, { ...call, headers: { "if-none-match": etag } });
      // How many files are open changes by itself.
      const isSame = route.name !== "GET /installation" || again.headers.get("etag") === etag;
      expect([route.name, again.status]).toEqual([route.name, isSame ? 304 : 200]);
    }
    expect(counted).toBeGreaterThan(140);
    const replay = routes.find(({ name }) => name === "POST /api/v1/public/events/{eventId}/replay");
    if (!replay) throw new Error("There is no replay.");
    const call = { token: await school.apiKey("events:replay"), org: school.orgId, headers: { "if-none-match": "*" } };
    const { path } = await prepare(replay, school);
    const replayed = expectStatus(201, await installation.call("POST", path, call));
    expect([replayed.headers.get("etag"), replayed.headers.get("cache-control")]).toEqual([null, "no-store"]);
  } finally {
    await installation.close();
  }
});
