/** What two desks have changed is merged field by field. */
import { expect, test } from "bun:test";
import { changesIn, merge } from "../../src/console/app/merge.ts";

const before = { name: "Ada", phone: null, city: "Egelsbach", types: ["student"] };

test("what only one desk has changed is kept; what both have changed to the same needs nothing", () => {
  const now = { ...before, city: "Kiel", phone: "1" };
  expect(merge({ before, now, mine: { name: "Ada Nova", phone: "1" } }, Object.keys(before), [])).toEqual({
    send: { name: "Ada Nova" },
    theirs: ["city"],
    disputed: [],
  });
});

test("what both have changed to different values is disputed, and is not sent", () => {
  const now = { ...before, phone: "1" };
  expect(merge({ before, now, mine: { phone: "2", city: "Kiel" } }, Object.keys(before), [])).toEqual({
    send: { city: "Kiel" },
    theirs: [],
    disputed: ["phone"],
  });
});

test("of a list the additions and the removals of both desks count, each entry once", () => {
  const lists = (now: unknown[], mine: unknown[], from: unknown[]) =>
    merge({ before: { parts: from }, now: { parts: now }, mine: { parts: mine } }, ["parts"], ["parts"]).send.parts;
  expect(lists(["a", "b"], ["a", "c"], ["a"])).toEqual(["a", "b", "c"]);
  expect(lists(["b"], ["a", "c"], ["a", "b", "c"])).toEqual([]);
  expect(lists([{ id: 1 }, { id: 2 }], [{ id: 2 }], [{ id: 1 }])).toEqual([{ id: 2 }]);
});

test("the changes of a form are its fields that differ and that the resource has", () => {
  expect(changesIn(before, { name: "Ada", phone: "1", other: 3 })).toEqual({ phone: "1" });
});
