/** What a request's input may cost, and what the log has of it. `bad-input` has the faults themselves. */
import { afterEach, expect, spyOn, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { Elysia } from "elysia";
import { z } from "zod";
import { withLimits } from "../../src/http/body-limits.ts";
import { throwInvalidInput } from "../../src/http/input.ts";
import { responses, textResponse } from "../../src/http/responses.ts";
import { newInstallation } from "../support/installation.ts";
import { expectStatus, newOwnSchool, newSchool, times } from "../support/school.ts";
import { movableClock, toyApp } from "./http-toy-app.ts";
import { webhookUrl } from "./integrations/scenery.ts";

const KIBIBYTE = 1024;

/** Spies of this file, removed after each test. */
const spies: { mockRestore(): void }[] = [];
afterEach(() => {
  for (const spy of spies.splice(0)) spy.mockRestore();
});

/** A toy with a route whose schema counts how often a value is validated. */
function countingApp() {
  const { app, http } = toyApp({ clock: movableClock() });
  const counts = { validations: 0 };
  const item = z.unknown().refine(() => {
    counts.validations += 1;
    return false;
  });
  const Counted = z.strictObject({ items: z.array(item) });
  const detail = { summary: "Count", description: "Counts validations." };
  const response = responses({ 200: textResponse("text/plain") }, 400);
  app.use(
    new Elysia({ name: "counting" })
      .use(http.open)
      .post("/usual", () => "", { body: Counted, response, detail })
      .post("/more", () => "", {
        body: withLimits({ bytes: 256 * KIBIBYTE, entries: 2000 }, Counted.clone()),
        response,
        detail,
      }),
  );
  throwInvalidInput(app.routes);
  const post = async (path: string, body: BodyInit) => {
    const headers = { "content-type": "application/json" };
    const answer = await app.handle(new Request(`http://localhost${path}`, { method: "POST", headers, body }));
    return { status: answer.status, body: await answer.json() };
  };
  return { post, counts };
}

const items = (count: number) => `{"items":[${Array(count).fill(0)}]}`;

test("an invalid body is validated once, and all its faults are listed", async () => {
  const { post, counts } = countingApp();
  const { status, body } = await post("/usual", items(50));
  expect([status, body.issues.length, counts.validations]).toEqual([400, 50, 50]);
});

test("a missing field has the same code everywhere, whatever its schema is", async () => {
  const { owner } = await newSchool();
  const codes = async (path: string, body: unknown) =>
    expectStatus(400, await owner.post(path, body)).body.issues.map(
      ({ path, code }: { path: string; code: string }) => `${path} ${code}`,
    );
  expect(await codes("/aircraft", { model: 7 })).toEqual([
    ...["body.registration required", "body.model invalid_type", "body.class required"],
  ]);
  expect(await codes("/flights", { aircraft_id: owner.userId, crew: [{}] })).toEqual([
    ...["body.crew.0.person_id required", "body.crew.0.function required"],
  ]);
  expect(expectStatus(400, await owner.get("/clearance")).body.issues).toMatchObject([
    { path: "query.aircraft_id", code: "required" },
    { path: "query.person_id", code: "required" },
    { path: "query.function", code: "required" },
  ]);
});

test("the worst bodies of 64 KiB are refused before they are parsed", async () => {
  const { post, counts } = countingApp();
  const parse = spyOn(JSON, "parse");
  spies.push(parse);
  const fill = (start: string, item: (at: number) => string) => {
    let text = start;
    for (let at = 0; text.length < 63 * KIBIBYTE; at += 1) text += (at > 0 ? "," : "") + item(at);
    return text;
  };
  const worst = [
    `${fill("{", (at) => `"k${at}":1`)}}`,
    `${fill("{", () => '"k":1')}}`,
    `${fill('{"items":[', () => "{}")}]}`,
    `${fill('{"items":[', () => "0")}]}`,
    fill("[", () => "1"),
  ];
  for (const body of worst) {
    expect(await post("/usual", body)).toMatchObject({
      status: 413,
      body: { error: { code: "PAYLOAD_TOO_LARGE", message: "The body has more than 500 fields and list items." } },
    });
  }
  const nested = "[".repeat(63 * KIBIBYTE);
  expect((await post("/usual", nested)).status).toBe(400);
  // It is called for the answers and for lines of the log.
  const parsed = parse.mock.calls.filter(([text]) => [...worst, nested].includes(text));
  expect([parsed.length, counts.validations]).toEqual([0, 0]);
});

test("a route may allow larger bodies, which have limits as well", async () => {
  const { post } = countingApp();
  const large = (kibibytes: number) => JSON.stringify({ items: ["x".repeat(kibibytes * KIBIBYTE)] });
  expect((await post("/usual", large(65))).body.error.message).toBe("The body is larger than 64 KiB.");
  expect((await post("/more", large(65))).body.error.code).toBe("VALIDATION_ERROR");
  expect((await post("/more", large(256))).body.error.message).toBe("The body is larger than 256 KiB.");
  expect((await post("/usual", items(501))).status).toBe(413);
  expect((await post("/more", items(501))).status).toBe(400);
  expect((await post("/more", items(2001))).body.error.message).toBe(
    "The body has more than 2000 fields and list items.",
  );
});

test("a compressed body is refused by name", async () => {
  const { owner } = await newSchool();
  const body = gzipSync(JSON.stringify({ registration: "D-EXYZ" }));
  const path = `/orgs/${owner.orgId}/aircraft`;
  const answer = await owner.call("POST", path, { body, headers: { "content-encoding": "gzip" } });
  expect([answer.status, answer.body.error.message]).toEqual([
    415,
    "Compressed bodies are not read. Send the body without `Content-Encoding`.",
  ]);
  const plain = await owner.call("POST", path, { body: {}, headers: { "content-encoding": "identity" } });
  expect(plain.body.error.code).toBe("VALIDATION_ERROR");
});

test.each([
  ["/auth/login", 100],
  ["/auth/signup", 10],
  ["/auth/signup-org", 10],
  ["/auth/password/forgot", 10],
])("%s counts invalid requests of an address too, and refuses them over its limit of %i", async (path, limit) => {
  const { call } = await newInstallation();
  const send = (from: string) => call("POST", path, { body: { no_such_field: 1 }, from });
  for (const answer of await Promise.all(times(limit, () => send("192.0.2.1")))) expect(answer.status).toBe(400);
  expect((await send("192.0.2.1")).status).toBe(429);
  expect((await send("192.0.2.2")).status).toBe(400);
});

test("limits of an organization or an account are checked before the body", async () => {
  const { owner } = await newSchool();
  const created = await owner.post("/integrations/webhook-endpoints", {
    url: webhookUrl,
    event_types: ["webhook.test"],
  });
  const { id } = expectStatus(201, created).body.data;
  for (const [path, limit] of [
    [`/orgs/${owner.orgId}/integrations/webhook-endpoints/${id}/ping`, 60],
    [`/orgs/${owner.orgId}/integrations/replays`, 60],
    ["/auth/password", 10],
  ] as const) {
    const send = () => owner.call("POST", path, { body: { no_such_field: 1 } });
    for (const answer of await Promise.all(times(limit, send))) expect(answer.status).toBe(400);
    expect((await send()).status).toBe(429);
  }
});

test("the log counts the names that a client made up, and does not repeat them", async () => {
  const { installation, owner } = await newOwnSchool();
  const secret = "svc_pk_0123456789";
  await owner.post("/people", { [secret]: 1, [`${secret}x`]: 2, name: 7 });
  await owner.post("/flights", { crew: [{ [secret]: 1 }, { [secret]: 1 }] });
  await owner.post("/integrations/webhook-endpoints", { headers: { [secret]: 1, [`${secret} `]: "x", "X-Ok": "***" } });
  await owner.post("/integrations/webhook-endpoints", {
    url: webhookUrl,
    event_types: ["webhook.test"],
    headers: { [secret]: "***" },
  });
  await owner.get(`/flights?${secret}=1&limit=x`);
  await owner.get(`?${secret}=1`);
  // A line is written one turn of the event loop after the response.
  await new Promise(setImmediate);

  const lines = installation.logged.map((line) => JSON.parse(line)).filter(({ issues }) => issues !== undefined);
  expect(installation.logged.filter((line) => line.includes(secret))).toEqual([]);
  expect(lines.map(({ issues }) => issues)).toEqual([
    ["body.name: invalid_type", "body.types: required", "body: no_such_field (2)"],
    [
      "body.aircraft_id: required",
      "body.crew.0.person_id: required",
      "body.crew.0.function: required",
      "body.crew.0: no_such_field",
      "body.crew.1.person_id: required",
      "body.crew.1.function: required",
      "body.crew.1: no_such_field",
    ],
    ["body.url: required", "body.event_types: required", "body.headers: invalid_type", "body.headers: invalid"],
    ["body.headers: unknown"],
    ["query.limit: invalid_format", "query: no_such_field"],
    ["query: no_such_field"],
  ]);
});

test("`__proto__` among an endpoint's headers is a fault like others, and the stored headers stay", async () => {
  const { owner } = await newSchool();
  const url = "/integrations/webhook-endpoints";
  const stored = { url: webhookUrl, event_types: ["webhook.test"], headers: { "X-Receiver-Token": "s3cret" } };
  const { id } = expectStatus(201, await owner.post(url, stored)).body.data;
  const path = `/orgs/${owner.orgId}${url}/${id}`;
  const patch = (body: string) => owner.call("PATCH", path, { body });

  const alone = await patch('{"headers":{"__proto__":"x"}}');
  expect([alone.status, pathsOf(alone.body)]).toEqual([400, ["body.headers.__proto__"]]);
  const among = await patch('{"headers":{"__proto__":"x","bad name":"x","X-A":1},"enabled":7,"zz":1,"__proto__":{}}');
  expect([among.status, pathsOf(among.body)]).toEqual([
    400,
    [
      "body.__proto__",
      "body.enabled",
      "body.headers.X-A",
      "body.headers.__proto__",
      "body.headers.bad name",
      "body.zz",
    ],
  ]);
  expect((await owner.get(`${url}/${id}`)).body.data.headers).toEqual({ "X-Receiver-Token": "***" });
});

const pathsOf = (body: { issues: { path: string }[] }) => body.issues.map(({ path }) => path).sort();

test.each([
  ["/flights?statsu=approved", "There is no such parameter. Did you mean `status`?"],
  ["/flights?Limit=5", "There is no such parameter. Did you mean `limit`?"],
  [
    "/members?page_size=5",
    "There is no such parameter. There are: `limit`, `cursor`, `offset`, `with_total`, `order`.",
  ],
  ["?fields=name", "This route has no query parameters."],
  ["/flights?limit=5&limit=6", "Must be given only once."],
  ["/flights?status=approved&status=draft", "Must be given only once."],
  ["/flights?offset=1000000000", "Must be at most 999999999."],
  [`/flights?offset=${"9".repeat(400)}`, "Must be at most 999999999."],
  ["/flights?limit=12345678901", "Must be at most 500."],
  ["/flights?offset=-12345678901", "Must be at least 0."],
])("GET %s says: %s", async (path, message) => {
  const { owner } = await newSchool();
  const answer = await owner.get(path);
  expect([answer.status, answer.body.issues.map((issue: { message: string }) => issue.message)]).toEqual([
    400,
    [message],
  ]);
});

test("a HEAD with a query is treated as the GET", async () => {
  const { owner, installation } = await newSchool();
  const head = async (path: string) => {
    const url = `http://localhost/orgs/${owner.orgId}${path}`;
    const headers = { authorization: `Bearer ${owner.token}` };
    return (await installation.app.handle(new Request(url, { method: "HEAD", headers }))).status;
  };
  expect([await head("/flights?limit=5"), await head("?limit=5")]).toEqual([200, 400]);
});
