import { expect, test } from "bun:test";
import type { OrgId } from "../../src/core/ids.ts";
import { fewLookUps } from "../../src/events/outbound/few-look-ups.ts";

const long = { patience: 60_000 };
const org = (name: string) => name as OrgId;

/** Look-ups that end when the test says so. */
function held(most: number) {
  const begun = new Map<string, () => void>();
  const lookUp = fewLookUps(async (name) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.set(name, resolve);
    await promise;
    return [`address of ${name}`];
  }, most);
  return { begun, lookUp, end: (name: string) => begun.get(name)?.() };
}

test("an organization's names are looked up one at a time, and others' beside them", async () => {
  const { begun, lookUp, end } = held(16);
  const first = lookUp("a1", { orgId: org("a"), ...long });
  const second = lookUp("a2", { orgId: org("a"), ...long });
  const other = lookUp("b1", { orgId: org("b"), ...long });
  expect([...begun.keys()]).toEqual(["a1", "b1"]);
  end("a1");
  expect(await first).toEqual(["address of a1"]);
  expect([...begun.keys()]).toEqual(["a1", "b1", "a2"]);
  end("a2");
  end("b1");
  expect(await Promise.all([second, other])).toEqual([["address of a2"], ["address of b1"]]);
});

test("no more are under way than may be, and one that nobody waits for keeps its place until it has ended", async () => {
  const { begun, lookUp, end } = held(1);
  expect(await lookUp("a1", { orgId: org("a"), patience: 1 })).toEqual([]);
  const next = lookUp("b1", { orgId: org("b"), ...long });
  expect(await lookUp("c1", { orgId: org("c"), patience: 1 })).toEqual([]);
  expect([...begun.keys()]).toEqual(["a1"]);
  end("a1");
  // The one that has given up waiting is never begun.
  while (!begun.has("b1")) await Promise.resolve();
  end("b1");
  expect(await next).toEqual(["address of b1"]);
  expect([...begun.keys()]).toEqual(["a1", "b1"]);
});

test("whoever has had a place waits for all others, however much they ask for", async () => {
  const { begun, lookUp, end } = held(2);
  const all = ["a1", "b1", "a2", "b2", "a3", "c1"].map((name) =>
    lookUp(name, { orgId: org(name.slice(0, 1)), ...long }),
  );
  expect([...begun.keys()]).toEqual(["a1", "b1"]);
  for (const name of ["a1", "c1", "b1", "a2", "b2", "a3"]) {
    while (!begun.has(name)) await Promise.resolve();
    end(name);
  }
  await Promise.all(all);
  expect([...begun.keys()]).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("a name that has no address makes room for the next", async () => {
  const lookUp = fewLookUps(() => Promise.reject(new Error("ENOTFOUND")), 1);
  expect(await lookUp("a", { orgId: org("a"), ...long })).toEqual([]);
  expect(await lookUp("b", { orgId: org("a"), ...long })).toEqual([]);
});
