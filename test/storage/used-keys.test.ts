import { afterEach, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { hours, shift, toInstant } from "../../src/core/clock.ts";
import { sessionCleanup } from "../../src/modules/accounts/accounts.jobs.ts";
import { retention } from "../../src/modules/integrations/integrations.jobs.ts";
import { nextWake } from "../../src/modules.ts";
import { usedKeys as table } from "../../src/storage/shared.tables.ts";
import type { Store } from "../../src/storage/store.ts";
import { claimKey, findUsedKey, removeOldKeys, storeResponse } from "../../src/storage/used-keys.ts";
import { TestClock } from "../support/clock.ts";
import { bound, summaryOf } from "../support/jobs.ts";
import { newStorage, newTenant, settle } from "./storages.ts";
import { cleanUp } from "./temporary.ts";

afterEach(cleanUp);

const use = (id: string) => ({ id, bodyHash: "body" });
const answer = { status: 201, body: '{"data":1}', permissions: ["flights:submit" as const] };

test("claimKey accepts one request per key, and another one 24 hours later", async () => {
  const storage = await newStorage();
  const { control, clock } = storage;
  const claim = () => control.write((tx) => claimKey(tx, use("k")));
  expect([await claim(), await claim()]).toEqual([true, false]);
  await storeResponse(control, "k", answer);
  const found = { bodyHash: "body", usedAt: toInstant(clock.now()) };
  expect(await findUsedKey(control, "k", clock.now())).toEqual({ ...found, response: answer });

  clock.advance(hours(24) - 1);
  expect([await claim(), (await findUsedKey(control, "k", clock.now()))?.response]).toEqual([false, answer]);
  clock.advance(1);
  expect(await findUsedKey(control, "k", clock.now())).toBeUndefined();
  expect(await claim()).toBe(true);
  // The first response is gone.
  expect(await findUsedKey(control, "k", clock.now())).toEqual({ ...found, usedAt: toInstant(clock.now()) });
});

test("claimKey records nothing in a transaction that is rolled back", async () => {
  const storage = await newStorage();
  const { control, clock } = storage;
  const failing = control.write(async (tx) => {
    await claimKey(tx, use("k"));
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await findUsedKey(control, "k", clock.now())).toBeUndefined();
});

async function fill(store: Store, count: number, prefix: string): Promise<void> {
  await store.write(async (tx) => {
    for (let at = 0; at < count; at += 1) await claimKey(tx, use(`${prefix}${at}`));
  });
}

test("removeOldKeys deletes all keys that are 24 hours old, and no younger ones", async () => {
  const storage = await newStorage();
  const { control, clock } = storage;
  await fill(control, 1100, "old");
  clock.advance(1);
  await fill(control, 3, "young");
  clock.advance(hours(24) - 1);
  expect(await removeOldKeys(control, clock.now())).toBe(1100);
  expect(await control.read((reader) => reader.$count(table))).toBe(3);
});

test("both jobs delete old keys, and a tenant with old keys alone has a wake-up time", async () => {
  const clock = new TestClock();
  const settings = { eventRetentionDays: 30 };
  const storage = await newStorage({ clock, nextWake: nextWake(clock, settings) });
  const { control, tenants } = storage;
  const tenant = tenants.tenant(await newTenant(storage));
  const deps = { control, tenant: tenants.tenant.bind(tenants), clock, log: { error: () => undefined }, settings };
  expect(await tenant.read(nextWake(clock, settings))).toBeNull();
  await fill(tenant, 2, "tenant");
  await fill(control, 3, "control");
  // Used at 09:00 on 14 June; `retention` runs at 03:41:30.
  expect(String(await tenant.read(nextWake(clock, settings)))).toBe("2026-06-16T03:41:30.000Z");
  await settle(storage);

  clock.set("2026-06-15T08:59:59.999Z");
  expect([await bound(retention, deps).run(clock.now()), await bound(sessionCleanup, deps).run(clock.now())]).toEqual([
    "nothing_due",
    "nothing_due",
  ]);
  clock.set("2026-06-16T03:41:30.000Z");
  expect(summaryOf(await bound(retention, deps).run(clock.now()))).toContain("2 idempotency keys in 1 school.");
  expect(summaryOf(await bound(sessionCleanup, deps).run(clock.now()))).toContain("Forgot 3 idempotency keys.");
  for (const store of [tenant, control]) expect(await store.read((reader) => reader.$count(table))).toBe(0);
});

test("lookups of a key and of old keys use an index", async () => {
  const { control, clock } = await newStorage();
  const plan = (query: ReturnType<typeof sql>) =>
    control.read(async (reader) => (await reader.values<[number, number, number, string]>(query))[0]?.[3]);
  const at = shift(clock.now(), 0);
  expect(await plan(sql`explain query plan select * from ${table} where ${table.id} = 'k'`)).toContain("USING INDEX");
  expect(
    await plan(
      sql`explain query plan select id from ${table} where ${table.used_at} <= ${at} order by ${table.used_at} limit 5`,
    ),
  ).toContain("used_keys_used_at");
  expect(await plan(sql`explain query plan select min(${table.used_at}) from ${table}`)).toContain("used_keys_used_at");
});
