import { expect, test } from "bun:test";
import fc from "fast-check";
import { isId, newId } from "../../src/core/ids.ts";
import { TestClock } from "../support/clock.ts";

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const instant = fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true });

test("newId makes lowercase UUIDs of version 7 with their creation time", () => {
  fc.assert(
    fc.property(instant, (now) => {
      const id = newId({ now: () => now });
      expect(id).toMatch(uuidV7);
      expect(isId(id)).toBeTrue();
      expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(now.getTime());
    }),
  );
});

test("newId's ids sort by creation time", () => {
  fc.assert(
    fc.property(fc.uniqueArray(instant, { selector: (date) => date.getTime(), maxLength: 20 }), (dates) => {
      const born = dates.toSorted((a, b) => a.getTime() - b.getTime()).map((now) => newId({ now: () => now }));
      expect(born.toSorted()).toEqual(born);
    }),
  );
});

test("newId never repeats an id, even at the same time", () => {
  const clock = new TestClock();
  expect(new Set(Array.from({ length: 10_000 }, () => newId(clock))).size).toBe(10_000);
});

test("isId accepts only a lowercase UUID", () => {
  const id = newId(new TestClock());
  expect(isId(id)).toBeTrue();
  for (const wrong of [
    "",
    id.toUpperCase(),
    `${id} `,
    `${id}\n`,
    ` ${id}`,
    id.slice(1),
    id.replaceAll("-", ""),
    `../${id}`,
  ])
    expect([wrong, isId(wrong)]).toEqual([wrong, false]);
});
