import { expect, test } from "bun:test";
import type { Attempt } from "../../src/events/attempt.ts";
import { OrganizationState } from "../../src/events/organization-state.ts";
import type { Claimed } from "../../src/events/outbox.ts";
import type { Tenant } from "../../src/storage/store.ts";

/** The state reads nothing of these: it returns what it was given. */
const newState = () => new OrganizationState({} as Tenant);
const delivery = (id: string) => ({ id }) as unknown as Claimed;
const attempt = (id: string) => ({ delivery: { id } }) as unknown as Attempt;

test("a claimed delivery is outstanding until its attempt ends or is skipped, or it is released", () => {
  const state = newState();
  state.onClaimed(3);
  state.onStarted();
  state.onStarted();
  expect(state).toMatchObject({ outstanding: 3, hasMore: false, isBusy: true });
  state.onEnded(attempt("a"));
  state.onSkipped(delivery("b"));
  state.onReleased([delivery("c")]);
  expect(state).toMatchObject({ outstanding: 0, hasMore: true, isBusy: false });
  expect(state.takeBatch()).toEqual({ ended: [attempt("a")], released: [delivery("b"), delivery("c")] });
  expect(state).toMatchObject({ hasMore: false, isBusy: false });
});

test("a batch that could not be written goes first in the next transaction", () => {
  const state = newState();
  state.onClaimed(4);
  for (const _ of [1, 2, 3]) state.onStarted();
  state.onEnded(attempt("a"));
  state.onSkipped(delivery("b"));
  const batch = state.takeBatch();
  state.onEnded(attempt("c"));
  state.onReleased([delivery("d")]);
  state.putBack(batch);
  expect(state.takeBatch()).toEqual({ ended: [attempt("a"), attempt("c")], released: [delivery("b"), delivery("d")] });
});

test("a batch that could not be written does not repeat its check", () => {
  const state = newState();
  state.requestCheck();
  state.putBack(state.takeBatch());
  expect(state).toMatchObject({ hasMore: false, isBusy: false });
});

test("a suspended state claims again with the next check", () => {
  const state = newState();
  expect(state.isSuspended).toBe(false);
  expect([state.suspend(), state.suspend()]).toEqual([true, false]);
  expect(state.isSuspended).toBe(true);
  state.takeBatch();
  expect(state.isSuspended).toBe(true);
  state.requestCheck();
  expect(state.isSuspended).toBe(false);
});

test("results are not urgent while deliveries wait to be sent, up to the size of a batch", () => {
  const state = newState();
  expect(state.isUrgent).toBe(true); // no other result will come
  state.onClaimed(300);
  expect(state.isUrgent).toBe(false);
  for (let count = 0; count < 256; count++) {
    expect(state.isUrgent).toBe(false);
    state.onStarted();
    state.onEnded(attempt(String(count)));
  }
  expect(state.isUrgent).toBe(true);
  state.takeBatch();
  expect(state.isUrgent).toBe(false);
  state.onReleased([delivery("a")]);
  expect(state.isUrgent).toBe(true);
  state.takeBatch();
  state.requestCheck();
  expect(state.isUrgent).toBe(true);
});
