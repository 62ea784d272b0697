import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../src/core/clock.ts";
import type { DeliveryId, EndpointId, EventId, OrgId } from "../../src/core/ids.ts";
import { EndpointQueues, type Slot, type SlotEnd } from "../../src/events/endpoint-queues.ts";
import type { Claimed } from "../../src/events/outbox.ts";
import type { Caps } from "../../src/events/quotas.ts";

const many: Caps = { inFlight: 100, perEndpoint: 8, slow: 100, waiting: 100 };

/** EndpointQueues with the test's own stopwatch, and deliveries. Endpoints are named `school/endpoint`. */
function newQueues(caps: Partial<Caps> = {}) {
  let [elapsed, count] = [0, 0];
  const queues = new EndpointQueues({ ...many, ...caps }, () => elapsed);
  const delivery = (endpoint: string): Claimed => {
    const endpointId = endpoint as EndpointId;
    const secrets = { primary_secret: "", secondary_secret: null, secondary_until: null, headers: null };
    return {
      id: `${endpoint}#${count++}` as DeliveryId,
      endpointId,
      attempt: 1,
      leaseToken: "a.1",
      leaseUntil: "" as Instant,
      event: { type: "webhook.test", id: "evt_1" as EventId, occurredAt: "" as Instant, data: "{}", traceparent: null },
      endpoint: { id: endpointId, url: "https://receiver.test/", ...secrets },
    };
  };
  return {
    queues,
    add(endpoint: string, number = 1): Claimed[] {
      const deliveries = Array.from({ length: number }, () => delivery(endpoint));
      queues.add(orgOf(endpoint), deliveries);
      return deliveries;
    },
    wait: (milliseconds: number) => {
      elapsed += milliseconds;
    },
    next(): Slot {
      const slot = queues.next();
      if (slot === undefined) throw new Error("No delivery may be sent.");
      return slot;
    },
    all: () => [...iterate(() => queues.next())],
    /** The same, with waits for endpoints that hang. */
    allSpaced: () => [
      ...iterate(() => {
        elapsed += queues.hangingDelay ?? 0;
        return queues.next();
      }),
    ],
    room: (endpoint: string) => queues.reserve(orgOf(endpoint)).of(endpoint as EndpointId),
  };
}

const orgOf = (endpoint: string) => endpoint.split("/")[0] as OrgId;

function* iterate<T>(next: () => T | undefined): Generator<T> {
  for (let item = next(); item !== undefined; item = next()) yield item;
}

const endpointsOf = (slots: readonly Slot[]) => slots.map(({ delivery }) => delivery.endpointId as string);

test("organizations take turns, and endpoints within them", () => {
  const { add, all } = newQueues();
  for (const endpoint of ["a/1", "a/2", "a/3", "b/1", "c/1"]) add(endpoint);
  expect(endpointsOf(all())).toEqual(["a/1", "b/1", "c/1", "a/2", "a/3"]);
});

test("an endpoint's window starts at 1, doubles with every attempt that completes, and falls back to 1 after a timeout", () => {
  const { queues, add, allSpaced, wait } = newQueues();
  const windows: number[] = [];
  const round = (how: SlotEnd, took: number) => {
    add("a/1", 20 - queues.waiting);
    const slots = allSpaced();
    windows.push(slots.length);
    wait(took);
    for (const slot of slots) queues.end(slot, how);
  };
  for (const took of [0, 9000, 0, 0, 0]) round("completed", took);
  round("hung", 10_000);
  round("completed", 0);
  round("skipped", 0);
  expect(windows).toEqual([1, 2, 8, 8, 8, 8, 1, 2]);
});

test("deliveries that wait behind an attempt that timed out are released", () => {
  const { queues, add, next } = newQueues();
  const [, second, third] = add("a/1", 3);
  expect(queues.end(next(), "hung")).toEqual([second, third].filter((delivery) => delivery !== undefined));
  expect(queues).toMatchObject({ waiting: 0, inFlight: 0 });
  expect(queues.next()).toBeUndefined();
});

test("the next attempt at a slow endpoint takes a slow slot, at a quick one a quick slot", () => {
  const { queues, add, next, wait } = newQueues();
  for (const [took, slow] of [
    [1000, 0],
    [1001, 1],
    [0, 0],
  ] as const) {
    add("a/1");
    const slot = next();
    wait(took);
    queues.end(slot, "completed");
    add("a/1");
    const after = next();
    expect(queues.slow).toBe(slow);
    queues.end(after, "skipped");
  }
});

test("an attempt that becomes slow frees its quick slot at once", () => {
  const { queues, add, next, wait } = newQueues({ inFlight: 1 });
  add("a/1");
  next();
  add("a/2");
  expect(queues.next()).toBeUndefined();
  expect(queues.isBlocked).toBe(true);
  wait(999);
  queues.moveSlowAttempts();
  expect(queues.next()).toBeUndefined();
  wait(1);
  queues.moveSlowAttempts();
  expect(endpointsOf([next()])).toEqual(["a/2"]);
  expect(queues).toMatchObject({ slow: 1, inFlight: 2 });
});

test("no more attempts move to slow slots than there are", () => {
  const { queues, add, all, wait } = newQueues({ inFlight: 4, slow: 4 });
  for (const endpoint of ["a/1", "a/2", "a/3", "a/4"]) add(endpoint);
  expect(endpointsOf(all())).toEqual(["a/1", "a/2"]);
  wait(1001);
  queues.moveSlowAttempts();
  expect(endpointsOf(all())).toEqual(["a/3"]);
  expect(queues).toMatchObject({ slow: 1, inFlight: 3, waiting: 1 });
});

/** Makes an endpoint slow, or hang. */
function slowDown(
  { queues, add, next, wait }: ReturnType<typeof newQueues>,
  endpoint: string,
  how: SlotEnd = "completed",
): void {
  add(endpoint);
  const slot = next();
  wait(1001);
  queues.end(slot, how);
}

test("without a free slow slot, no slow attempt starts and nothing is claimed for slow endpoints", () => {
  const scene = newQueues({ slow: 1 });
  for (const endpoint of ["a/1", "a/2"]) slowDown(scene, endpoint);
  const { queues, add, all, room } = scene;
  expect(room("a/2")).toBe(2);
  add("a/1");
  add("a/2");
  const slots = all();
  expect(endpointsOf(slots)).toEqual(["a/1"]);
  expect([room("a/1"), room("a/2"), room("a/3")]).toEqual([0, 0, 1]);
  for (const slot of slots) queues.end(slot, "completed");
  expect(endpointsOf(all())).toEqual(["a/2"]);
});

test("attempts at endpoints that hang start 10 ms after each other, and no others wait for them", () => {
  const scene = newQueues();
  const { queues, add, all, wait } = scene;
  for (const endpoint of ["a/1", "a/2", "b/1"]) slowDown(scene, endpoint, "hung");
  for (const endpoint of ["d/1", "d/2"]) slowDown(scene, endpoint);
  expect(queues.hangingDelay).toBeUndefined();
  for (const endpoint of ["a/1", "a/2", "b/1", "c/1", "d/1", "d/2"]) add(endpoint);
  expect(queues.hangingDelay).toBe(0);
  expect(endpointsOf(all())).toEqual(["c/1", "d/1", "d/2", "a/1"]);
  wait(2);
  expect(queues.hangingDelay).toBe(8);
  add("c/2");
  expect(endpointsOf(all())).toEqual(["c/2"]);
  wait(8);
  expect(endpointsOf(all())).toEqual(["b/1"]);
  wait(10);
  expect(endpointsOf(all())).toEqual(["a/2"]);
  expect(queues.hangingDelay).toBeUndefined();
});

test("an endpoint that responds again does not wait for those that hang", () => {
  const scene = newQueues();
  const { queues, add, next, all } = scene;
  for (const endpoint of ["a/1", "a/2"]) slowDown(scene, endpoint, "hung");
  scene.wait(10);
  add("a/1");
  const slot = next();
  scene.wait(2000);
  queues.end(slot, "completed");
  add("a/2");
  add("a/1", 2);
  expect(endpointsOf(all())).toEqual(["a/1", "a/1", "a/2"]);
});

test("hangingDelay is undefined while no slow slot is free", () => {
  const scene = newQueues({ slow: 1 });
  const { queues, add, next } = scene;
  for (const endpoint of ["a/1", "a/2"]) slowDown(scene, endpoint, "hung");
  for (const endpoint of ["a/1", "a/2"]) add(endpoint);
  const slot = next();
  expect(queues.hangingDelay).toBeUndefined();
  queues.end(slot, "completed");
  expect(queues.hangingDelay).toBe(10);
});

test("an endpoint that becomes quick while it waits for a slow slot takes a quick slot, within their cap", () => {
  const scene = newQueues({ slow: 1, inFlight: 1 });
  slowDown(scene, "a/1");
  const { queues, add, next } = scene;
  add("a/1", 3);
  const slow = next();
  expect(queues.slow).toBe(1);
  add("a/2");
  next();
  // It responds quickly while its other deliveries wait for slow slots, and the only quick slot is taken.
  queues.end(slow, "completed");
  expect(queues.next()).toBeUndefined();
  expect(queues).toMatchObject({ inFlight: 1, slow: 0, waiting: 2, isBlocked: true });
});

test("concurrent claims share the room", () => {
  const { queues, add, room } = newQueues({ waiting: 12 });
  const org = "a" as OrgId;
  const [one, other] = [queues.reserve(org), queues.reserve(org)];
  const endpoints = ["a/1", "a/2", "a/3", "a/4"] as EndpointId[];
  const taken = endpoints.map((endpoint, index) => (index < 2 ? one : other).take(endpoint, 1));
  expect(taken).toEqual([1, 1, 1, 0]);
  expect([room("a/5"), queues.waiting]).toEqual([0, 0]);
  add("a/1");
  one.drop();
  one.drop();
  expect([room("a/5"), queues.waiting]).toEqual([1, 1]);
});

test("an organization holds at most half of the quick slots, and a quarter of the slow slots and of the waiting deliveries", () => {
  const { queues, add, all, wait, room } = newQueues({ inFlight: 8, slow: 8, waiting: 8, perEndpoint: 1 });
  const fill = () => {
    for (let index = 1; room(`a/new${index}`) > 0; index++) add(`a/new${index}-${queues.inFlight}`);
  };
  fill();
  expect(queues.waiting).toBe(2);
  for (let round = 0; round < 8; round++) {
    all();
    wait(1001);
    queues.moveSlowAttempts();
    fill();
  }
  expect(queues).toMatchObject({ inFlight: 4 + 2, slow: 2, waiting: 2 });
  expect([room("a/more"), room("b/1")]).toEqual([0, 1]);
});

test("an organization that holds nothing starts an attempt at once, even if all slots are taken", () => {
  const { queues, add, all, wait, room } = newQueues({ inFlight: 4, slow: 4, waiting: 4, perEndpoint: 1 });
  for (let round = 0; round < 4; round++) {
    for (const org of ["a", "b"]) if (room(`${org}/${round}`) > 0) add(`${org}/${round}`);
    all();
    wait(1001);
    queues.moveSlowAttempts();
  }
  // Both organizations have reached their quotas, and an attempt that hangs holds every quick slot.
  expect(queues).toMatchObject({ slow: 2, inFlight: 2 + 4 });
  expect(room("late/1")).toBe(1);
  add("late/1");
  expect(endpointsOf(all())).toContain("late/1");
});

test("at twice a cap no organization gets more", () => {
  const { queues, add, all, room } = newQueues({ inFlight: 1, waiting: 1 });
  for (const org of ["a", "b"]) add(`${org}/1`);
  expect([queues.isFull, room("c/1")]).toEqual([true, 0]);
  expect(all()).toHaveLength(2);
  expect([queues.isFull, room("c/1")]).toEqual([false, 1]);
  add("c/1");
  expect(all()).toEqual([]);
});

test("recall removes the waiting deliveries of an endpoint, but no attempt in flight", () => {
  const { queues, add, all, next } = newQueues();
  const [first, ...others] = add("a/1", 3);
  const [beside] = add("a/2");
  const slot = next();
  expect(slot.delivery.id).toBe(first?.id ?? ("" as DeliveryId));
  expect(queues.recall("a/1" as EndpointId)).toEqual(others);
  expect(queues.recall("a/3" as EndpointId)).toEqual([]);
  expect(all().map(({ delivery }) => delivery)).toEqual(beside === undefined ? [] : [beside]);
  expect(queues.end(slot, "hung")).toEqual([]);
  expect(queues).toMatchObject({ waiting: 0, inFlight: 1 });
});

test("in any sequence of steps the caps hold, and each delivery waits, is in flight, was released or has ended, once", () => {
  const endpoints = ["a/1", "a/2", "b/1", "c/1", "c/2"];
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("claim" as const), of: fc.subarray(endpoints) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("start" as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("end" as const),
        which: fc.nat(20),
        how: fc.constantFrom<SlotEnd>("completed", "completed", "hung", "skipped"),
      }),
    },
    fc.record({ kind: fc.constant("wait" as const), milliseconds: fc.constantFrom(1, 600, 1100) }),
    fc.record({ kind: fc.constantFrom("moveSlow" as const, "clear" as const) }),
    fc.record({ kind: fc.constant("recall" as const), endpoint: fc.constantFrom(...endpoints) }),
  );
  const caps = fc.record({
    inFlight: fc.integer({ min: 1, max: 4 }),
    perEndpoint: fc.integer({ min: 1, max: 4 }),
    slow: fc.integer({ min: 1, max: 3 }),
    waiting: fc.integer({ min: 1, max: 6 }),
  });
  fc.assert(
    fc.property(caps, fc.array(step, { maxLength: 120 }), (limits, steps) => {
      const { queues, add, wait, allSpaced } = newQueues(limits);
      const [waiting, done] = [new Set<DeliveryId>(), new Set<DeliveryId>()];
      const inFlight: Slot[] = [];
      const end = (id: DeliveryId) => {
        expect(done.has(id)).toBe(false);
        done.add(id);
      };
      const release = (deliveries: readonly Claimed[]) => {
        for (const { id } of deliveries) {
          expect(waiting.delete(id)).toBe(true);
          end(id);
        }
      };
      let claimed = 0;
      for (const { kind, ...rest } of steps) {
        if (kind === "claim" && "of" in rest) {
          const rooms = new Map([...new Set(rest.of.map(orgOf))].map((org) => [org, queues.reserve(org)]));
          const taken = rest.of.map((endpoint) => ({
            endpoint,
            count: rooms.get(orgOf(endpoint))?.take(endpoint as EndpointId, 3) ?? 0,
          }));
          for (const { endpoint, count } of taken)
            for (const { id } of add(endpoint, count)) {
              claimed += 1;
              waiting.add(id);
            }
          for (const room of rooms.values()) room.drop();
        } else if (kind === "start") {
          const slot = queues.next();
          if (slot !== undefined) {
            expect(waiting.delete(slot.delivery.id)).toBe(true);
            inFlight.push(slot);
          }
        } else if (kind === "end" && "how" in rest) {
          const [slot] = inFlight.splice(rest.which % (inFlight.length || 1), 1);
          if (slot !== undefined) {
            end(slot.delivery.id);
            release(queues.end(slot, rest.how));
          }
        } else if (kind === "wait" && "milliseconds" in rest) wait(rest.milliseconds);
        else if (kind === "moveSlow") queues.moveSlowAttempts();
        else if (kind === "recall" && "endpoint" in rest) release(queues.recall(rest.endpoint as EndpointId));
        else if (kind === "clear") release(queues.clear().map(({ delivery }) => delivery));

        const slow = inFlight.filter((slot) => slot.slow).length;
        expect(queues).toMatchObject({ inFlight: inFlight.length, slow, waiting: waiting.size });
        expect(claimed).toBe(waiting.size + inFlight.length + done.size);
        expect(inFlight.length - slow).toBeLessThanOrEqual(2 * limits.inFlight);
        expect(slow).toBeLessThanOrEqual(2 * limits.slow);
        expect(waiting.size).toBeLessThanOrEqual(2 * limits.waiting);
        for (const org of ["a", "b", "c"] as OrgId[]) {
          const own = inFlight.filter(({ orgId }) => orgId === org);
          const ownSlow = own.filter((slot) => slot.slow).length;
          expect(own.length - ownSlow).toBeLessThanOrEqual(Math.max(1, limits.inFlight / 2));
          expect(ownSlow).toBeLessThanOrEqual(Math.max(1, limits.slow / 4));
        }
        for (const endpoint of endpoints) {
          const at = inFlight.filter(({ delivery }) => delivery.endpointId === (endpoint as EndpointId));
          expect(at.length).toBeLessThanOrEqual(limits.perEndpoint);
        }
      }
      // No delivery is lost: with all slots free, all waiting deliveries are sent.
      while (waiting.size + inFlight.length > 0) {
        for (const slot of allSpaced()) {
          waiting.delete(slot.delivery.id);
          inFlight.push(slot);
        }
        expect(inFlight.length).toBeGreaterThan(0);
        for (const slot of inFlight.splice(0)) queues.end(slot, "completed");
      }
      expect(queues).toMatchObject({ inFlight: 0, slow: 0, waiting: 0, isFull: false, isBlocked: false });
    }),
  );
});
