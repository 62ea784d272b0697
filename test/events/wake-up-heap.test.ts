import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Instant } from "../../src/core/clock.ts";
import type { OrgId } from "../../src/core/ids.ts";
import { WakeUpHeap } from "../../src/events/wake-up-heap.ts";

test("WakeUpHeap returns each organization once, at its soonest time", () => {
  const step = fc.record({
    org: fc.integer({ min: 0, max: 5 }),
    at: fc.integer({ min: 0, max: 20 }),
    take: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const heap = new WakeUpHeap();
      const model = new Map<OrgId, Instant>();
      const instant = (at: number) => `2026-01-01T00:00:${String(at).padStart(2, "0")}.000Z` as Instant;
      for (const { org, at, take } of steps) {
        const [orgId, time] = [`org-${org}` as OrgId, instant(at)];
        if (take) {
          const due = [...model].filter(([, known]) => known <= time);
          expect(heap.take(time).sort()).toEqual(due.map(([known]) => known).sort());
          for (const [known] of due) model.delete(known);
        } else {
          heap.add(orgId, time);
          const known = model.get(orgId);
          if (known === undefined || time < known) model.set(orgId, time);
        }
        expect(heap.first()).toBe([...model.values()].sort()[0]);
      }
    }),
  );
});
