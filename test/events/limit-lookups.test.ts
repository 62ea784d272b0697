import { expect, test } from "bun:test";
import type { OrgId } from "../../src/core/ids.ts";
import { limitLookups } from "../../src/events/outbound/limit-lookups.ts";

const long = { timeout: 60_000 };
const org = (name: string) => name as OrgId;

/** Lookups that end when the test ends them. */
function heldLookups(max: number) {
  const started = new Map<string, () => void>();
  const lookUp = limitLookups(async (name) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    started.set(name, resolve);
    await promise;
    return [`address of ${name}`];
  }, max);
  return { started, lookUp, end: (name: string) => started.get(name)?.() };
}

test("one organization's lookups run one at a time, in parallel with those of others", async () => {
  const { started, lookUp, end } = heldLookups(16);
  const first = lookUp("a1", { orgId: org("a"), ...long });
  const second = lookUp("a2", { orgId: org("a"), ...long });
  const other = lookUp("b1", { orgId: org("b"), ...long });
  expect([...started.keys()]).toEqual(["a1", "b1"]);
  end("a1");
  expect(await first).toEqual(["address of a1"]);
  expect([...started.keys()]).toEqual(["a1", "b1", "a2"]);
  end("a2");
  end("b1");
  expect(await Promise.all([second, other])).toEqual([["address of a2"], ["address of b1"]]);
});

test("no more lookups run than the limit, and one that timed out keeps its slot until it has ended", async () => {
  const { started, lookUp, end } = heldLookups(1);
  expect(await lookUp("a1", { orgId: org("a"), timeout: 1 })).toEqual([]);
  const next = lookUp("b1", { orgId: org("b"), ...long });
  expect(await lookUp("c1", { orgId: org("c"), timeout: 1 })).toEqual([]);
  expect([...started.keys()]).toEqual(["a1"]);
  end("a1");
  // The request for c1 timed out while it waited: it never starts.
  while (!started.has("b1")) await Promise.resolve();
  end("b1");
  expect(await next).toEqual(["address of b1"]);
  expect([...started.keys()]).toEqual(["a1", "b1"]);
});

test("an organization whose lookup ended waits for all others, however many lookups it has", async () => {
  const { started, lookUp, end } = heldLookups(2);
  const all = ["a1", "b1", "a2", "b2", "a3", "c1"].map((name) =>
    lookUp(name, { orgId: org(name.slice(0, 1)), ...long }),
  );
  expect([...started.keys()]).toEqual(["a1", "b1"]);
  for (const name of ["a1", "c1", "b1", "a2", "b2", "a3"]) {
    while (!started.has(name)) await Promise.resolve();
    end(name);
  }
  await Promise.all(all);
  expect([...started.keys()]).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

test("a lookup that fails frees its slot", async () => {
  const lookUp = limitLookups(() => Promise.reject(new Error("ENOTFOUND")), 1);
  expect(await lookUp("a", { orgId: org("a"), ...long })).toEqual([]);
  expect(await lookUp("b", { orgId: org("a"), ...long })).toEqual([]);
});
