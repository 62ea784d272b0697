/** A clock that was ahead and is set back: what was stored meanwhile must not wait until it is as late again. */
import { afterEach, expect, test } from "bun:test";
import { days, minutes, shift, toInstant } from "../../src/core/clock.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { TestClock } from "../support/clock.ts";
import { marksOf, newStorage, newTenant, settle, type TestStorage } from "./storages.ts";
import { cleanUp } from "./temporary.ts";

afterEach(cleanUp);

/** A school that has work every two minutes, and was checkpointed while the clock was ahead. */
async function checkpointedAhead(ahead: number, options: Parameters<typeof newStorage>[0] = {}) {
  const clock = new TestClock();
  const nextWake = async () => shift(clock.now(), minutes(2));
  const right = clock.now();
  clock.advance(ahead);
  const storage = await newStorage({ ...options, clock, nextWake });
  const id = await newTenant(storage);
  await storage.checkpointIdle();
  await settle(storage);
  const { marked_at } = (await marksOf(storage, id)) ?? {};
  expect(marked_at).toBe(toInstant(clock.now()));
  const markedAhead = clock.now().getTime() - right.getTime();
  return { storage, id, nextWake, setBack: (by = markedAhead) => clock.set(shift(clock.now(), -by)) };
}

const wakeUpOf = async ({ tenants }: TestStorage) => (await tenants.wakeUps()).map(({ at }) => at);

test("an open school that was checkpointed while the clock was a day ahead has its next wake-up by the clock that was set back", async () => {
  const { storage, id, setBack } = await checkpointedAhead(days(1));
  setBack();
  await storage.checkpointIdle();
  const now = toInstant(storage.clock.now());
  expect(await marksOf(storage, id)).toMatchObject({
    ...{ dirty: false, marked_at: now, next_wake_at: shift(now, minutes(2)) },
  });
});

test("a closed school that was checkpointed while the clock was a day ahead is due when it is set back", async () => {
  const { storage, id, setBack } = await checkpointedAhead(days(1), { maxOpen: 1 });
  const other = await newTenant(storage); // takes the place of the first
  await storage.tenants.tenant(other).read((reader) => reader.select().from(meta));
  setBack();
  await storage.checkpointIdle();
  const now = toInstant(storage.clock.now());
  expect(await marksOf(storage, id)).toMatchObject({ dirty: true });
  expect(await wakeUpOf(storage)).toContain(now);

  await storage.tenants.tenant(id).read((reader) => reader.select().from(meta));
  await storage.checkpointIdle();
  expect(await marksOf(storage, id)).toMatchObject({
    ...{ dirty: false, marked_at: now, next_wake_at: shift(now, minutes(2)) },
  });
});

test("a school that was closed while the clock was a day ahead is due at the start after it was set back", async () => {
  const { storage, id, nextWake, setBack } = await checkpointedAhead(days(1));
  const { directory, clock } = storage;
  await storage.close();
  setBack();
  const again = await newStorage({ directory, clock, nextWake });
  const now = toInstant(clock.now());
  expect(again.tenants.isOpen(id)).toBe(false);
  expect(await wakeUpOf(again)).toContain(now);

  await again.tenants.tenant(id).read((reader) => reader.select().from(meta));
  await again.checkpointIdle();
  expect(await wakeUpOf(again)).toEqual([shift(now, minutes(2))]);
});

test("a mark that is ahead by no more than clocks differ stays", async () => {
  const { storage, id, setBack } = await checkpointedAhead(0);
  const before = await marksOf(storage, id);
  setBack(minutes(1));
  await storage.checkpointIdle();
  expect(await marksOf(storage, id)).toEqual(before);
  setBack(1);
  await storage.checkpointIdle();
  expect(await marksOf(storage, id)).toMatchObject({ marked_at: toInstant(storage.clock.now()) });
});

test("files with writes that are in the future are checkpointed", async () => {
  const { storage, id, setBack } = await checkpointedAhead(0);
  const { control, tenants, clock } = storage;
  clock.advance(days(1));
  await tenants.tenant(id).write((tx) => tx.update(meta).set({ name: "Ahead" }));
  await control.write(async () => undefined);
  setBack(days(1));
  expect(await marksOf(storage, id)).toMatchObject({ dirty: true });
  await storage.checkpointIdle();
  expect(await marksOf(storage, id)).toMatchObject({ dirty: false, marked_at: toInstant(clock.now()) });
});
