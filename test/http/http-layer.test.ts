import { beforeEach, describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { docs } from "../../src/http/docs.ts";
import { openApiDocument } from "../../src/http/openapi.ts";
import { securityOf } from "../../src/http/route-security.ts";
import { documentCheck } from "../support/document-check.ts";
import { GLIDER_SCOPE, KEY, KEY_WITHOUT_SCOPE, movableClock, TOKEN, toyApp } from "./http-toy-app.ts";

const SOME_ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const bearer = { authorization: `Bearer ${TOKEN}` };
const json = { "content-type": "application/json" };

let clock = movableClock();
let school = toyApp({ clock });
const checks = new WeakMap<object, ReturnType<typeof documentCheck>>();
function checkOf({ app }: typeof school) {
  const check = checks.get(app) ?? documentCheck(openApiDocument(app.routes));
  checks.set(app, check);
  return check;
}
beforeEach(() => {
  clock = movableClock();
  school = toyApp({ clock });
});

/** Sends a request, and checks the response against the document unless the route is hidden. */
async function send(
  method: string,
  path: string,
  { body, headers = {} }: { body?: BodyInit; headers?: HeadersInit } = {},
) {
  const url = `http://localhost${path}`;
  const response = await school.app.handle(new Request(url, { method, headers, ...(body !== undefined && { body }) }));
  if (!path.startsWith("/broken")) await checkOf(school)(method, url, response);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

const gliders = () => `/orgs/${school.orgId}/gliders`;
const add = (body: BodyInit, headers: HeadersInit = { ...bearer, ...json }) =>
  send("POST", gliders(), { body, headers });
const validGlider = { name: "Ka 8", owner: "ada@example.com" };
/** Log lines are written after the response: one turn of the event loop later. */
const logged = () =>
  new Promise<Record<string, unknown>[]>((resolve) =>
    setImmediate(() => setImmediate(() => resolve(school.toy.logLines))),
  );

describe("session", () => {
  test("gives the handler a typed context of the member and the organization", async () => {
    const answer = await send("GET", `${gliders()}/${SOME_ID}`, { headers: bearer });
    expect(answer.status).toBe(200);
    expect(school.toy.handled).toEqual([
      { actor: school.user.userId, orgId: school.orgId, requestId: answer.headers.get("x-request-id") ?? "" },
    ]);
  });

  test.each([
    ["no credential", {}],
    ["a bad token", { authorization: "Bearer bad" }],
    ["another scheme", { authorization: `Basic ${TOKEN}` }],
  ])("responds with 401 and the scheme to %s, before it reads body or organization", async (_, headers) => {
    for (const path of [gliders(), `/orgs/${SOME_ID}/gliders`, "/orgs/nonsense/gliders"]) {
      const answer = await send("POST", path, { body: "{", headers: { ...headers, ...json } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      expect(answer.json()).toEqual({
        error: {
          code: "UNAUTHORIZED",
          message: "Missing or invalid credentials.",
          request_id: answer.headers.get("x-request-id"),
        },
      });
    }
  });

  test.each(["nonsense", SOME_ID, "%ZZ"])(
    "answers 404 for the organization %s, before it looks at the body",
    async (orgId) => {
      const answer = await send("POST", `/orgs/${orgId}/gliders`, { body: "{", headers: { ...bearer, ...json } });
      expect([answer.status, answer.json().error.code]).toEqual([404, "NOT_FOUND"]);
    },
  );

  test("does not query the database for an organization id with an invalid format", async () => {
    await send("GET", `/orgs/nonsense/gliders/${SOME_ID}`, { headers: bearer });
    expect(school.toy.membershipChecks).toEqual([]);
  });

  test("authenticates before the body is read, and again after it if the session may have ended meanwhile", async () => {
    const { toy } = school;
    await add(JSON.stringify(validGlider));
    expect(toy.sessionChecks).toEqual([TOKEN]);
    toy.isWritten = true;
    await add(JSON.stringify(validGlider));
    expect(toy.sessionChecks).toEqual([TOKEN, TOKEN, TOKEN]);
    await send("GET", `${gliders()}/${SOME_ID}`, { headers: bearer });
    expect(toy.sessionChecks).toEqual([TOKEN, TOKEN, TOKEN, TOKEN]);
  });
});

test("signedIn requires a session; maybeSignedIn accepts no token or a valid one", async () => {
  expect((await send("GET", "/me")).status).toBe(401);
  expect((await send("GET", "/me", { headers: bearer })).json()).toEqual({ data: { user_id: school.user.userId } });
  expect((await send("POST", "/claim")).json().data.kind).toBe("anonymous");
  expect((await send("POST", "/claim", { headers: bearer })).json().data.kind).toBe("user");
  expect((await send("POST", "/claim", { headers: { authorization: "Bearer bad" } })).status).toBe(401);
});

describe("apiKey", () => {
  const list = (headers: HeadersInit, query = "") => send("GET", `/api/v1/public/gliders${query}`, { headers });
  const key = () => ({ authorization: `Bearer ${KEY}`, "x-org-id": school.orgId });

  test("responds with the same 401 for every invalid credential", async () => {
    const { authorization, "x-org-id": org } = key();
    const bad: HeadersInit[] = [
      {},
      { "x-org-id": org },
      { authorization: "Bearer svc_pk_unknown", "x-org-id": org },
      { authorization, "x-org-id": "nonsense" },
      { authorization, "x-org-id": SOME_ID },
      { authorization: `Bearer ${TOKEN}`, "x-org-id": org },
    ];
    for (const headers of bad) {
      const answer = await list(headers);
      const { error } = answer.json();
      expect([answer.status, error.code, error.message]).toEqual([
        401,
        "UNAUTHORIZED",
        "Missing or invalid credentials.",
      ]);
      expect(answer.headers.has("ratelimit")).toBe(false);
    }
  });

  test("names X-Org-Id if only that is missing, whether or not the key is valid", async () => {
    for (const authorization of [key().authorization, "Bearer svc_pk_unknown"])
      for (const headers of [{ authorization }, { authorization, "x-org-id": "" }]) {
        const answer = await list(headers);
        expect([answer.status, answer.json().error.message]).toEqual([
          401,
          "The header X-Org-Id is missing. Send the id of the API key's organization in it.",
        ]);
      }
  });

  test("passes JSON text through, although a response schema is declared", async () => {
    const answer = await list(key(), "?limit=3");
    expect(answer.json().page).toEqual({ limit: 3, offset: 0, has_more: false, next_cursor: null });
    expect(answer.headers.get("content-type")).toStartWith("application/json");
  });

  test("has the limit on 200, 400, 403 and 429, and counts each request once", async () => {
    const poor = { ...key(), authorization: `Bearer ${KEY_WITHOUT_SCOPE}` };
    const answers = [await list(key()), await list(key(), "?limit=0"), await list(poor)];
    expect(answers.map(({ status, headers }) => [status, headers.get("ratelimit")])).toEqual([
      [200, '"api-key";r=599;t=1'],
      [400, '"api-key";r=598;t=1'],
      [403, '"api-key";r=597;t=1'],
    ]);
    expect(answers[0]?.headers.get("ratelimit-policy")).toBe('"api-key";q=600;w=60');
    expect(answers[2]?.json().error.code).toBe("FORBIDDEN");
  });

  test("rejects a request over the rate with Retry-After, until that time has passed", async () => {
    school = toyApp({ clock, apiKeyRate: 2 });
    await list(key());
    await list(key());
    const refused = await list(key());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(refused.headers.get("ratelimit")).toBe('"api-key";r=0;t=30');
    clock.advance(30_000);
    expect((await list(key())).status).toBe(200);
  });

  test.each([
    ["limit=0", "query.limit"],
    ["limit=501", "query.limit"],
    ["limit=1.5", "query.limit"],
    ["limit=", "query.limit"],
    ["limit=1&limit=2", "query.limit"],
    ["limit=1,2", "query.limit"],
    ["limit=[1]", "query.limit"],
    ["offset=-1", "query.offset"],
    ["status=sold", "query.status"],
    ["from=2025-02-30T00:00:00Z", "query.from"],
    ["from=2025-02-28", "query.from"],
    ["from=2025-03-01T00:00:00Z&to=2025-02-01T00:00:00Z", "query.to"],
  ])("rejects %s", async (query, path) => {
    const answer = await list(key(), `?${query}`);
    expect([answer.status, answer.json().issues.map((issue: { path: string }) => issue.path)]).toEqual([400, [path]]);
  });

  test("accepts an offset with an unencoded plus", async () => {
    expect((await list(key(), "?from=2025-01-01T00:00:00+02:00")).status).toBe(200);
  });
});

describe("a body", () => {
  test("is parsed, trimmed and converted to UTC before the handler receives it", async () => {
    const answer = await add('{"name":" Ka 8 ","owner":" Ada@Example.COM","built_at":"1960-02-01T01:30:00+02:00"}');
    expect(answer.status).toBe(201);
    expect(school.toy.handled).toEqual([
      { name: "Ka 8", owner: "ada@example.com", built_at: "1960-01-31T23:30:00.000Z" },
    ]);
  });

  test("with several faults gets all of them, with paths and without values", async () => {
    const answer = await add(
      '{"name":7,"owner":"s3cret-value","zz":1,"yy":2,"crew":[{"person_id":"p"}],"__proto__":{"a":1}}',
    );
    expect([answer.status, answer.json().error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(
      answer
        .json()
        .issues.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)
        .sort(),
    ).toEqual([
      "body.__proto__ no_such_field",
      "body.crew.0.person_id invalid_format",
      "body.name invalid_type",
      "body.owner invalid_format",
      "body.yy no_such_field",
      "body.zz no_such_field",
    ]);
    expect(answer.text).not.toContain("s3cret-value");
    expect(school.toy.handled).toEqual([]);
  });

  test("with hundreds of invalid entries gets a short response", async () => {
    const answer = await add(JSON.stringify({ ...validGlider, crew: Array(200).fill({ person_id: 1 }) }));
    expect(answer.json().issues).toHaveLength(100);
  });

  test("with hundreds of unknown, overlong fields gets a short response", async () => {
    const fields = Array.from({ length: 400 }, (_, at) => [`${at}${"x".repeat(150)}`, 1]);
    const answer = await add(JSON.stringify({ ...validGlider, ...Object.fromEntries(fields) }));
    expect(answer.json().issues).toHaveLength(100);
    expect(Math.max(...answer.json().issues.map((issue: { path: string }) => issue.path.length))).toBe(
      "body.".length + 100,
    );
  });

  test.each([
    ["cut off", '{"name":'],
    ["of text", "hello"],
    ["nested 60,000 deep", "[".repeat(60_000)],
    ["nested deeper than anything here", `${'{"a":'.repeat(70)}1${"}".repeat(70)}`],
    ["of invalid UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])("%s is a 400 with its message", async (_, body) => {
    const answer = await add(body);
    expect(answer.json().error).toMatchObject({ code: "BAD_REQUEST", message: "The body is not valid JSON." });
    expect([answer.status, answer.json().issues]).toEqual([400, undefined]);
  });

  test.each([undefined, ""])("that is missing is an issue at `body`", async (body) => {
    const answer = await send("POST", gliders(), { ...(body !== undefined && { body }), headers: bearer });
    expect([answer.status, answer.json().issues[0].path]).toEqual([400, "body"]);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json-patch+json"])(
    "of type %s is a 415, so that no form can post it",
    async (type) => {
      const answer = await add(JSON.stringify(validGlider), { ...bearer, "content-type": type });
      expect([answer.status, answer.json().error.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
      expect(school.toy.handled).toEqual([]);
    },
  );

  test("may declare its charset", async () => {
    const type = "Application/JSON; charset=utf-8";
    expect((await add(JSON.stringify(validGlider), { ...bearer, "content-type": type })).status).toBe(201);
  });

  test("over 64 KiB is a 413, by its declared and by its actual length", async () => {
    const big = JSON.stringify({ ...validGlider, name: "x".repeat(64 * 1024) });
    const chunked = () => new Blob([big]).stream();
    for (const [body, headers] of [
      [big, { "content-length": String(big.length) }],
      [chunked(), {}],
    ] as const) {
      const answer = await add(body, { ...bearer, ...json, ...headers });
      expect([answer.status, answer.json().error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    }
  });

  test("over 64 KiB that declares less is a 413", async () => {
    const big = JSON.stringify({ ...validGlider, name: "x".repeat(64 * 1024) });
    expect((await add(big, { ...bearer, ...json, "content-length": "10" })).status).toBe(413);
  });

  test("in chunks is read completely", async () => {
    expect((await add(new Blob([JSON.stringify(validGlider)]).stream())).status).toBe(201);
  });

  test("on a route without a body is not read, but its declared length is checked", async () => {
    const launch = (headers: HeadersInit) =>
      send("POST", `${gliders()}/${SOME_ID}/launch`, { body: "{", headers: { ...bearer, ...headers } });
    expect((await launch({ "content-type": "text/plain" })).status).toBe(200);
    expect(school.toy.handled).toEqual([{ launched: undefined }]);
    expect((await launch({ "content-length": "2000000" })).status).toBe(413);
  });
});

describe("errors", () => {
  test("an id with an invalid format in a path is a 404", async () => {
    expect((await send("GET", `${gliders()}/KA8`, { headers: bearer })).status).toBe(404);
    expect(school.toy.handled).toEqual([]);
  });

  test("an unknown path is a 404, and a known path with another method a 405 with its methods", async () => {
    expect((await send("GET", "/nowhere")).json().error.code).toBe("NOT_FOUND");
    const answer = await send("PUT", `${gliders()}/${SOME_ID}`);
    expect([answer.status, answer.json().error.code, answer.headers.get("allow")]).toEqual([
      405,
      "METHOD_NOT_ALLOWED",
      "GET, HEAD",
    ]);
  });

  test("a problem keeps its status, message and Retry-After in whole seconds", async () => {
    expect((await send("GET", "/broken/conflict")).json().error).toMatchObject({
      code: "CONFLICT",
      message: "The glider is airborne.",
    });
    const busy = await send("GET", "/broken/busy");
    expect([busy.status, busy.headers.get("retry-after")]).toEqual([429, "2"]);
    expect((await send("GET", "/broken/unavailable")).status).toBe(503);
  });

  test.each(["error", "response", "drizzle"])(
    "an unforeseen %s is an opaque 500, and no value of it reaches the log",
    async (how) => {
      const answer = await send("GET", `/broken/${how}`);
      expect([answer.status, answer.json().error.code]).toEqual([500, "SERVER_ERROR"]);
      expect(answer.text).not.toContain("secret");
      const [line] = await logged();
      expect(line).toMatchObject({ level: "error", request_id: answer.headers.get("x-request-id") });
      expect(JSON.stringify(line)).not.toMatch(/secret-(payload|parameter)/);
    },
  );

  test("the log of an error has its causes and its stack", async () => {
    await send("GET", "/broken/drizzle");
    const [line] = await logged();
    expect(line?.error).toMatchObject([{ name: "DrizzleQueryError" }, { name: "Error", message: "SQLITE_BUSY" }]);
    expect(JSON.stringify(line)).toContain("breakDown");
  });

  test("the log of an invalid response has the path of the fault", async () => {
    await send("GET", "/broken/response");
    expect((await logged())[0]?.error).toMatchObject([
      { name: "ValidationError", issues: ["response.data.fine: invalid_type"] },
    ]);
  });
});

test("every response has a request id of the server, and forbids sniffing, caching and framing", async () => {
  for (const path of ["/health", "/me", "/nowhere"]) {
    const { headers } = await send("GET", path, { headers: { "x-request-id": "theirs" } });
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.has("strict-transport-security")).toBe(false);
  }
  school = toyApp({ clock, publicUrl: "https://ops.example.com" });
  expect((await send("GET", "/health")).headers.get("strict-transport-security")).toBe("max-age=31536000");
});

test("a host name of three letters is served", async () => {
  const answer = await school.app.handle(new Request("http://ops/health"));
  expect(answer.status).toBe(200);
});

test("text is sent as text, and HEAD has the headers of GET without the body", async () => {
  const answer = await send("GET", "/health");
  expect([answer.text, answer.headers.get("content-type")]).toEqual(["ok", "text/plain;charset=utf-8"]);
  expect([(await send("HEAD", "/health")).status, (await send("HEAD", "/health")).text]).toEqual([200, ""]);
});

describe("the request log", () => {
  test("has the route's template, the caller's id and the organization, and no path, token or e-mail address", async () => {
    const { headers } = await send("GET", `${gliders()}/${SOME_ID}`, {
      headers: { ...bearer, "x-request-id": "theirs-1" },
    });
    const [line] = await logged();
    expect(line).toEqual({
      level: "info",
      time: expect.any(String),
      msg: "request",
      request_id: headers.get("x-request-id"),
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      client_request_id: "theirs-1",
      method: "GET",
      route: "/orgs/:orgId/gliders/:gliderId",
      status: 200,
      duration_ms: expect.any(Number),
      client: "unknown",
      organization_id: school.orgId,
      user_id: school.user.userId,
    });
  });

  test.each([
    ["GET", "/nowhere?x=1", 404, "(none)"],
    ["PUT", "/health", 405, "(none)"],
    ["GET", "/me", 401, "/me"],
    ["GET", "/broken/nothing", 404, "/broken/:how"],
    ["GET", "/health", 200, "/health"],
  ])("of %s %s has %i and %s", async (method, path, status, route) => {
    await send(method, path, { headers: { "x-request-id": "not { trusted" } });
    const [line] = await logged();
    expect(line).toMatchObject({ status, route });
    expect(line).not.toHaveProperty("client_request_id");
  });
});

test("handlers get the client's address, from a trusted proxy only", async () => {
  const echo = async (trustedProxies: string[]) => {
    school = toyApp({ clock, trustedProxies, addressOf: () => "10.0.0.9" });
    const headers = { ...json, "x-forwarded-for": "203.0.113.7" };
    return (await send("POST", "/echo", { body: '{"password":"12345678"}', headers })).json().data.address;
  };
  expect(await echo([])).toBe("10.0.0.9");
  expect(await echo(["10.0.0.0/8"])).toBe("203.0.113.7");
});

describe("securityOf", () => {
  test("reads each route's security from the hook that enforces it", () => {
    const securities = school.app.routes.map((route) => [`${route.method} ${route.path}`, securityOf(route)]);
    expect(Object.fromEntries(securities)).toMatchObject({
      "GET /health": "open",
      "POST /claim": "optional",
      "GET /me": "user",
      "POST /orgs/:orgId/gliders/": "organization",
      "GET /api/v1/public/gliders": { scope: GLIDER_SCOPE },
    });
  });

  test("throws for a route without a gate, which would be open by accident", () => {
    const [route] = new Elysia().get("/oops", () => "open").routes;
    expect(route).toBeDefined();
    expect(() => route && securityOf(route)).toThrow("GET /oops has no gate");
  });
});

test("docs are a plugin like other routes", () => {
  expect(() => school.app.use(docs(school.http))).not.toThrow();
});
