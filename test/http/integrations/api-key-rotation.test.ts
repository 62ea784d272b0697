/** Rotation, networks and last use of API keys, and the list of scopes. */
import { expect, test } from "bun:test";
import { isId } from "../../../src/core/ids.ts";
import { scopeCatalog } from "../../../src/core/scopes.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { enroll, step } from "../../support/second-factor.ts";

const base = "/integrations/api-keys";
const hour = 3_600_000;
const body = { name: "Accounting export", scopes: ["public.pilots:read"] };

const create = async ({ owner }: School, change: object = {}) =>
  expectStatus(201, await owner.post(base, { ...body, ...change })).body.data;

const works = async (school: School, token: string) => (await school.publicGet("/pilots", token)).status;

test("a rotated key's previous token is valid until the end of the grace period, to the millisecond", async () => {
  const school = await newOwnSchool();
  const { clock } = school.installation;
  const { token: old, ...created } = await create(school);
  clock.advance(1000);

  const { token, ...rotated } = expectStatus(200, await school.owner.post(`${base}/${created.id}/rotate`)).body.data;

  expect(token).not.toBe(old);
  const until = "2026-06-15T09:00:01.000Z";
  expect(rotated).toEqual({
    ...created,
    hint: token.slice(0, 11),
    status: "rotated",
    previous_token_expires_at: until,
  });
  const log = await school.owner.get(`/audit-log?subject_id=${created.id}`);
  expect(log.body.data[0]).toMatchObject({
    action: "api_key.rotated",
    before: { status: "active" },
    after: { status: "rotated" },
  });
  for (const secret of [old, token]) expect(log.text).not.toContain(secret);
  expect([await works(school, old), await works(school, token)]).toEqual([200, 200]);
  const again = expectStatus(409, await school.owner.post(`${base}/${created.id}/rotate`));
  expect(again.body.error.message).toContain(until);

  clock.advance(24 * hour - 1);
  expect([await works(school, old), await works(school, token)]).toEqual([200, 200]);
  clock.advance(1);
  expect([await works(school, old), await works(school, token)]).toEqual([401, 200]);
  const owner = await school.owner.signedInAgain();
  expect((await owner.get(`${base}/${created.id}`)).body.data).toMatchObject({
    status: "active",
    previous_token_expires_at: null,
  });
  expectStatus(200, await owner.post(`${base}/${created.id}/rotate`, { grace_hours: 72 }));
});

test("without a grace period the previous token is invalid at once, and the key can be rotated again", async () => {
  const school = await newSchool();
  const { id, token: first } = await create(school);
  const rotate = async () =>
    expectStatus(200, await school.owner.post(`${base}/${id}/rotate`, { grace_hours: 0 })).body.data;
  const second = await rotate();
  expect(second.status).toBe("active");
  const third = await rotate();
  expect([await works(school, first), await works(school, second.token), await works(school, third.token)]).toEqual([
    401, 401, 200,
  ]);
});

test("revoking a rotated key invalidates both tokens at once", async () => {
  const school = await newSchool();
  const { id, token: old } = await create(school);
  const { token } = expectStatus(200, await school.owner.post(`${base}/${id}/rotate`)).body.data;
  expect(expectStatus(200, await school.owner.delete(`${base}/${id}`)).body.data.status).toBe("revoked");
  expect([await works(school, old), await works(school, token)]).toEqual([401, 401]);
});

test("a revoked or expired key can't be rotated, and the error names its status", async () => {
  const school = await newOwnSchool();
  const { clock } = school.installation;
  const revoked = await create(school);
  expectStatus(200, await school.owner.delete(`${base}/${revoked.id}`));
  const expired = await create(school, { expires_at: new Date(clock.now().getTime() + 1000).toISOString() });
  clock.advance(1000);
  for (const [{ id }, status] of [
    [revoked, "revoked"],
    [expired, "expired"],
  ] as const) {
    const { error } = expectStatus(409, await school.owner.post(`${base}/${id}/rotate`)).body;
    expect(error.message).toContain(status);
    expect((await school.owner.get(`${base}/${id}`)).body.data.status).toBe(status);
  }
});

test("a rotation accepts a grace period of up to 72 hours and no other field", async () => {
  const school = await newSchool();
  const { id } = await create(school);
  for (const bad of [{ grace_hours: -1 }, { grace_hours: 73 }, { grace_hours: 1.5 }, { token: "mine" }])
    expectStatus(400, await school.owner.post(`${base}/${id}/rotate`, bad));
  expect((await school.owner.get(`${base}/${id}`)).body.data.status).toBe("active");
});

test("rotating a key requires a step-up if the member has a second factor", async () => {
  const school = await newSchool();
  const { id } = await create(school);
  const factor = await enroll(school.installation, school.owner);
  expect(expectStatus(403, await school.owner.post(`${base}/${id}/rotate`)).body.error.code).toBe("STEP_UP_REQUIRED");
  expectStatus(200, await step(school.installation, school.owner, await factor.code()));
  expectStatus(200, await school.owner.post(`${base}/${id}/rotate`));
});

test("a key used from outside its networks gets the response of an unknown key", async () => {
  const school = await newSchool();
  const networks = ["198.51.100.0/24", "2001:db8::/32"];
  const { token, allowed_networks } = await create(school, { allowed_networks: networks });
  expect(allowed_networks).toEqual(networks);
  const from = (address: string, key = token) =>
    school.installation.call("GET", "/api/v1/public/pilots", { token: key, org: school.orgId, from: address });

  for (const inside of ["198.51.100.0", "198.51.100.255", "2001:db8::17", "::ffff:198.51.100.7"])
    expectStatus(200, await from(inside));
  const errorFor = async (address: string, key?: string) => {
    const { error } = expectStatus(401, await from(address, key)).body;
    return { ...error, request_id: "" };
  };
  for (const outside of ["198.51.101.0", "2001:db9::", "not an address"])
    expect(await errorFor(outside)).toEqual(await errorFor(outside, "nonsense"));
});

test("last uses of keys are collected in memory and written once a minute for each school", async () => {
  const school = await newOwnSchool();
  const { installation, owner } = school;
  const { id, token } = await create(school);
  const lastUse = async () => {
    const { last_used_at, last_used_address } = (await owner.get(`${base}/${id}`)).body.data;
    return [last_used_at, last_used_address];
  };
  const use = (from: string) => installation.call("GET", "/api/v1/public/pilots", { token, org: school.orgId, from });
  expectStatus(200, await use("198.51.100.1"));
  expect(await lastUse()).toEqual([null, null]);
  await installation.apiKeyUses.write();
  expect(await lastUse()).toEqual(["2026-06-14T09:00:00.000Z", "198.51.100.1"]);

  installation.clock.advance(59_999);
  expectStatus(200, await use("198.51.100.2"));
  await installation.apiKeyUses.write();
  expect((await lastUse())[1]).toBe("198.51.100.1");
  installation.clock.advance(1);
  await installation.apiKeyUses.write();
  expect(await lastUse()).toEqual(["2026-06-14T09:00:59.999Z", "198.51.100.2"]);

  expectStatus(200, await use("198.51.100.3"));
  await installation.apiKeyUses.write({ isDue: () => true });
  expect((await lastUse())[1]).toBe("198.51.100.3");
});

test("writing a use keeps cached bodies, and a rejected request is not a use", async () => {
  const school = await newOwnSchool();
  const { installation, orgId } = school;
  const { id, token } = await create(school, { allowed_networks: ["198.51.100.0/24"] });
  if (!isId<"organization">(orgId)) throw new Error("A school has an id.");
  const tenant = installation.storage.tenants.tenant(orgId);
  let made = 0;
  const body = () => tenant.readBody("test", async () => String(++made));

  await body();
  expectStatus(401, await school.publicGet("/pilots", token));
  await installation.apiKeyUses.write({ isDue: () => true });
  expect((await school.owner.get(`${base}/${id}`)).body.data.last_used_at).toBeNull();
  const inside = { token, org: orgId, from: "198.51.100.1" };
  expectStatus(200, await installation.call("GET", "/api/v1/public/pilots", inside));
  await installation.apiKeyUses.write({ isDue: () => true });
  expect((await school.owner.get(`${base}/${id}`)).body.data.last_used_at).not.toBeNull();
  await body();
  expect(made).toBe(1);
});

test("the list of scopes contains the kind and the routes of each scope", async () => {
  const { owner, instructor } = await newSchool();
  expectStatus(403, await instructor.get("/integrations/scopes"));
  const { data } = expectStatus(200, await owner.get("/integrations/scopes")).body;
  expect(data.map(({ name }: { name: string }) => name)).toEqual(scopeCatalog.map(({ name }) => name));
  const unused = data.filter(({ routes }: { routes: string[] }) => routes.length === 0);
  expect(unused.map(({ name }: { name: string }) => name)).toEqual(["public.directory:read"]);
  const byName = new Map(data.map((scope: { name: string }) => [scope.name, scope]));
  expect(byName.get("public.pilots:read")).toMatchObject({ kind: "read", routes: ["GET /api/v1/public/pilots"] });
  expect(byName.get("events:replay")).toMatchObject({
    kind: "action",
    routes: ["POST /api/v1/public/events/{eventId}/replay"],
  });
});
