import { expect, test } from "bun:test";
import type { Attempt } from "../../src/events/attempt.ts";
import type { Claimed } from "../../src/events/outbox.ts";
import { Work } from "../../src/events/work.ts";
import type { Tenant } from "../../src/storage/store.ts";

/** Work looks into none of these: it hands on what it was given. */
const newWork = () => new Work({} as Tenant);
const delivery = (id: string) => ({ id }) as unknown as Claimed;
const attempt = (id: string) => ({ delivery: { id } }) as unknown as Attempt;

test("a delivery that was claimed is open until its attempt has ended, was skipped, or it is given back", () => {
  const work = newWork();
  work.claimed(3);
  work.begun();
  work.begun();
  expect(work).toMatchObject({ open: 3, hasMore: false, isBusy: true });
  work.ended(attempt("a"));
  work.skipped(delivery("b"));
  work.givenBack([delivery("c")]);
  expect(work).toMatchObject({ open: 0, hasMore: true, isBusy: false });
  expect(work.takeBatch()).toEqual({ ended: [attempt("a")], unused: [delivery("b"), delivery("c")] });
  expect(work).toMatchObject({ hasMore: false, isBusy: false });
});

test("what could not be written goes first with the next transaction", () => {
  const work = newWork();
  work.claimed(4);
  for (const _ of [1, 2, 3]) work.begun();
  work.ended(attempt("a"));
  work.skipped(delivery("b"));
  const batch = work.takeBatch();
  work.ended(attempt("c"));
  work.givenBack([delivery("d")]);
  work.putBack(batch);
  expect(work.takeBatch()).toEqual({ ended: [attempt("a"), attempt("c")], unused: [delivery("b"), delivery("d")] });
});

test("a look that failed is not asked for again by what could not be written", () => {
  const work = newWork();
  work.look();
  work.putBack(work.takeBatch());
  expect(work).toMatchObject({ hasMore: false, isBusy: false });
});

test("work that was put off claims again with the next look", () => {
  const work = newWork();
  expect(work.isPutOff).toBe(false);
  expect([work.putOff(), work.putOff()]).toEqual([true, false]);
  expect(work.isPutOff).toBe(true);
  work.takeBatch();
  expect(work.isPutOff).toBe(true);
  work.look();
  expect(work.isPutOff).toBe(false);
});

test("results wait to be written together while more is to be sent, and no longer", () => {
  const work = newWork();
  expect(work.isPressing).toBe(true); // nothing else will come
  work.claimed(300);
  expect(work.isPressing).toBe(false);
  for (let count = 0; count < 256; count++) {
    expect(work.isPressing).toBe(false);
    work.begun();
    work.ended(attempt(`${count}`));
  }
  expect(work.isPressing).toBe(true);
  work.takeBatch();
  expect(work.isPressing).toBe(false);
  work.givenBack([delivery("a")]);
  expect(work.isPressing).toBe(true);
  work.takeBatch();
  work.look();
  expect(work.isPressing).toBe(true);
});
