import { expect, test } from "bun:test";
import { isId } from "../../../src/core/ids.ts";
import { deliveries, deliveryAttempts } from "../../../src/events/events.tables.ts";
import { eventTypes } from "../../contract/facts.ts";
import { schemaValidators } from "../../support/document-check.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { deliveriesOf, emitTests, tenantOf } from "./events.ts";
import { webhookUrl } from "./scenery.ts";

const nowhere = "evt_01890a5dac96774bbcceb302099a8057";
const endpoints = "/integrations/webhook-endpoints";

const subscribe = async ({ owner }: School, ...event_types: string[]): Promise<string> =>
  expectStatus(201, await owner.post(endpoints, { url: webhookUrl, event_types })).body.data.id;

test("the event catalog has the contract's ten types, and each example satisfies its schema", async () => {
  const { owner } = await newSchool();
  const { data } = expectStatus(200, await owner.get("/integrations/event-catalog")).body;

  const stability = Object.fromEntries(
    data.map((entry: { type: string; stability: string }) => [entry.type, entry.stability]),
  );
  expect(stability).toEqual(eventTypes);
  for (const { type, schema, example, description, emitted } of data) {
    expect(description.length).toBeGreaterThan(10);
    expect(emitted).toBeBoolean();
    const validate = schemaValidators(schema)("");
    expect([type, validate(example), validate.errors]).toEqual([type, true, null]);
  }
});

test("an event is the same in the console, in the public API and in the log", async () => {
  const school = await newSchool();
  const [id = ""] = await emitTests(school, 1);
  const event = {
    type: "webhook.test",
    id,
    occurred_at: "2026-06-14T09:00:00.000Z",
    data: { endpoint_id: "01890a5d-ac96-774b-bcce-b302099a8057", message: "Number 0" },
  };
  const key = await school.apiKey("public.events:read");
  const page = { limit: 100, has_more: false, next_cursor: null };
  const shown = expectStatus(200, await school.publicGet("/events", key));
  expect(shown.text).toBe(JSON.stringify({ data: [event], page }));
  expect((await school.owner.get("/integrations/events")).text).toBe(shown.text);
  expect((await school.owner.get(`/integrations/events/${id}`)).body.data).toEqual({
    ...event,
    deliveries: [],
    more_deliveries: false,
  });
});

test("listEvents filters by type and by time, `since` inclusive and `until` exclusive", async () => {
  const school = await newOwnSchool();
  const { clock } = school.installation;
  const ids: string[] = [];
  for (const _ of [0, 1, 2]) {
    ids.push(...(await emitTests(school, 1)));
    clock.advance(1000);
  }
  const [first, second, third] = ids;
  const list = async (query: string) =>
    expectStatus(200, await school.owner.get(`/integrations/events?${query}`)).body.data.map(
      ({ id }: { id: string }) => id,
    );

  expect(await list("")).toEqual([third, second, first]);
  expect(await list("since=2026-06-14T09:00:01Z")).toEqual([third, second]);
  expect(await list("since=2026-06-14T11:00:01.001%2B02:00")).toEqual([third]);
  expect(await list("until=2026-06-14T09:00:01Z")).toEqual([first]);
  expect(await list("since=2026-06-14T09:00:01Z&until=2026-06-14T09:00:02Z")).toEqual([second]);
  expect(await list("since=2026-06-14T09:00:01Z&until=2026-06-14T09:00:01Z")).toEqual([]);
  expect(await list("type=webhook.test&limit=1")).toEqual([third]);
  expect(await list("type=flight.approved")).toEqual([]);
});

test("listEvents rejects an invalid filter and names it", async () => {
  const school = await newSchool();
  const key = await school.apiKey("public.events:read");
  const faults: [path: string, query: string][] = [
    ["query.type", "type=flight.reversed"],
    ["query.since", "since=yesterday"],
    ["query.until", "since=2026-06-15T00:00:00Z&until=2026-06-14T00:00:00Z"],
    ["query.limit", "limit=501"],
    ["query.limit", "limit=0"],
    ["query.cursor", "cursor="],
    ["query.cursor", "cursor=nonsense"],
    ["query.cursor", `cursor=${nowhere}`],
    ["query.cursor", `cursor=${Buffer.from(`${nowhere}0`).toString("base64url")}`],
    ["query.cursor", `cursor=${encodeURIComponent(`${Buffer.from(nowhere).toString("base64url")}=`)}`],
  ];
  for (const [path, query] of faults)
    for (const answer of [
      await school.publicGet(`/events?${query}`, key),
      await school.owner.get(`/integrations/events?${query}`),
    ])
      expect(expectStatus(400, answer).body.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
});

test("a delivery contains each attempt with the response of the receiver", async () => {
  const school = await newSchool();
  const endpointId = await subscribe(school, "webhook.test");
  const [eventId] = await emitTests(school, 1);
  const [delivery] = await deliveriesOf(school, eventId);
  const deliveryId = delivery?.id ?? "";
  if (!isId<"delivery">(deliveryId)) throw new Error("There is no delivery.");
  await tenantOf(school).write(async (tx) => {
    const attempt = { delivery_id: deliveryId, started_at: tx.now };
    await tx.insert(deliveryAttempts).values([
      {
        ...attempt,
        number: 2,
        duration_ms: 12,
        status_code: 200,
        request_headers: '{"X-Token":"***"}',
        response_headers: '{"server":"x"}',
        response_body: "ok",
      },
      { ...attempt, number: 1, duration_ms: 10_000, error_class: "timeout" },
    ]);
    await tx.update(deliveries).set({ status: "succeeded", attempts: 2, due_at: null, finished_at: tx.now });
  });

  const at = "2026-06-14T09:00:00.000Z";
  const none = {
    status_code: null,
    error_class: null,
    request_headers: null,
    response_headers: null,
    response_body: null,
    started_at: at,
  };
  const summary = {
    id: deliveryId,
    event_id: eventId,
    event_type: "webhook.test",
    endpoint_id: endpointId,
    endpoint_url: "https://hooks.example.com/windsock",
    status: "succeeded",
    attempt_count: 2,
    last_status_code: 200,
    last_error_class: null,
    due_at: null,
    created_at: at,
    finished_at: at,
  };
  expect(await deliveriesOf(school, eventId)).toEqual([summary]);
  const {
    deliveries: _,
    more_deliveries: __,
    ...event
  } = (await school.owner.get(`/integrations/events/${eventId}`)).body.data;
  expect(expectStatus(200, await school.owner.get(`/integrations/deliveries/${deliveryId}`)).body.data).toEqual({
    ...summary,
    request_body: { event },
    attempts: [
      { ...none, number: 1, duration_ms: 10_000, error_class: "timeout" },
      {
        ...none,
        number: 2,
        duration_ms: 12,
        status_code: 200,
        request_headers: { "X-Token": "***" },
        response_headers: { server: "x" },
        response_body: "ok",
      },
    ],
  });
});

test("a public event is that of the list, of this organization only", async () => {
  const school = await newOwnSchool();
  const { installation } = school;
  const other = await newSchool(installation);
  const [eventId = ""] = await emitTests(school, 1);
  const key = await school.apiKey("public.events:read");
  const [listed] = expectStatus(200, await school.publicGet("/events", key)).body.data;
  expect(expectStatus(200, await school.publicGet(`/events/${eventId}`, key)).body.data).toEqual(listed);
  expect(listed.id).toBe(eventId);
  expectStatus(404, await other.publicGet(`/events/${eventId}`, await other.apiKey("public.events:read")));
  expectStatus(403, await school.publicGet(`/events/${eventId}`, await school.apiKey("events:replay")));
});

test("a replay queues new deliveries for endpoints that are now enabled and subscribed", async () => {
  const school = await newOwnSchool();
  const { owner } = school;
  const then = await subscribe(school, "webhook.test");
  const [eventId] = await emitTests(school, 1);
  const [first] = await deliveriesOf(school, eventId);
  const now = await subscribe(school, "webhook.test");
  school.installation.clock.advance(1);
  await subscribe(school, "vtr.issued");
  expectStatus(200, await owner.patch(`${endpoints}/${then}`, { enabled: false }));
  const key = await school.apiKey("events:replay");
  const publicReplay = () =>
    school.installation.call("POST", `/api/v1/public/events/${eventId}/replay`, { token: key, org: school.orgId });

  const byConsole = expectStatus(201, await owner.post(`/integrations/events/${eventId}/replay`)).body.data;
  school.installation.clock.advance(1);
  const byKey = expectStatus(201, await publicReplay()).body.data;

  for (const replayed of [byConsole, byKey])
    expect(replayed).toEqual({ event_id: eventId, delivery_ids: [expect.any(String)] });
  expect(await deliveriesOf(school, eventId)).toMatchObject([
    { id: byKey.delivery_ids[0], endpoint_id: now, status: "pending" },
    { id: byConsole.delivery_ids[0], endpoint_id: now, status: "pending" },
    { id: first?.id, endpoint_id: then, status: "cancelled" },
  ]);
  expect((await owner.get(`/audit-log?subject_id=${eventId}`)).body.data).toMatchObject([
    { action: "event.replayed", actor: { kind: "api_key" }, after: byKey },
    { action: "event.replayed", actor: { kind: "user" }, after: byConsole },
  ]);

  expectStatus(200, await owner.patch(`${endpoints}/${now}`, { enabled: false }));
  expect(expectStatus(201, await publicReplay()).body.data).toEqual({ event_id: eventId, delivery_ids: [] });
});

test("an unknown event and an event of another organization get 404", async () => {
  const school = await newSchool();
  const stranger = await newSchool(school.installation);
  const [theirs] = await emitTests(stranger, 1);
  const key = await school.apiKey("events:replay");
  for (const id of [nowhere, theirs]) {
    expectStatus(404, await school.owner.get(`/integrations/events/${id}`));
    expectStatus(404, await school.owner.post(`/integrations/events/${id}/replay`));
    const path = `/api/v1/public/events/${id}/replay`;
    expectStatus(404, await school.installation.call("POST", path, { token: key, org: school.orgId }));
  }
  expect(await deliveriesOf(stranger, theirs)).toEqual([]);
});

test("a replay by API key is carried out once for each Idempotency-Key, and each API key has its own", async () => {
  const school = await newSchool();
  await subscribe(school, "webhook.test");
  const [eventId] = await emitTests(school, 1);
  const [token, another] = [await school.apiKey("events:replay"), await school.apiKey("events:replay")];
  const replay = (by: string) =>
    school.installation.call("POST", `/api/v1/public/events/${eventId}/replay`, {
      token: by,
      org: school.orgId,
      headers: { "idempotency-key": "k" },
    });
  const [first, repeat] = [expectStatus(201, await replay(token)), expectStatus(201, await replay(token))];
  expect([repeat.text, repeat.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
  expect(expectStatus(201, await replay(another)).text).not.toBe(first.text);
  expect(await deliveriesOf(school, eventId)).toHaveLength(3);
});

test("the scope for reading events does not permit replays, and the scope for replays does not permit reading", async () => {
  const school = await newSchool();
  const [id] = await emitTests(school, 1);
  const [reads, replays] = [await school.apiKey("public.events:read"), await school.apiKey("events:replay")];
  const path = `/api/v1/public/events/${id}/replay`;
  expectStatus(403, await school.installation.call("POST", path, { token: reads, org: school.orgId }));
  expectStatus(403, await school.publicGet("/events", replays));
});

test("a replay to one endpoint queues only that delivery, and an error names the reason", async () => {
  const school = await newSchool();
  const { owner } = school;
  const wanted = await subscribe(school, "webhook.test");
  const other = await subscribe(school, "webhook.test");
  const unsubscribed = await subscribe(school, "vtr.issued");
  const [eventId] = await emitTests(school, 1);
  const replay = (sent: unknown) => owner.post(`/integrations/events/${eventId}/replay`, sent);

  const { delivery_ids } = expectStatus(201, await replay({ endpoint_id: wanted })).body.data;
  expect(delivery_ids).toHaveLength(1);
  expect((await owner.get(`/integrations/deliveries/${delivery_ids[0]}`)).body.data.endpoint_id).toBe(wanted);

  expectStatus(200, await owner.patch(`${endpoints}/${other}`, { enabled: false }));
  expect(expectStatus(409, await replay({ endpoint_id: other })).body.error.message).toContain("disabled");
  expect(expectStatus(409, await replay({ endpoint_id: unsubscribed })).body.error.message).toContain("not subscribed");
  const unknown = expectStatus(400, await replay({ endpoint_id: "01890a5d-ac96-774b-bcce-b302099a8057" }));
  expect(unknown.body.issues).toEqual([
    { path: "body.endpoint_id", code: "unknown", message: "There is no such endpoint." },
  ]);
  for (const bad of ["{", '{"endpoint":1}', '{"endpoint_id":null}']) expectStatus(400, await replay(bad));
  expectStatus(201, await replay({}));
});

test("replays by members and keys share the limit of 60 a minute", async () => {
  const school = await newOwnSchool();
  const [eventId] = await emitTests(school, 1);
  const token = await school.apiKey("events:replay");
  const byKey = () =>
    school.installation.call("POST", `/api/v1/public/events/${eventId}/replay`, { token, org: school.orgId });
  const byConsole = () => school.owner.post(`/integrations/events/${eventId}/replay`);
  for (let count = 0; count < 30; count += 1)
    for (const answer of [await byKey(), await byConsole()]) expectStatus(201, answer);
  for (const answer of [await byKey(), await byConsole()])
    expect(expectStatus(429, answer).headers.get("retry-after")).toBe("1");
  school.installation.clock.advance(1000);
  const { headers } = expectStatus(201, await byKey());
  expect(headers.get("ratelimit-policy")).toBe('"api-key";q=600;w=60, "replays";q=60;w=60');
});
