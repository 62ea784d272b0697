import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../src/core/clock.ts";
import type { DeliveryId, EndpointId, EventId, OrgId } from "../../src/core/ids.ts";
import { Lanes, type Slot, type SlotEnd } from "../../src/events/lanes.ts";
import type { Claimed } from "../../src/events/outbox.ts";
import type { Caps } from "../../src/events/shares.ts";

const many: Caps = { inFlight: 100, perEndpoint: 8, slow: 100, waiting: 100 };

/** Lanes with a stopwatch of the test's own, and deliveries to put in. Endpoints are named as `school/endpoint`. */
function newLanes(caps: Partial<Caps> = {}) {
  let [elapsed, count] = [0, 0];
  const lanes = new Lanes({ ...many, ...caps }, () => elapsed);
  const delivery = (endpoint: string): Claimed => {
    const endpointId = endpoint as EndpointId;
    const secrets = { primary_secret: "", secondary_secret: null, secondary_until: null, headers: null };
    return {
      id: `${endpoint}#${count++}` as DeliveryId,
      endpointId,
      attempt: 1,
      leaseToken: "a.1",
      leaseUntil: "" as Instant,
      event: { type: "webhook.test", id: "evt_1" as EventId, occurredAt: "" as Instant, data: "{}" },
      endpoint: { id: endpointId, url: "https://receiver.test/", ...secrets },
    };
  };
  return {
    lanes,
    add(endpoint: string, number = 1): Claimed[] {
      const deliveries = Array.from({ length: number }, () => delivery(endpoint));
      lanes.add(orgOf(endpoint), deliveries);
      return deliveries;
    },
    wait: (milliseconds: number) => {
      elapsed += milliseconds;
    },
    next(): Slot {
      const slot = lanes.next();
      if (slot === undefined) throw new Error("Nobody's turn.");
      return slot;
    },
    all: () => [...iterate(() => lanes.next())],
    /** The same, as time goes by. */
    allSpaced: () => [
      ...iterate(() => {
        elapsed += lanes.untilHanging ?? 0;
        return lanes.next();
      }),
    ],
    room: (endpoint: string) => lanes.reserve(orgOf(endpoint)).of(endpoint as EndpointId),
  };
}

const orgOf = (endpoint: string) => endpoint.split("/")[0] as OrgId;

function* iterate<T>(next: () => T | undefined): Generator<T> {
  for (let one = next(); one !== undefined; one = next()) yield one;
}

const endpointsOf = (slots: readonly Slot[]) => slots.map(({ delivery }) => delivery.endpointId as string);

test("organizations take turns, and endpoints within them", () => {
  const { add, all } = newLanes();
  for (const endpoint of ["a/1", "a/2", "a/3", "b/1", "c/1"]) add(endpoint);
  expect(endpointsOf(all())).toEqual(["a/1", "b/1", "c/1", "a/2", "a/3"]);
});

test("an endpoint begins with one at a time, is given twice as many with every answer, and one again when it hangs", () => {
  const { lanes, add, allSpaced, wait } = newLanes();
  const windows: number[] = [];
  const round = (how: SlotEnd, took: number) => {
    add("a/1", 20 - lanes.waiting);
    const slots = allSpaced();
    windows.push(slots.length);
    wait(took);
    for (const slot of slots) lanes.end(slot, how);
  };
  for (const took of [0, 9000, 0, 0, 0]) round("answered", took);
  round("hung", 10_000);
  round("answered", 0);
  round("unmade", 0);
  expect(windows).toEqual([1, 2, 8, 8, 8, 8, 1, 2]);
});

test("what waits behind an attempt that hung is given back", () => {
  const { lanes, add, next } = newLanes();
  const [, second, third] = add("a/1", 3);
  expect(lanes.end(next(), "hung")).toEqual([second, third].filter((one) => one !== undefined));
  expect(lanes).toMatchObject({ waiting: 0, inFlight: 0 });
  expect(lanes.next()).toBeUndefined();
});

test("the next attempt at an endpoint that was slow takes a slow slot, and one at an endpoint that was quick does not", () => {
  const { lanes, add, next, wait } = newLanes();
  for (const [took, slow] of [
    [1000, 0],
    [1001, 1],
    [0, 0],
  ] as const) {
    add("a/1");
    const slot = next();
    wait(took);
    lanes.end(slot, "answered");
    add("a/1");
    const after = next();
    expect(lanes.slow).toBe(slow);
    lanes.end(after, "unmade");
  }
});

test("an attempt that becomes slow makes room for others at once", () => {
  const { lanes, add, next, wait } = newLanes({ inFlight: 1 });
  add("a/1");
  next();
  add("a/2");
  expect(lanes.next()).toBeUndefined();
  expect(lanes.isBlocked).toBe(true);
  wait(999);
  lanes.setSlowAside();
  expect(lanes.next()).toBeUndefined();
  wait(1);
  lanes.setSlowAside();
  expect(endpointsOf([next()])).toEqual(["a/2"]);
  expect(lanes).toMatchObject({ slow: 1, inFlight: 2 });
});

test("no more attempts are set aside than there are slow slots", () => {
  const { lanes, add, all, wait } = newLanes({ inFlight: 4, slow: 4 });
  for (const endpoint of ["a/1", "a/2", "a/3", "a/4"]) add(endpoint);
  expect(endpointsOf(all())).toEqual(["a/1", "a/2"]);
  wait(1001);
  lanes.setSlowAside();
  expect(endpointsOf(all())).toEqual(["a/3"]);
  expect(lanes).toMatchObject({ slow: 1, inFlight: 3, waiting: 1 });
});

/** Makes an endpoint known as slow, or as one that hangs. */
function slowDown(
  { lanes, add, next, wait }: ReturnType<typeof newLanes>,
  endpoint: string,
  how: SlotEnd = "answered",
): void {
  add(endpoint);
  const slot = next();
  wait(1001);
  lanes.end(slot, how);
}

test("no more slow attempts are begun, and nothing more is claimed for slow endpoints, than there are slow slots", () => {
  const scene = newLanes({ slow: 1 });
  for (const endpoint of ["a/1", "a/2"]) slowDown(scene, endpoint);
  const { lanes, add, all, room } = scene;
  expect(room("a/2")).toBe(2);
  add("a/1");
  add("a/2");
  const slots = all();
  expect(endpointsOf(slots)).toEqual(["a/1"]);
  expect([room("a/1"), room("a/2"), room("a/3")]).toEqual([0, 0, 1]);
  for (const slot of slots) lanes.end(slot, "answered");
  expect(endpointsOf(all())).toEqual(["a/2"]);
});

test("attempts at endpoints that hang begin 10 ms after each other, and no others wait for them", () => {
  const scene = newLanes();
  const { lanes, add, all, wait } = scene;
  for (const endpoint of ["a/1", "a/2", "b/1"]) slowDown(scene, endpoint, "hung");
  for (const endpoint of ["d/1", "d/2"]) slowDown(scene, endpoint);
  expect(lanes.untilHanging).toBeUndefined();
  for (const endpoint of ["a/1", "a/2", "b/1", "c/1", "d/1", "d/2"]) add(endpoint);
  expect(lanes.untilHanging).toBe(0);
  expect(endpointsOf(all())).toEqual(["c/1", "d/1", "d/2", "a/1"]);
  wait(2);
  expect(lanes.untilHanging).toBe(8);
  add("c/2");
  expect(endpointsOf(all())).toEqual(["c/2"]);
  wait(8);
  expect(endpointsOf(all())).toEqual(["b/1"]);
  wait(10);
  expect(endpointsOf(all())).toEqual(["a/2"]);
  expect(lanes.untilHanging).toBeUndefined();
});

test("an endpoint that answers again waits for none that hang", () => {
  const scene = newLanes();
  const { lanes, add, next, all } = scene;
  for (const endpoint of ["a/1", "a/2"]) slowDown(scene, endpoint, "hung");
  scene.wait(10);
  add("a/1");
  const slot = next();
  scene.wait(2000);
  lanes.end(slot, "answered");
  add("a/2");
  add("a/1", 2);
  expect(endpointsOf(all())).toEqual(["a/1", "a/1", "a/2"]);
});

test("nothing is waited for while no slow slot is free", () => {
  const scene = newLanes({ slow: 1 });
  const { lanes, add, next } = scene;
  for (const endpoint of ["a/1", "a/2"]) slowDown(scene, endpoint, "hung");
  for (const endpoint of ["a/1", "a/2"]) add(endpoint);
  const slot = next();
  expect(lanes.untilHanging).toBeUndefined();
  lanes.end(slot, "answered");
  expect(lanes.untilHanging).toBe(10);
});

test("an endpoint that turns quick while it waits among the slow ones takes a quick slot, within their cap", () => {
  const scene = newLanes({ slow: 1, inFlight: 1 });
  slowDown(scene, "a/1");
  const { lanes, add, next } = scene;
  add("a/1", 3);
  const slow = next();
  expect(lanes.slow).toBe(1);
  add("a/2");
  next();
  // It answers quickly, while what else it has stands in line for slow slots and the only quick one is taken.
  lanes.end(slow, "answered");
  expect(lanes.next()).toBeUndefined();
  expect(lanes).toMatchObject({ inFlight: 1, slow: 0, waiting: 2, isBlocked: true });
});

test("claims side by side share the room there is", () => {
  const { lanes, add, room } = newLanes({ waiting: 12 });
  const org = "a" as OrgId;
  const [one, other] = [lanes.reserve(org), lanes.reserve(org)];
  const endpoints = ["a/1", "a/2", "a/3", "a/4"] as EndpointId[];
  const taken = endpoints.map((endpoint, index) => (index < 2 ? one : other).take(endpoint, 1));
  expect(taken).toEqual([1, 1, 1, 0]);
  expect([room("a/5"), lanes.waiting]).toEqual([0, 0]);
  add("a/1");
  one.drop();
  one.drop();
  expect([room("a/5"), lanes.waiting]).toEqual([1, 1]);
});

test("an organization holds half of the quick slots, a quarter of the slow ones and of what waits, and no more", () => {
  const { lanes, add, all, wait, room } = newLanes({ inFlight: 8, slow: 8, waiting: 8, perEndpoint: 1 });
  const fill = () => {
    for (let index = 1; room(`a/new${index}`) > 0; index++) add(`a/new${index}-${lanes.inFlight}`);
  };
  fill();
  expect(lanes.waiting).toBe(2);
  for (let round = 0; round < 8; round++) {
    all();
    wait(1001);
    lanes.setSlowAside();
    fill();
  }
  expect(lanes).toMatchObject({ inFlight: 4 + 2, slow: 2, waiting: 2 });
  expect([room("a/more"), room("b/1")]).toEqual([0, 1]);
});

test("an organization that has nothing under way begins something at once, whatever the others hold", () => {
  const { lanes, add, all, wait, room } = newLanes({ inFlight: 4, slow: 4, waiting: 4, perEndpoint: 1 });
  for (let round = 0; round < 4; round++) {
    for (const org of ["a", "b"]) if (room(`${org}/${round}`) > 0) add(`${org}/${round}`);
    all();
    wait(1001);
    lanes.setSlowAside();
  }
  // They have all that they may, and every quick slot is held by an attempt that hangs.
  expect(lanes).toMatchObject({ slow: 2, inFlight: 2 + 4 });
  expect(room("late/1")).toBe(1);
  add("late/1");
  expect(endpointsOf(all())).toContain("late/1");
});

test("beyond twice a cap nobody gets anything more", () => {
  const { lanes, add, all, room } = newLanes({ inFlight: 1, waiting: 1 });
  for (const org of ["a", "b"]) add(`${org}/1`);
  expect([lanes.isFull, room("c/1")]).toEqual([true, 0]);
  expect(all()).toHaveLength(2);
  expect([lanes.isFull, room("c/1")]).toEqual([false, 1]);
  add("c/1");
  expect(all()).toEqual([]);
});

test("what waits for an endpoint is recalled, and what is under way there is not", () => {
  const { lanes, add, all, next } = newLanes();
  const [first, ...others] = add("a/1", 3);
  const [beside] = add("a/2");
  const slot = next();
  expect(slot.delivery.id).toBe(first?.id ?? ("" as DeliveryId));
  expect(lanes.recall("a/1" as EndpointId)).toEqual(others);
  expect(lanes.recall("a/3" as EndpointId)).toEqual([]);
  expect(all().map(({ delivery }) => delivery)).toEqual(beside === undefined ? [] : [beside]);
  expect(lanes.end(slot, "hung")).toEqual([]);
  expect(lanes).toMatchObject({ waiting: 0, inFlight: 1 });
});

test("whatever comes, the caps hold, and each delivery waits, is under way, was given back or has ended, once", () => {
  const endpoints = ["a/1", "a/2", "b/1", "c/1", "c/2"];
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("claim" as const), of: fc.subarray(endpoints) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("begin" as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant("end" as const),
        which: fc.nat(20),
        how: fc.constantFrom<SlotEnd>("answered", "answered", "hung", "unmade"),
      }),
    },
    fc.record({ kind: fc.constant("wait" as const), milliseconds: fc.constantFrom(1, 600, 1100) }),
    fc.record({ kind: fc.constantFrom("aside" as const, "clear" as const) }),
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
      const { lanes, add, wait, allSpaced } = newLanes(limits);
      const [waiting, over] = [new Set<DeliveryId>(), new Set<DeliveryId>()];
      const underWay: Slot[] = [];
      const end = (id: DeliveryId) => {
        expect(over.has(id)).toBe(false);
        over.add(id);
      };
      const giveBack = (deliveries: readonly Claimed[]) => {
        for (const { id } of deliveries) {
          expect(waiting.delete(id)).toBe(true);
          end(id);
        }
      };
      let claimed = 0;
      for (const { kind, ...rest } of steps) {
        if (kind === "claim" && "of" in rest) {
          const rooms = new Map([...new Set(rest.of.map(orgOf))].map((org) => [org, lanes.reserve(org)]));
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
        } else if (kind === "begin") {
          const slot = lanes.next();
          if (slot !== undefined) {
            expect(waiting.delete(slot.delivery.id)).toBe(true);
            underWay.push(slot);
          }
        } else if (kind === "end" && "how" in rest) {
          const [slot] = underWay.splice(rest.which % (underWay.length || 1), 1);
          if (slot !== undefined) {
            end(slot.delivery.id);
            giveBack(lanes.end(slot, rest.how));
          }
        } else if (kind === "wait" && "milliseconds" in rest) wait(rest.milliseconds);
        else if (kind === "aside") lanes.setSlowAside();
        else if (kind === "recall" && "endpoint" in rest) giveBack(lanes.recall(rest.endpoint as EndpointId));
        else if (kind === "clear") giveBack(lanes.clear().map(({ delivery }) => delivery));

        const slow = underWay.filter((slot) => slot.slow).length;
        expect(lanes).toMatchObject({ inFlight: underWay.length, slow, waiting: waiting.size });
        expect(claimed).toBe(waiting.size + underWay.length + over.size);
        expect(underWay.length - slow).toBeLessThanOrEqual(2 * limits.inFlight);
        expect(slow).toBeLessThanOrEqual(2 * limits.slow);
        expect(waiting.size).toBeLessThanOrEqual(2 * limits.waiting);
        for (const org of ["a", "b", "c"] as OrgId[]) {
          const own = underWay.filter(({ orgId }) => orgId === org);
          const ownSlow = own.filter((slot) => slot.slow).length;
          expect(own.length - ownSlow).toBeLessThanOrEqual(Math.max(1, limits.inFlight / 2));
          expect(ownSlow).toBeLessThanOrEqual(Math.max(1, limits.slow / 4));
        }
        for (const endpoint of endpoints) {
          const at = underWay.filter(({ delivery }) => delivery.endpointId === (endpoint as EndpointId));
          expect(at.length).toBeLessThanOrEqual(limits.perEndpoint);
        }
      }
      // Nothing is left behind: with all slots free, all that waits gets its turn.
      while (waiting.size + underWay.length > 0) {
        for (const slot of allSpaced()) {
          waiting.delete(slot.delivery.id);
          underWay.push(slot);
        }
        expect(underWay.length).toBeGreaterThan(0);
        for (const slot of underWay.splice(0)) lanes.end(slot, "answered");
      }
      expect(lanes).toMatchObject({ inFlight: 0, slow: 0, waiting: 0, isFull: false, isBlocked: false });
    }),
  );
});
