import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { shift, toInstant } from "../../src/core/clock.ts";
import type { FlightId } from "../../src/core/ids.ts";
import { isId, newId } from "../../src/core/ids.ts";
import { defineEvent } from "../../src/events/catalog.ts";
import { dataOf } from "../../src/events/data-of.ts";
import { emit, emitTo, firstEventIdAt } from "../../src/events/emit.ts";
import { webhookEndpoints } from "../../src/events/events.tables.ts";
import { replay } from "../../src/events/queue-deliveries.ts";
import { webhookTest } from "../../src/events/webhook-test.ts";
import { findPublicFlight } from "../../src/modules/flights/flights.queries.ts";
import { publicPilot } from "../../src/modules/people/people.shapes.ts";
import { people } from "../../src/modules/people/people.tables.ts";
import { eventDefinitions } from "../../src/modules.ts";
import { expectStatus, newSchool } from "../support/school.ts";
import { eventsOf, newNetwork, newSetup, nowOf } from "./setup.ts";

const uuidv7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const data = { endpoint_id: webhookTest.example.endpoint_id, message: "Hello" };

test("emit queues one delivery, due now, for each enabled endpoint that subscribes to the type", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const subscribed = await school.addEndpoint({ types: ["flight.approved", "webhook.test"] });
  const alsoSubscribed = await school.addEndpoint();
  await school.addEndpoint({ types: ["flight.approved"] });
  await school.addEndpoint({ enabled: false });
  const deleted = await school.addEndpoint();
  await school.tenant.write((tx) =>
    tx.update(webhookEndpoints).set({ deleted_at: tx.now }).where(eq(webhookEndpoints.id, deleted.id)),
  );

  const eventId = await school.tenant.write((tx) => emit(tx, webhookTest, data));

  expect(eventId).toMatch(/^evt_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  const now = nowOf(setup.clock);
  const [event] = await eventsOf(school);
  expect(event).toEqual({
    id: eventId,
    type: "webhook.test",
    occurred_at: now,
    data: JSON.stringify(data),
    traceparent: null,
  });
  const queued = await school.deliveries();
  expect(new Set(queued.map(({ endpoint_id: endpointId }) => endpointId))).toEqual(
    new Set([subscribed.id, alsoSubscribed.id]),
  );
  for (const delivery of queued) {
    expect(delivery).toMatchObject({
      event_id: eventId,
      status: "pending",
      attempts: 0,
      due_at: now,
      lease_token: null,
    });
    expect(delivery.id).toMatch(uuidv7);
    expect(Number.parseInt(delivery.id.replace("-", "").slice(0, 12), 16)).toBe(setup.clock.now().getTime());
  }
});

test("emit wakes the dispatcher after the commit, and only if there is a delivery", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const dispatcher = setup.dispatcher(newNetwork().send);
  await school.tenant.write((tx) => emit(tx, webhookTest, data));
  expect(dispatcher.stats().scheduled).toBe(0);
  await school.addEndpoint();
  const rolledBack = school.tenant.write(async (tx) => {
    await emit(tx, webhookTest, data);
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  expect(dispatcher.stats().scheduled).toBe(0);
  expect(await eventsOf(school)).toHaveLength(1);
  await school.tenant.write((tx) => emit(tx, webhookTest, data));
  expect(dispatcher.stats().scheduled).toBe(1);
});

test("emit accepts only the data of its event", async () => {
  const setup = await newSetup();
  const { tenant } = await setup.newSchool();
  await tenant.write(async (tx) => {
    // @ts-expect-error data of another event
    await emit(tx, webhookTest, { flight: {} });
    // @ts-expect-error not a type of the contract
    defineEvent("flight.deleted", { data: webhookTest.data, example: webhookTest.example });
  });
});

test("dataOf returns a resource as event data, by name, with an example made from its fields", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const pilot = dataOf("record", publicPilot, people);
  const event = defineEvent("compliance.updated", { data: pilot.schema });
  expect(event.example).toMatchObject({ record: { name: "Anna Berg", types: ["instructor", "pilot"] } });

  await school.tenant.write(async (tx) => {
    const id = newId<"person">(setup.clock);
    const stamps = { created_at: tx.now, updated_at: tx.now };
    const row = { id, name: "Ünal", types: ["student" as const], ratings: [], restricted_instructor: false, ...stamps };
    await tx.insert(people).values(row);
    await emit(tx, event, pilot.of(id));
    // Not called: two events of one millisecond are in no order.
    // @ts-expect-error data of another name
    void (() => emit(tx, event, dataOf("person", publicPilot, people).of(id)));
  });
  const [{ data } = { data: "" }] = await eventsOf(school);
  expect(event.data.parse(JSON.parse(data))).toMatchObject({ record: { name: "Ünal", ratings: [] } });
});

test("emitTo queues for one endpoint, subscribed or not", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const one = await school.addEndpoint({ types: ["flight.approved"] });
  await school.addEndpoint();
  const { eventId, deliveryId } = await school.tenant.write((tx) => emitTo(tx, one.id, webhookTest, data));
  expect(await school.deliveries()).toMatchObject([{ id: deliveryId, event_id: eventId, endpoint_id: one.id }]);
});

test("emitTo rejects endpoints that are unknown, deleted or disabled", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const disabled = await school.addEndpoint({ enabled: false });
  const deleted = await school.addEndpoint();
  await school.tenant.write((tx) =>
    tx.update(webhookEndpoints).set({ deleted_at: tx.now }).where(eq(webhookEndpoints.id, deleted.id)),
  );
  const to = (id: typeof deleted.id) => school.tenant.write((tx) => emitTo(tx, id, webhookTest, data));
  await expect(to(disabled.id)).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(to(deleted.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(to(data.endpoint_id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await eventsOf(school)).toEqual([]);
});

test("replay sends an event again to endpoints that are enabled and subscribed now", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { sent, send } = newNetwork();
  const dispatcher = setup.dispatcher(send);
  const before = await school.addEndpoint();
  const eventId = await school.tenant.write((tx) => emit(tx, webhookTest, data));
  await dispatcher.sendDue();
  await school.tenant.write((tx) =>
    tx.update(webhookEndpoints).set({ enabled: false }).where(eq(webhookEndpoints.id, before.id)),
  );
  expect(await school.tenant.write((tx) => replay(tx, { id: eventId, type: webhookTest.type }))).toEqual([]);

  const after = await school.addEndpoint();
  setup.clock.advance(1000);
  const replayed = await school.tenant.write((tx) => replay(tx, { id: eventId, type: webhookTest.type }));
  await dispatcher.sendDue();

  const rows = await school.deliveries();
  expect(rows.at(-1)).toMatchObject({ endpoint_id: after.id });
  expect(rows.map(({ id }) => id).slice(-1)).toEqual(replayed);
  expect(sent.map(({ body }) => body)).toEqual([sent[0]?.body ?? "", sent[0]?.body ?? ""]);
  expect(new Set(sent.map(({ headers }) => headers["X-SVC-Webhook-Delivery"])).size).toBe(2);
});

test("each step of a flight emits its event, with the flight in its public form", async () => {
  const school = await newSchool();
  const { installation, orgId, student, owner } = school;
  if (!isId<"organization">(orgId)) throw new Error("Not an id.");
  const tenant = installation.storage.tenants.tenant(orgId);
  const step = async (by: typeof student, path: string, body?: object): Promise<unknown> => {
    expectStatus(200, await by.post(path, body));
    return tenant.read((reader) => findPublicFlight(reader, flight.id as FlightId));
  };
  const flight: { id: string } = await school.draftFlight(student);
  const path = `/flights/${flight.id}`;

  const expected = [
    ["flight.submitted", await step(student, `${path}/submit`)],
    ["flight.rejected", await step(owner, `${path}/reject`, { reason: "The tacho readings are missing." })],
    ["flight.submitted", await step(student, `${path}/submit`)],
    ["flight.approved", await step(owner, `${path}/approve`)],
  ];

  const seen = (await eventsOf({ tenant })).map(({ type, data: text }) => [type, JSON.parse(text)]);
  const inOrder = (list: unknown[]) => list.map((entry) => JSON.stringify(entry)).sort();
  expect(inOrder(seen)).toEqual(inOrder(expected.map(([type, publicForm]) => [type, { flight: publicForm }])));
  for (const [type, found] of seen) eventDefinitions.find((one) => one.type === type)?.data.parse(found);
});

test("a request that is rejected emits nothing", async () => {
  const school = await newSchool();
  const { installation, orgId, student, owner } = school;
  if (!isId<"organization">(orgId)) throw new Error("Not an id.");
  const flight = await school.draftFlight(student);
  expectStatus(409, await owner.post(`/flights/${flight.id}/approve`));
  expectStatus(409, await owner.post(`/flights/${flight.id}/reject`, { reason: "No." }));
  expect(await eventsOf({ tenant: installation.storage.tenants.tenant(orgId) })).toEqual([]);
});

test("firstEventIdAt separates the ids of earlier and later events", async () => {
  const setup = await newSetup();
  const school = await setup.newSchool();
  const { id } = await school.addEndpoint();
  const { eventId } = await school.ping(id);
  const at = setup.clock.now();
  expect(firstEventIdAt(shift(at, 0)) <= eventId).toBe(true);
  expect(firstEventIdAt(shift(at, 1)) > eventId).toBe(true);
  expect(firstEventIdAt(toInstant(new Date(-1)))).toBe(firstEventIdAt(toInstant(new Date(0))));
});
