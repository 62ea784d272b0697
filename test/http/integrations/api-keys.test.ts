import { expect, test } from "bun:test";
import { hours, shift } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/crypto.ts";
import { isId, newId } from "../../../src/core/ids.ts";
import { scopeCatalog } from "../../../src/core/scopes.ts";
import { newApiKeyToken } from "../../../src/modules/integrations/api-keys/api-key-token.ts";
import { apiKeys } from "../../../src/modules/integrations/api-keys/api-keys.tables.ts";
import { authenticateApiKey } from "../../../src/modules/integrations/api-keys/authenticate-api-key.ts";
import type { Control } from "../../../src/storage/store.ts";
import { TestClock } from "../../support/clock.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";

const paths = (answer: { body: { issues: { path: string }[] } }) => answer.body.issues.map(({ path }) => path);
const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
const body = { name: "Accounting export", scopes: ["public.pilots:read"] };

const create = async ({ owner }: School, change: object = {}) =>
  expectStatus(201, await owner.post("/integrations/api-keys", { ...body, ...change })).body.data;

test("createApiKey shows the token once and stores only its hash", async () => {
  const school = await newSchool();
  const { owner, orgId, installation } = school;

  const { token, ...created } = await create(school);

  expect(created).toEqual({
    ...body,
    id: created.id,
    status: "active",
    allowed_networks: null,
    previous_token_expires_at: null,
    last_used_at: null,
    last_used_address: null,
    hint: token.slice(0, 11),
    created_by: owner.userId,
    created_by_name: "Olga Owner",
    created_at: "2026-06-14T09:00:00.000Z",
    expires_at: null,
    revoked_at: null,
  });
  expect(expectStatus(200, await owner.get(`/integrations/api-keys/${created.id}`)).body.data).toEqual(created);
  const list = expectStatus(200, await owner.get("/integrations/api-keys"));
  expect(list.body.data).toEqual([created]);
  const log = expectStatus(200, await owner.get(`/audit-log?subject_id=${created.id}`));
  expect(log.body.data).toMatchObject([{ action: "api_key.created", before: null, after: created }]);
  for (const { text } of [list, log]) expect(text).not.toContain(token);

  if (!isId<"organization">(orgId)) throw new Error();
  const rows = await installation.storage.tenants.tenant(orgId).read((reader) => reader.select().from(apiKeys));
  expect(rows[0]?.token_hash).toBe(sha256(token));
  expect(JSON.stringify(rows)).not.toContain(token);
});

test("createApiKey rejects an invalid field and names it", async () => {
  const { owner } = await newSchool();
  const faults: [path: string, change: object][] = [
    ["body.name", { name: "" }],
    ["body.scopes", { scopes: [] }],
    ["body.scopes", { scopes: ["public.pilots:read", "public.pilots:read"] }],
    ["body.scopes.0", { scopes: ["public.pilots:write"] }],
    ["body.expires_at", { expires_at: "2026-06-14T09:00:00Z" }],
    ["body.expires_at", { expires_at: "tomorrow" }],
    ["body.allowed_networks", { allowed_networks: [] }],
    ["body.allowed_networks", { allowed_networks: Array.from({ length: 21 }, (_, at) => `10.0.${at}.0/24`) }],
    ["body.allowed_networks.0", { allowed_networks: ["192.0.2.1"] }],
    ["body.allowed_networks.0", { allowed_networks: ["10.1/16"] }],
    ["body.allowed_networks.0", { allowed_networks: ["10.0.0.1/8"] }],
    ["body.allowed_networks.0", { allowed_networks: ["2001:db8::1/32"] }],
    ["body.allowed_networks.0", { allowed_networks: ["::ffff:192.0.2.0/120"] }],
    ["body.allowed_networks.1", { allowed_networks: ["2001:db8::/32", "192.0.2.0/33"] }],
    ["body.token", { token: "svc_pk_mine" }],
  ];
  for (const [path, change] of faults)
    expect(paths(expectStatus(400, await owner.post("/integrations/api-keys", { ...body, ...change })))).toEqual([
      path,
    ]);
  expect((await owner.get("/integrations/api-keys")).body.data).toEqual([]);
});

test("an organization has at most 100 valid keys", async () => {
  const { owner, installation } = await newOwnSchool();
  const create = (more: object = {}) => owner.post("/integrations/api-keys", { ...body, ...more });
  const soon = new Date(installation.clock.now().getTime() + 60_000).toISOString();
  expectStatus(201, await create({ expires_at: soon }));
  const { id } = expectStatus(201, await create()).body.data;
  for (let count = 2; count < 100; count += 1) expectStatus(201, await create());
  expectStatus(409, await create());
  expectStatus(200, await owner.delete(`/integrations/api-keys/${id}`));
  expectStatus(201, await create());
  expectStatus(409, await create());
  installation.clock.advance(60_000);
  expectStatus(201, await create());
});

test("the catalog has read scopes and the replay action, and a key can have all of them", async () => {
  const school = await newSchool();
  const scopes = scopeCatalog.map(({ name }) => name);

  expect(scopes.filter((scope) => !/^public\.[a-z_]+:read$/.test(scope))).toEqual(["events:replay"]);
  expect((await create(school, { scopes })).scopes).toEqual(scopes);
});

test("an API key works until it is revoked", async () => {
  const school = await newSchool();
  const { owner } = school;
  const { id, token } = await create(school);
  expectStatus(200, await school.publicGet("/pilots", token));

  const revoked = expectStatus(200, await owner.delete(`/integrations/api-keys/${id}`)).body.data;

  expect(revoked.revoked_at).toBe("2026-06-14T09:00:00.000Z");
  expectStatus(401, await school.publicGet("/pilots", token));
  const again = expectStatus(409, await owner.delete(`/integrations/api-keys/${id}`));
  expect(again.body.error.message).toContain("revoked");
  expect((await owner.get(`/audit-log?subject_id=${id}`)).body.data).toMatchObject([
    { action: "api_key.revoked", before: { revoked_at: null }, after: revoked },
    { action: "api_key.created" },
  ]);
});

test("an API key works until it expires", async () => {
  const school = await newOwnSchool();
  const { clock } = school.installation;
  const { id, token } = await create(school, { expires_at: shift(clock.now(), 1000) });

  clock.advance(999);
  expectStatus(200, await school.publicGet("/pilots", token));
  clock.advance(1);
  expectStatus(401, await school.publicGet("/pilots", token));
  const answer = expectStatus(409, await school.owner.delete(`/integrations/api-keys/${id}`));
  expect(answer.body.error.message).toContain("expired");
});

test("X-Org-Id may be in upper case (RFC 9562, 4)", async () => {
  const school = await newSchool();
  const token = await school.apiKey("public.flights:read");
  const org = school.orgId.toUpperCase();
  const answer = await school.installation.call("GET", "/api/v1/public/flights", { token, org });
  expect(expectStatus(200, answer).body).toEqual((await school.publicGet("/flights", token)).body);
});

test("unknown and mistyped keys, keys of another organization and unknown organizations get the same 401", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const other = await newSchool(installation);
  const { token } = await create(school);
  const mistyped = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");

  const answers = await Promise.all([
    school.publicGet("/pilots", newApiKeyToken()),
    school.publicGet("/pilots", mistyped),
    other.publicGet("/pilots", token),
    installation.call("GET", "/api/v1/public/pilots", { token, org: nobody }),
    installation.call("GET", "/api/v1/public/pilots", { token, org: "my-school" }),
    installation.call("GET", "/api/v1/public/pilots", { org: school.orgId }),
  ]);

  const bodies = answers.map((answer) => {
    const { request_id, ...error } = expectStatus(401, answer).body.error;
    expect(request_id).not.toBe("");
    return JSON.stringify(error);
  });
  expect(new Set(bodies).size).toBe(1);
  // An unknown organization must not log errors: the server tries to open no database.
  expect(installation.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test("a mistyped key is rejected without a lookup", async () => {
  const lookUp = () => {
    throw new Error("looked up");
  };
  const control: Control = { read: lookUp, write: lookUp, changes: 0 };
  const clock = new TestClock();
  const authenticate = authenticateApiKey({ clock, control, tenant: lookUp, uses: { note: lookUp } });
  const from = { address: "192.0.2.1" };
  const token = newApiKeyToken();
  const mistyped = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");

  expect(await authenticate(mistyped, newId(clock), from)).toBeUndefined();
  await expect(authenticate(token, newId(clock), from)).rejects.toThrow("looked up");
});

test("listApiKeys sorts newest first and returns pages", async () => {
  const school = await newOwnSchool();
  const names = ["first", "second", "third"];
  for (const name of names) {
    await create(school, { name });
    school.installation.clock.advance(1);
  }

  const { data, page } = expectStatus(
    200,
    await school.owner.get("/integrations/api-keys?limit=2&with_total=true"),
  ).body;

  expect(data.map(({ name }: { name: string }) => name)).toEqual(["third", "second"]);
  expect(page).toEqual({ limit: 2, offset: 0, has_more: true, next_cursor: expect.any(String), total: 3 });
});

test("API keys require integrations:manage in their organization", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const stranger = (await newSchool(installation)).owner;
  const { id } = await create(school);

  for (const [method, path] of [
    ["GET", ""],
    ["POST", ""],
    ["GET", `/${id}`],
    ["POST", `/${id}/rotate`],
    ["DELETE", `/${id}`],
  ] as const) {
    const url = `/orgs/${school.orgId}/integrations/api-keys${path}`;
    const call = method === "POST" && path === "" ? { body } : {};
    expectStatus(401, await installation.call(method, url, call));
    expectStatus(403, await school.instructor.call(method, url, call));
    expectStatus(404, await stranger.call(method, url, call));
  }
  for (const method of ["GET", "DELETE"] as const)
    expectStatus(404, await school.owner.call(method, `/orgs/${school.orgId}/integrations/api-keys/${nobody}`));
  installation.clock.advance(hours(1));
  expectStatus(401, await school.owner.get("/integrations/api-keys"));
});
