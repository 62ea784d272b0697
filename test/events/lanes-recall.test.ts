import { expect, test } from "bun:test";
import type { Instant } from "../../src/core/clock.ts";
import type { DeliveryId, EndpointId, EventId, OrgId } from "../../src/core/ids.ts";
import { Lanes } from "../../src/events/lanes.ts";
import type { Claimed } from "../../src/events/outbox.ts";

const school = "school" as OrgId;
const known = "known" as EndpointId;

const deliveryTo = (endpointId: EndpointId): Claimed => ({
  id: "delivery" as DeliveryId,
  endpointId,
  attempt: 1,
  leaseToken: "a.1",
  leaseUntil: "" as Instant,
  event: { type: "webhook.test", id: "evt_1" as EventId, occurredAt: "" as Instant, data: "{}" },
  endpoint: {
    id: endpointId,
    url: "https://receiver.test/",
    primary_secret: "",
    secondary_secret: null,
    secondary_until: null,
    headers: null,
  },
});

test("an endpoint that all was recalled of keeps no lane: it is forgotten with time, as any other is", () => {
  const lanes = new Lanes({ inFlight: 100, perEndpoint: 8, slow: 100, waiting: 100 }, () => 0);
  const roomOf = (endpointId: EndpointId) => lanes.reserve(school).of(endpointId);
  const send = () => {
    lanes.add(school, [deliveryTo(known)]);
    const slot = lanes.next();
    if (slot !== undefined) lanes.end(slot, "answered");
  };
  send();
  send();
  expect(roomOf(known)).toBeGreaterThan(1);

  lanes.add(school, [deliveryTo(known)]);
  expect(lanes.recall(known)).toHaveLength(1);
  // Only so many paces are remembered beyond those of lanes.
  for (let other = 0; other < 10_000; other += 1) roomOf(`${other}` as EndpointId);
  expect(roomOf(known)).toBe(1);
});
