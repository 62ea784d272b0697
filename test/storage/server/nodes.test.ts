/** Several nodes have the databases on one server. */
import { afterEach, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { controlMigrations } from "../../../migrations/control/index.ts";
import { type Instant, shift, toInstant } from "../../../src/core/clock.ts";
import type { OrgId } from "../../../src/core/ids.ts";
import { audit } from "../../../src/storage/audit.ts";
import { DataInUse } from "../../../src/storage/data-lock.ts";
import { createIntents } from "../../../src/storage/intents.ts";
import { migrationsOf } from "../../../src/storage/migrations-of.ts";
import { intents as intentTable } from "../../../src/storage/shared.tables.ts";
import { meta } from "../../../src/storage/tenant.tables.ts";
import { addition, becomeNewer, marksOf, newTenant, settle, type TestStorage } from "../storages.ts";
import { cleanUp, closedLater } from "../temporary.ts";
import { beat, letAllBeSilent, newNode, outlive } from "./nodes.ts";
import { newServer } from "./servers.ts";

afterEach(cleanUp);

const rename = ({ tenants }: TestStorage, id: OrgId, name: string) =>
  tenants.tenant(id).write((tx) => tx.update(meta).set({ name }));

const nameOf = async ({ tenants }: TestStorage, id: OrgId) =>
  (await tenants.tenant(id).read((reader) => reader.select({ name: meta.name }).from(meta)))[0]?.name;

const nodesOf = ({ control }: TestStorage) =>
  control.read((reader) => reader.values<[number]>(sql`select count(*) from nodes`));

test("two nodes read and write, and each sees at once what the other has written", async () => {
  const sqld = await newServer();
  const [first, second] = [await newNode(sqld), await newNode(sqld)];
  const id = await newTenant(first);
  const kept = async ({ tenants }: TestStorage) => {
    const body = tenants.tenant(id).readBody("name", async (reader) => {
      const [row] = await reader.select({ name: meta.name }).from(meta);
      return row?.name ?? "";
    });
    return Buffer.from((await body).bytes).toString();
  };
  for (const [node, name] of [
    [first, "Alpha"],
    [second, "Bravo"],
    [first, "Charlie"],
  ] as const) {
    await rename(node, id, name);
    expect([await nameOf(first, id), await kept(first), await nameOf(second, id), await kept(second)]).toEqual(
      Array(4).fill(name),
    );
  }
  await first.close();
  expect(await nodesOf(second)).toEqual([[1]]);
  await rename(second, id, "Delta");
});

test("a node that would migrate is refused while one of an older program lives", async () => {
  const sqld = await newServer();
  const older = await newNode(sqld);
  becomeNewer();
  const newer = newNode(sqld, { settings: { pause: () => beat(older) } });
  await expect(newer).rejects.toThrow(/^A Windsock of version .+, on .+, uses the databases .+ would migrate them/);
  await expect(newer).rejects.toBeInstanceOf(DataInUse);
  expect(await nodesOf(older)).toEqual([[1]]);
  await older.close();
  const never = () => Promise.reject(new Error("It waited, although the older node has left."));
  await newNode(sqld, { settings: { pause: never } });
});

test("an older node that has ended without leaving is waited for", async () => {
  const sqld = await newServer();
  const older = await newNode(sqld);
  becomeNewer();
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    if (pauses === 3) await letAllBeSilent(older);
  };
  const newer = await newNode(sqld, { settings: { pause } });
  expect(pauses).toBe(3);
  expect(newer.logged).toMatchObject([{ level: "warn", message: expect.stringContaining("has ended") }]);
});

test("a node that was silent writes nothing to a school that a newer program has migrated", async () => {
  const sqld = await newServer();
  const older = await newNode(sqld);
  const id = await newTenant(older);
  await letAllBeSilent(older);
  becomeNewer();
  const newer = await newNode(sqld);
  await rename(newer, id, "Migrated");

  await expect(rename(older, id, "Late")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  const first = older.tenants.tenant(id).write((tx) => tx.select().from(meta));
  await expect(first).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await nameOf(newer, id)).toBe("Migrated");
});

test("a node that was silent uses nothing more after a newer program has migrated the control database", async () => {
  const sqld = await newServer();
  const older = await newNode(sqld);
  const id = await newTenant(older);
  await letAllBeSilent(older);
  migrationsOf.control = [...controlMigrations, addition];
  closedLater({
    async close() {
      migrationsOf.control = controlMigrations;
    },
  });
  const newer = await newNode(sqld);
  const write = older.control.write((tx) => tx.run(sql`delete from leases`));
  await expect(write).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await beat(older);
  const fault = { code: "UNAVAILABLE", message: expect.stringContaining("newer Windsock") };
  expect(older.fault()).toMatchObject(fault);
  await expect(older.control.read(async (reader) => reader.kind)).rejects.toMatchObject(fault);
  await expect(nameOf(older, id)).rejects.toMatchObject(fault);
  expect(await nameOf(newer, id)).toBe("A School");
});

test("a node that settles does not hide what another has written and not settled", async () => {
  const sqld = await newServer();
  const [first, second] = [await newNode(sqld), await newNode(sqld)];
  const id = await newTenant(first);
  await settle(first);
  expect(await marksOf(first, id)).toMatchObject({ dirty: false });
  await rename(first, id, "Alpha");
  await rename(second, id, "Bravo");
  await settle(second);
  expect(await marksOf(first, id)).toMatchObject({ dirty: true });
  await settle(first);
  expect(await marksOf(first, id)).toMatchObject({ dirty: false });
});

test("marks are not stored over those that know of later writes", async () => {
  const sqld = await newServer();
  const early = "2026-06-14T10:00:00.000Z" as Instant;
  const late = "2026-06-14T11:00:00.000Z" as Instant;
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  let isHeld = false;
  const first = await newNode(sqld, {
    async nextWake() {
      if (!isHeld) return early;
      reached.resolve();
      await goOn.promise;
      return early;
    },
  });
  const second = await newNode(sqld, { nextWake: async () => late });
  const id = await newTenant(first);
  isHeld = true;
  const settling = settle(first);
  await reached.promise;
  await rename(second, id, "Later");
  await settle(second);
  goOn.resolve();
  await settling;
  expect(await marksOf(first, id)).toMatchObject({ dirty: false, next_wake_at: late });
});

test("what a dead node has not settled is settled by another, and by itself when it was not dead", async () => {
  const sqld = await newServer();
  let now = 0;
  const first = await newNode(sqld, { settings: { stopwatch: () => now } });
  const second = await newNode(sqld);
  const id = await newTenant(first);
  await outlive(second);
  expect(await marksOf(second, id)).toMatchObject({ dirty: false });
  expect(await nodesOf(second)).toEqual([[1]]);
  expect(second.logged).toMatchObject([{ level: "warn", message: expect.stringContaining("has ended") }]);

  // It wakes: before its write, it says that it lives, and what it has not settled.
  now += 60_000;
  await rename(first, id, "Awake");
  expect(await nodesOf(second)).toEqual([[2]]);
  expect(await marksOf(second, id)).toMatchObject({ dirty: true });
  await settle(first);
  expect(await marksOf(second, id)).toMatchObject({ dirty: false });
});

test("a start settles what dead nodes have left, and leaves that of living ones to them", async () => {
  const sqld = await newServer();
  const first = await newNode(sqld);
  const id = await newTenant(first);
  const second = await newNode(sqld);
  expect(await marksOf(second, id)).toMatchObject({ dirty: true });
  await letAllBeSilent(first);
  const third = await newNode(sqld);
  expect(await marksOf(third, id)).toMatchObject({ dirty: false });
});

test("one node has a lease, until it ends it or dies", async () => {
  const sqld = await newServer();
  const [first, second] = [await newNode(sqld), await newNode(sqld)];
  const lease = await first.leases.take("job a");
  expect(await second.leases.take("job a")).toBeUndefined();
  expect(await second.leases.take("job b")).toBeDefined();
  expect(await first.leases.take("job a")).toBeDefined();
  await lease?.release();
  const next = await second.leases.take("job a");
  expect([await lease?.isHeld(), await next?.isHeld()]).toEqual([false, true]);
  expect(await first.leases.take("job a")).toBeUndefined();
  await outlive(first);
  expect(await first.leases.take("job a")).toBeDefined();
  expect(await next?.isHeld()).toBe(false);
});

test("a scheduled time has one run, also if the clocks of the nodes differ", async () => {
  const sqld = await newServer();
  const [first, second] = [await newNode(sqld), await newNode(sqld)];
  const tick = toInstant(first.clock.now());
  const take = async ({ leases }: TestStorage, at?: Instant) => {
    const lease = await leases.take("job a", at);
    await lease?.release();
    return lease !== undefined;
  };
  expect(await take(first, tick)).toBe(true);
  expect(await take(second, tick)).toBe(false);
  expect(await take(second, shift(tick, -60_000))).toBe(false);
  expect(await take(second)).toBe(true);
  expect(await take(second, shift(tick, 60_000))).toBe(true);
  // A clock that was far ahead.
  expect(await take(first, shift(tick, 3_600_000))).toBe(true);
  expect(await take(second, shift(tick, 120_000))).toBe(true);
});

test("nodes count attempts together", async () => {
  const sqld = await newServer();
  const [first, second] = [await newNode(sqld), await newNode(sqld)];
  const size = { limit: 3, windowSeconds: 60 };
  const take = ({ buckets, clock }: TestStorage, key = "ada@example.com") => buckets?.take(key, size, clock.now());
  expect(await take(first)).toEqual({ level: 1, allowed: true });
  expect(await take(second)).toEqual({ level: 2, allowed: true });
  expect(await take(first)).toEqual({ level: 3, allowed: true });
  for (const node of [first, second]) expect(await take(node)).toEqual({ level: 3, allowed: false });
  expect(await take(second, "bea@example.com")).toEqual({ level: 1, allowed: true });
  const stored = await first.control.read((reader) => reader.values<[string]>(sql`select id from rate_buckets`));
  expect(JSON.stringify(stored)).not.toContain("example.com");

  first.clock.advance(20_000);
  expect(await take(first)).toEqual({ level: 3, allowed: true });
  // A clock that is set back neither empties nor fills, and goes on from there.
  first.clock.advance(-3_600_000);
  expect(await take(first)).toEqual({ level: 3, allowed: false });
  first.clock.advance(20_000);
  expect(await take(first)).toEqual({ level: 3, allowed: true });
  await second.buckets?.forget("ada@example.com");
  expect(await take(first)).toEqual({ level: 1, allowed: true });
  expect(await take(first)).toEqual({ level: 2, allowed: true });
  // The bucket of Bea is empty.
  second.clock.advance(100_000);
  await beat(second);
  expect(await second.control.read((reader) => reader.values(sql`select count(*) from rate_buckets`))).toEqual([[0]]);
});

test("a node tells its listeners of what other nodes commit", async () => {
  const sqld = await newServer();
  const [first, second] = [await newNode(sqld), await newNode(sqld)];
  const [id, other] = [await newTenant(first), await newTenant(first)];
  let told: (OrgId | undefined)[] = [];
  let heard = Promise.withResolvers<void>();
  first.commits.listen(({ orgId }) => {
    told.push(orgId);
    heard.resolve();
  });
  const next = async () => {
    heard = Promise.withResolvers();
    told = [];
    await heard.promise;
    return told;
  };
  using _ = first.commits.watch(id);
  const write = (of: OrgId) =>
    second.tenants.tenant(of).write(async (tx) => {
      const by = { actor: { kind: "command_line" }, requestId: "" } as const;
      await audit(tx, by, "organization.updated", { subject: { kind: "organization", id: of }, after: {} });
    });
  // The first look tells of all that may have come before.
  expect(await next()).toContain(undefined);
  await write(other);
  await write(id);
  expect(await next()).toEqual([id]);
  await write(id);
  expect(await next()).toEqual([id]);
});

test("an intent stays in the control database while another node makes a backup", async () => {
  const sqld = await newServer();
  const [first, second] = [await newNode(sqld), await newNode(sqld)];
  const id = await newTenant(first);
  const intentsOf = ({ control, leases, tenants, logged }: TestStorage) =>
    createIntents({
      ...{ control, leases, tenant: (of) => tenants.tenant(of), kinds: [renaming] },
      log: { error: (details, message) => void logged.push({ level: "error", details, message }) },
    });
  const renaming = {
    name: "renaming",
    from: "control" as const,
    apply: async (tx: Parameters<Parameters<ReturnType<TestStorage["tenants"]["tenant"]>["write"]>[0]>[0]) => {
      await tx.update(meta).set({ name: "Renamed" });
    },
  };
  await first.control.write((tx) =>
    tx.insert(intentTable).values({ id: "1", kind: "renaming", org_id: id, payload: "{}", created_at: tx.now }),
  );
  const count = () => second.control.read((reader) => reader.$count(intentTable, eq(intentTable.id, "1")));

  const end = await intentsOf(first).keep();
  await intentsOf(second).apply(id);
  expect([await nameOf(first, id), await count()]).toEqual(["Renamed", 1]);
  await end();
  await rename(first, id, "Again");
  await intentsOf(second).apply(id);
  expect([await nameOf(first, id), await count()]).toEqual(["Again", 0]);
});
