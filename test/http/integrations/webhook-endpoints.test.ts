import { expect, test } from "bun:test";
import type { MemberActor } from "../../../src/core/actor.ts";
import { newId } from "../../../src/core/ids.ts";
import { createWebhookEndpoint } from "../../../src/modules/integrations/webhooks/create-webhook-endpoint.ts";
import { updateWebhookEndpoint } from "../../../src/modules/integrations/webhooks/update-webhook-endpoint.ts";
import { NewWebhookEndpoint } from "../../../src/modules/integrations/webhooks/webhooks.schemas.ts";
import type { Answer, Installation } from "../../support/installation.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { deliveriesOf, emitTests, tenantOf } from "./events.ts";
import { webhookUrl } from "./scenery.ts";

const base = "/integrations/webhook-endpoints";
const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
const body = { url: webhookUrl, event_types: ["flight.approved", "webhook.test"] };

const create = async ({ owner }: School, change: object = {}) =>
  expectStatus(201, await owner.post(base, { ...body, ...change })).body.data;

const issues = (answer: Answer): string[] =>
  expectStatus(400, answer).body.issues.map(({ path }: { path: string }) => path);

/** Returns the context of a member with `integrations:manage`. */
function contextOf(school: School<Installation>, vetUrl: (url: string) => Promise<string>) {
  const { clock, storage } = school.installation;
  const tenant = tenantOf(school);
  const actor: MemberActor = {
    kind: "user",
    userId: newId(clock),
    sessionId: newId(clock),
    email: "olga@school.example",
    name: "Olga",
    orgId: tenant.id,
    permissions: new Set(["integrations:manage"]),
  };
  return { actor, tenant, control: storage.control, clock, requestId: "", vetUrl };
}

test("createWebhookEndpoint creates an enabled endpoint and returns its secret", async () => {
  const school = await newSchool();
  const { owner } = school;

  const { secret, ...created } = await create(school, { description: "Accounting" });

  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(created).toEqual({
    ...body,
    id: created.id,
    description: "Accounting",
    enabled: true,
    disabled_reason: null,
    headers: {},
    failing_since: null,
    secondary_secret_expires_at: null,
    created_by: owner.userId,
    created_by_name: "Olga Owner",
    created_at: "2026-06-14T09:00:00.000Z",
    updated_at: "2026-06-14T09:00:00.000Z",
  });
  expect(expectStatus(200, await owner.get(`${base}/${created.id}`)).body.data).toEqual(created);
  expect(expectStatus(200, await owner.get(base)).body.data).toEqual([created]);
  expect((await owner.get(`/audit-log?subject_id=${created.id}`)).body.data).toMatchObject([
    { action: "webhook_endpoint.created", subject: { kind: "webhook_endpoint" }, before: null, after: created },
  ]);
});

test("createWebhookEndpoint rejects an invalid field and names it", async () => {
  const { owner } = await newSchool();
  const faults: [path: string, change: object][] = [
    ["body.event_types", { event_types: [] }],
    ["body.event_types", { event_types: ["webhook.test", "webhook.test"] }],
    ["body.event_types.0", { event_types: ["flight.reversed"] }],
    ["body.event_types.1", { event_types: ["flight.approved", "*"] }],
    ["body.description", { description: "" }],
    ["body.secret", { secret: "mine" }],
    ["body.enabled", { enabled: false }],
    ["body.url", { url: "no address" }],
    ["body.url", { url: "http://hooks.example.com/" }],
    ["body.url", { url: "https://127.0.0.1/" }],
    ["body.url", { url: "https://[::1]/" }],
    ["body.url", { url: "https://10.0.0.1/" }],
    ["body.url", { url: "https://169.254.169.254/latest/meta-data" }],
    ["body.url", { url: "https://ada:secret@hooks.example.com/" }],
    ["body.url", { url: "https://nowhere.example.invalid/" }],
  ];
  for (const [path, change] of faults) expect(issues(await owner.post(base, { ...body, ...change }))).toEqual([path]);

  const [issue] = expectStatus(400, await owner.post(base, { ...body, url: "https://127.0.0.1/" })).body.issues;
  expect(issue.message.length).toBeGreaterThan(10);
  expect((await owner.get(base)).body.data).toEqual([]);
});

test("a URL is resolved only after the permission check, and outside the transaction", async () => {
  const school = await newOwnSchool();
  const refused = { ...body, url: "https://127.0.0.1/" };
  expectStatus(403, await school.instructor.post(base, refused));
  expectStatus(404, await school.owner.patch(`${base}/${nobody}`, { url: refused.url }));

  // A write inside a write throws at once.
  const context = contextOf(school, (url) => tenantOf(school).write(async () => url));
  const endpoint = NewWebhookEndpoint.parse({ url: webhookUrl, event_types: ["webhook.test"] });
  const { id } = await createWebhookEndpoint(context, endpoint);
  const moved = await updateWebhookEndpoint(context, { endpointId: id, change: { url: `${webhookUrl}/2` } });
  expect(moved.url).toBe(`${webhookUrl}/2`);
});

test("an update with the current URL gets 409 if another request changes the URL meanwhile", async () => {
  const school = await newOwnSchool();
  const { id } = await create(school);
  const elsewhere = "https://elsewhere.example.com/windsock";
  const context = contextOf(school, async (url) => {
    expectStatus(200, await school.owner.patch(`${base}/${id}`, { url: elsewhere }));
    return url;
  });
  const back = updateWebhookEndpoint(context, { endpointId: id, change: { url: webhookUrl } });
  await expect(back).rejects.toMatchObject({ code: "CONFLICT" });
  expect((await school.owner.get(`${base}/${id}`)).body.data.url).toBe(elsewhere);
});

test("updateWebhookEndpoint changes only the given fields", async () => {
  const school = await newOwnSchool();
  const { owner } = school;
  const { secret: _, ...created } = await create(school, { description: "Accounting" });
  school.installation.clock.advance(1000);
  const updated_at = "2026-06-14T09:00:01.000Z";

  const types = expectStatus(200, await owner.patch(`${base}/${created.id}`, { event_types: ["vtr.issued"] })).body;
  expect(types.data).toEqual({ ...created, event_types: ["vtr.issued"], updated_at });
  const empty = expectStatus(200, await owner.patch(`${base}/${created.id}`, { description: null })).body;
  expect(empty.data).toEqual({ ...types.data, description: null });
  const moved = expectStatus(200, await owner.patch(`${base}/${created.id}`, { url: `${webhookUrl}/2` })).body;
  expect(moved.data).toEqual({ ...empty.data, url: `${webhookUrl}/2` });

  expect((await owner.get(`/audit-log?subject_id=${created.id}`)).body.data[0]).toMatchObject({
    action: "webhook_endpoint.updated",
    before: empty.data,
    after: moved.data,
  });
});

test("updateWebhookEndpoint rejects the same URLs and types as createWebhookEndpoint", async () => {
  const school = await newSchool();
  const { secret: _, ...created } = await create(school);
  const path = `${base}/${created.id}`;

  expect(issues(await school.owner.patch(path, { url: "https://192.168.1.1/", enabled: false }))).toEqual(["body.url"]);
  expect(issues(await school.owner.patch(path, { event_types: ["flight.reversed"] }))).toEqual(["body.event_types.0"]);
  expect(issues(await school.owner.patch(path, {}))).toEqual(["body"]);
  expect((await school.owner.get(path)).body.data).toEqual(created);
});

test("disabling an endpoint sets the reason `by_hand` and cancels its pending deliveries", async () => {
  const school = await newSchool();
  const { owner } = school;
  const { id } = await create(school);
  const other = await create(school);
  const [eventId] = await emitTests(school, 1);
  const statusesNow = async () =>
    Object.fromEntries((await deliveriesOf(school, eventId)).map(({ endpoint_id, status }) => [endpoint_id, status]));
  expect(await statusesNow()).toEqual({ [id]: "pending", [other.id]: "pending" });

  const disabled = expectStatus(200, await owner.patch(`${base}/${id}`, { enabled: false })).body.data;

  expect(disabled).toMatchObject({ enabled: false, disabled_reason: "by_hand" });
  expect(await statusesNow()).toEqual({ [id]: "cancelled", [other.id]: "pending" });
  const [late] = await emitTests(school, 1);
  expect((await deliveriesOf(school, late)).map(({ endpoint_id }) => endpoint_id)).toEqual([other.id]);

  const enabled = expectStatus(200, await owner.patch(`${base}/${id}`, { enabled: true })).body.data;
  expect(enabled).toMatchObject({ enabled: true, disabled_reason: null });
  // Enabling does not deliver missed events; only a replay does.
  expect(await statusesNow()).toEqual({ [id]: "cancelled", [other.id]: "pending" });
});

test("a deleted endpoint gets 404, its deliveries are cancelled, and their log remains", async () => {
  const school = await newSchool();
  const { owner } = school;
  const { secret: _, ...created } = await create(school);
  const path = `${base}/${created.id}`;
  const [eventId] = await emitTests(school, 1);

  expect(expectStatus(200, await owner.delete(path)).body.data).toEqual(created);

  expectStatus(404, await owner.get(path));
  expectStatus(404, await owner.delete(path));
  expectStatus(404, await owner.patch(path, { enabled: true }));
  expectStatus(404, await owner.post(`${path}/ping`));
  expectStatus(404, await owner.post(`${path}/rotate-secret`));
  expect((await owner.get(`${base}?with_total=true`)).body).toMatchObject({ data: [], page: { total: 0 } });
  expect(await deliveriesOf(school, eventId)).toMatchObject([{ endpoint_id: created.id, status: "cancelled" }]);
  const [late] = await emitTests(school, 1);
  expect(await deliveriesOf(school, late)).toEqual([]);
  expect((await owner.get(`/audit-log?subject_id=${created.id}`)).body.data[0]).toMatchObject({
    action: "webhook_endpoint.deleted",
    before: created,
  });
});

test("pingWebhookEndpoint emits webhook.test only to that endpoint, subscribed or not", async () => {
  const school = await newSchool();
  const { owner } = school;
  const { id } = await create(school, { event_types: ["vtr.issued"] });
  await create(school, { event_types: ["webhook.test"] });

  const { event_id, delivery_ids } = expectStatus(201, await owner.post(`${base}/${id}/ping`)).body.data;

  const logged = expectStatus(200, await owner.get(`/integrations/events/${event_id}`)).body.data;
  expect(logged).toMatchObject({ type: "webhook.test", id: event_id, data: { endpoint_id: id } });
  expect(delivery_ids).toHaveLength(1);
  expect((await owner.get(`/audit-log?subject_id=${id}`)).body.data[0]).toMatchObject({
    action: "webhook_endpoint.pinged",
    after: { event_id, delivery_ids },
  });
  expect(logged.deliveries).toMatchObject([
    { id: delivery_ids[0], endpoint_id: id, status: "pending", attempt_count: 0 },
  ]);
});

test("a disabled endpoint can't be pinged", async () => {
  const school = await newSchool();
  const { id } = await create(school);
  expectStatus(200, await school.owner.patch(`${base}/${id}`, { enabled: false }));
  const { error } = expectStatus(409, await school.owner.post(`${base}/${id}/ping`)).body;
  expect(error.message).toContain("disabled");
  expect((await school.owner.get("/integrations/events")).body.data).toEqual([]);
});

test("listEndpoints sorts newest first and returns pages", async () => {
  const school = await newOwnSchool();
  for (const description of ["first", "second", "third"]) {
    await create(school, { description });
    school.installation.clock.advance(1);
  }
  const { data, page } = expectStatus(200, await school.owner.get(`${base}?limit=2&with_total=true`)).body;
  expect(data.map(({ description }: { description: string }) => description)).toEqual(["third", "second"]);
  expect(page).toEqual({ limit: 2, offset: 0, has_more: true, next_cursor: expect.any(String), total: 3 });
});

test("unknown endpoints and endpoints of another organization get 404 on each route", async () => {
  const school = await newSchool();
  const stranger = await newSchool(school.installation);
  const theirs = await create(stranger);
  for (const id of [nobody, theirs.id]) {
    const path = `${base}/${id}`;
    expectStatus(404, await school.owner.get(path));
    expectStatus(404, await school.owner.patch(path, { url: webhookUrl }));
    expectStatus(404, await school.owner.delete(path));
    expectStatus(404, await school.owner.post(`${path}/ping`));
    expectStatus(404, await school.owner.post(`${path}/rotate-secret`));
  }
  expect((await stranger.owner.get(`${base}/${theirs.id}`)).body.data).toMatchObject({ enabled: true });
});

test("an organization has at most 50 endpoints, not counting deleted ones", async () => {
  const school = await newSchool();
  const made = [];
  for (let count = 0; count < 50; count += 1) made.push(await create(school));
  const { error } = expectStatus(409, await school.owner.post(base, body)).body;
  expect(error.message).toContain("50");
  expectStatus(200, await school.owner.delete(`${base}/${made[0]?.id}`));
  await create(school);
});

test("a ping accepts no body or an empty object, and is limited to 60 a minute", async () => {
  const school = await newOwnSchool();
  const { id } = await create(school);
  const ping = (sent?: unknown) => school.owner.post(`${base}/${id}/ping`, sent);
  for (const bad of ["{", '{"to":"me"}', "[]"]) expectStatus(400, await ping(bad));
  expectStatus(201, await ping({}));
  // Two of the invalid requests count as well; the malformed one does not.
  for (let count = 3; count < 60; count += 1) expectStatus(201, await ping());
  const refused = expectStatus(429, await ping());
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(refused.headers.get("ratelimit")).toEndWith('"pings";r=0;t=1');
  expectStatus(403, await school.instructor.post(`${base}/${id}/ping`));
  const other = await newSchool(school.installation);
  expectStatus(201, await other.owner.post(`${base}/${(await create(other)).id}/ping`));
  school.installation.clock.advance(1000);
  expectStatus(201, await ping());
});

test("a host without an address and a host with a private address get the same issue", async () => {
  const { owner } = await newSchool();
  const issuesFor = async (url: string) => expectStatus(400, await owner.post(base, { ...body, url })).body.issues;
  expect(await issuesFor("https://nowhere.example.invalid/")).toEqual(await issuesFor("https://10.0.0.1/"));
});
