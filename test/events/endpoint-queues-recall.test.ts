import { expect, test } from "bun:test";
import type { Instant } from "../../src/core/clock.ts";
import type { DeliveryId, EndpointId, EventId, OrgId } from "../../src/core/ids.ts";
import { EndpointQueues } from "../../src/events/endpoint-queues.ts";
import type { Claimed } from "../../src/events/outbox.ts";

const school = "school" as OrgId;
const endpoint = "endpoint" as EndpointId;

const deliveryTo = (endpointId: EndpointId): Claimed => ({
  id: "delivery" as DeliveryId,
  endpointId,
  attempt: 1,
  leaseToken: "a.1",
  leaseUntil: "" as Instant,
  event: { type: "webhook.test", id: "evt_1" as EventId, occurredAt: "" as Instant, data: "{}", traceparent: null },
  endpoint: {
    id: endpointId,
    url: "https://receiver.test/",
    primary_secret: "",
    secondary_secret: null,
    secondary_until: null,
    headers: null,
  },
});

test("an endpoint whose deliveries were all recalled keeps no queue, so its window is forgotten in time", () => {
  const queues = new EndpointQueues({ inFlight: 100, perEndpoint: 8, slow: 100, waiting: 100 }, () => 0);
  const roomOf = (endpointId: EndpointId) => queues.reserve(school).of(endpointId);
  const send = () => {
    queues.add(school, [deliveryTo(endpoint)]);
    const slot = queues.next();
    if (slot !== undefined) queues.end(slot, "completed");
  };
  send();
  send();
  expect(roomOf(endpoint)).toBeGreaterThan(1);

  queues.add(school, [deliveryTo(endpoint)]);
  expect(queues.recall(endpoint)).toHaveLength(1);
  // Windows without a queue are kept in an LRU cache of 10,000.
  for (let other = 0; other < 10_000; other += 1) roomOf(String(other) as EndpointId);
  expect(roomOf(endpoint)).toBe(1);
});
