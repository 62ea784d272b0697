/** An idle tenant's `.db` file is complete on its own five seconds after the last write. */
import { afterEach, expect, test } from "bun:test";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { sql } from "drizzle-orm";
import { toInstant } from "../../src/core/clock.ts";
import { diskFull } from "../../src/core/errors.ts";
import { newId, type OrgId } from "../../src/core/ids.ts";
import { audit, keptHead, verifyAudit } from "../../src/storage/audit.ts";
import { installation, tenantMarks } from "../../src/storage/control.tables.ts";
import { DataDirectoryLocked } from "../../src/storage/data-lock.ts";
import { controlSeal, tenantSeal } from "../../src/storage/installation.ts";
import type { Tenant } from "../../src/storage/store.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { copyAlone, marksOf, newStorage, newTenant, onFile, settle, type TestStorage } from "./storages.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const rename = (tenant: Tenant, name: string) => tenant.write((tx) => tx.update(meta).set({ name }));

/** Reads the name from a copy of the `.db` file alone. */
async function nameInCopy({ directory }: TestStorage, id: OrgId): Promise<unknown> {
  const copy = await copyAlone(directory, `${id}.db`);
  const [[name], [integrity]] = (await onFile(copy, "select name from meta", "PRAGMA integrity_check")) as [
    unknown[][],
    unknown[][],
  ];
  expect(integrity).toEqual(["ok"]);
  return name?.[0];
}

/** A tenant with nothing to checkpoint. */
async function idleTenant(options: Parameters<typeof newStorage>[0] = {}) {
  const storage = await newStorage(options);
  const id = await newTenant(storage, "Before");
  await settle(storage);
  return { storage, id, tenant: storage.tenants.tenant(id) };
}

const dirtyOf = async (storage: TestStorage, id: OrgId) => (await marksOf(storage, id))?.dirty;

test("exactly five seconds after its last write, a tenant's .db file alone has all rows", async () => {
  const { storage, id, tenant } = await idleTenant();
  await rename(tenant, "After");
  expect([await nameInCopy(storage, id), await dirtyOf(storage, id)]).toEqual(["Before", true]);

  storage.clock.advance(4999);
  await storage.checkpointIdle();
  expect([await nameInCopy(storage, id), await dirtyOf(storage, id)]).toEqual(["Before", true]);

  storage.clock.advance(1);
  await storage.checkpointIdle();
  expect([await nameInCopy(storage, id), await dirtyOf(storage, id)]).toEqual(["After", false]);
});

test("a write restarts the five seconds", async () => {
  const { storage, id, tenant } = await idleTenant();
  await rename(tenant, "First");
  storage.clock.advance(3000);
  await rename(tenant, "Second");
  storage.clock.advance(3000);
  await storage.checkpointIdle();
  expect(await dirtyOf(storage, id)).toBeTrue();
  storage.clock.advance(2000);
  await storage.checkpointIdle();
  expect(await nameInCopy(storage, id)).toBe("Second");
});

test("a write aside does not restart the five seconds, and alone it is checkpointed at once", async () => {
  const { storage, id, tenant } = await idleTenant();
  const renameAside = (name: string) =>
    tenant.write(async (tx) => {
      tx.aside();
      await tx.update(meta).set({ name });
    });
  await renameAside("Alone");
  await storage.checkpointIdle();
  expect([await nameInCopy(storage, id), await dirtyOf(storage, id)]).toEqual(["Alone", false]);

  await rename(tenant, "First");
  storage.clock.advance(4999);
  await renameAside("Second");
  await storage.checkpointIdle();
  expect(await dirtyOf(storage, id)).toBeTrue();
  storage.clock.advance(1);
  await storage.checkpointIdle();
  expect(await nameInCopy(storage, id)).toBe("Second");
});

test("the control database's file alone is complete as well, with its audit head", async () => {
  const storage = await newStorage();
  const context = { actor: { kind: "command_line" as const }, requestId: "" };
  await storage.control.write((tx) => audit(tx, context, "test.done", { subject: { kind: "test", id: "1" } }));
  await settle(storage);
  const copy = await copyAlone(storage.directory, "control.db");
  const [rows, heads] = await onFile(copy, "select action from audit_log", "select audit_seq from installation");
  expect([rows, heads]).toEqual([[["test.done"]], [[1]]]);
  const [row] = await storage.control.read((reader) => reader.select().from(installation));
  const head = keptHead(row);
  const chain = await storage.inspection.auditChain("control", head.seq);
  expect(verifyAudit(chain, controlSeal(storage.keys), head)).toEqual({ rows: 1, fault: undefined });
});

test("the mark is set before the first write of a tenant, once until the next checkpoint", async () => {
  const steps: string[] = [];
  const { storage, id, tenant } = await idleTenant({ trace: (step) => void steps.push(step) });
  steps.length = 0;
  let marked: boolean | undefined;
  await tenant.write(async () => {
    marked = await dirtyOf(storage, id);
  });
  expect(marked).toBeTrue();
  await rename(tenant, "Again");
  const control = ["control: begin", "control: before commit", "control: committed"];
  const write = ["tenant: begin", "tenant: before commit", "tenant: committed"];
  expect(steps).toEqual([...control, ...write, ...write]);

  await settle(storage);
  expect(await dirtyOf(storage, id)).toBeFalse();
  await rename(tenant, "And again");
  expect(await dirtyOf(storage, id)).toBeTrue();
});

test("the mark is set also if the write is rolled back, and a checkpoint clears it", async () => {
  const { storage, id, tenant } = await idleTenant();
  await expect(tenant.write(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await dirtyOf(storage, id)).toBeTrue();
  await settle(storage);
  expect(await dirtyOf(storage, id)).toBeFalse();
});

test("a write that can't be marked does not run", async () => {
  let refuse = false;
  const { storage, id, tenant } = await idleTenant({
    trace: (step) => {
      if (refuse && step === "control: before commit") throw new Error("the disk is full");
    },
  });
  refuse = true;
  await expect(rename(tenant, "Unmarked")).rejects.toThrow("the disk is full");
  refuse = false;
  expect(await tenant.read((reader) => reader.select({ name: meta.name }).from(meta))).toEqual([{ name: "Before" }]);
  await rename(tenant, "Marked");
  expect(await dirtyOf(storage, id)).toBeTrue();
});

test("a checkpoint is skipped during a read, and the next one succeeds", async () => {
  const { storage, id, tenant } = await idleTenant();
  await rename(tenant, "After");
  const held = Promise.withResolvers<void>();
  const reading = tenant.read(async (reader) => {
    await held.promise;
    return reader.select({ name: meta.name }).from(meta);
  });
  await settle(storage);
  expect([await nameInCopy(storage, id), await dirtyOf(storage, id)]).toEqual(["Before", true]);

  held.resolve();
  expect(await reading).toEqual([{ name: "After" }]);
  await storage.checkpointIdle();
  expect([await nameInCopy(storage, id), await dirtyOf(storage, id)]).toEqual(["After", false]);
});

test("a checkpoint that another process blocks leaves the mark, and a later one succeeds", async () => {
  const { storage, id, tenant } = await idleTenant();
  const reader = createClient({ url: `file:${join(storage.directory, `${id}.db`)}` });
  const transaction = await reader.transaction("read");
  await transaction.execute("select * from meta");
  await rename(tenant, "After");
  await settle(storage);
  expect(await dirtyOf(storage, id)).toBeTrue();

  transaction.close();
  reader.close();
  await storage.checkpointIdle();
  expect([await nameInCopy(storage, id), await dirtyOf(storage, id)]).toEqual(["After", false]);
});

test("each checkpoint stores the audit log's head in tenant_marks, which detects that rows at the end were removed", async () => {
  const { storage, id, tenant } = await idleTenant();
  const context = { actor: { kind: "command_line" as const }, requestId: "" };
  const act = (what: string) =>
    tenant.write((tx) => audit(tx, context, what, { subject: { kind: "test", id: "1" }, after: { what } }));
  const verify = async () => {
    const head = keptHead(await marksOf(storage, id));
    return verifyAudit(await storage.inspection.auditChain(id, head.seq), tenantSeal(storage.keys, id), head);
  };
  expect((await marksOf(storage, id))?.audit_seq).toBe(0);
  await act("test.first");
  await act("test.second");
  expect((await marksOf(storage, id))?.audit_seq).toBe(0);
  await settle(storage);
  const kept = await marksOf(storage, id);
  expect(kept).toMatchObject({ audit_seq: 2, audit_head: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await verify()).toEqual({ rows: 2, fault: undefined });

  await tenant.write((tx) => tx.run(sql`delete from audit_log where seq = 2`));
  expect((await verify()).fault).toBe("the log ends at row 1, but 2 were sealed");
  // The next checkpoint must not seal the damaged log.
  await settle(storage);
  expect(await marksOf(storage, id)).toMatchObject({ audit_seq: 2, audit_head: kept?.audit_head ?? "" });
  expect((await verify()).fault).toBeDefined();
});

test("the checkpoint computes the wake-up time and stores it beside the mark", async () => {
  const due = toInstant(new Date("2026-06-15T00:00:00Z"));
  const { storage, id, tenant } = await idleTenant({
    nextWake: async (reader) => {
      const [row] = await reader.select({ name: meta.name }).from(meta);
      return row?.name === "Busy" ? due : null;
    },
  });
  expect(await storage.tenants.wakeUps()).toEqual([]);
  await rename(tenant, "Busy");
  // Written since, so its wake-up time is unknown to the control database.
  expect(await storage.tenants.wakeUps()).toEqual([{ orgId: id, at: toInstant(storage.clock.now()) }]);
  await settle(storage);
  expect(await marksOf(storage, id)).toMatchObject({ dirty: false, next_wake_at: due });
  expect(await storage.tenants.wakeUps()).toEqual([{ orgId: id, at: due }]);
  await rename(tenant, "Idle");
  await settle(storage);
  expect(await storage.tenants.wakeUps()).toEqual([]);
});

test("a failed checkpoint of one tenant does not stop those of the others", async () => {
  const broken: OrgId[] = [];
  const { storage, id, tenant } = await idleTenant({
    nextWake: async (reader) => {
      const [row] = await reader.select({ id: meta.org_id }).from(meta);
      if (row && broken.includes(row.id)) throw new Error("out of order");
      return null;
    },
  });
  const other = await newTenant(storage);
  await rename(tenant, "After");
  await rename(storage.tenants.tenant(other), "After");
  broken.push(id);
  await settle(storage);
  expect([await dirtyOf(storage, id), await dirtyOf(storage, other)]).toEqual([true, false]);
  expect(storage.logged).toMatchObject([{ level: "error", details: { organization_id: id } }]);
  expect(await nameInCopy(storage, other)).toBe("After");
  broken.length = 0;
});

test("evicting a file checkpoints it", async () => {
  const { storage, id, tenant } = await idleTenant({ maxOpen: 1 });
  const other = await newTenant(storage);
  await rename(tenant, "After");
  await storage.tenants.tenant(other).read((reader) => reader.select().from(meta));
  // Opening it again waits until it is closed.
  await tenant.read((reader) => reader.select().from(meta));
  expect([await nameInCopy(storage, id), await dirtyOf(storage, id)]).toEqual(["After", false]);
});

test("evicting a file inside a write's body also checkpoints it", async () => {
  const { storage, id, tenant } = await idleTenant({ maxOpen: 2 });
  const [other, third] = [await newTenant(storage), await newTenant(storage)];
  await rename(tenant, "After");
  await storage.tenants.tenant(other).write(async () => {
    await storage.tenants.tenant(third).read((reader) => reader.select().from(meta));
  });
  await tenant.read((reader) => reader.select().from(meta));
  expect(storage.logged).toEqual([]);
  expect([await nameInCopy(storage, id), await dirtyOf(storage, id)]).toEqual(["After", false]);
});

test("after close every file is complete, also one that was being read and written", async () => {
  const { storage, id, tenant } = await idleTenant();
  const held = Promise.withResolvers<void>();
  const reading = tenant.read(async (reader) => {
    await held.promise;
    return reader.select({ name: meta.name }).from(meta);
  });
  const writing = rename(tenant, "At the last moment");
  const closed = storage.close();
  held.resolve();
  await writing;
  expect(await reading).toHaveLength(1);
  await closed;
  expect(await nameInCopy(storage, id)).toBe("At the last moment");
  const [dirty] = await onFile(await copyAlone(storage.directory, "control.db"), "select dirty from tenant_marks");
  expect(dirty).toEqual([[0]]);
  await expect(tenant.read(async () => 1)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("a close that has no more time leaves files to the next start, which loses nothing", async () => {
  const storage = await newStorage();
  const { directory, clock, control, tenants } = storage;
  const ids = [await newTenant(storage), await newTenant(storage)];
  await settle(storage);
  for (const id of ids) await rename(tenants.tenant(id), "Acknowledged");

  expect(await storage.close(0)).toBe(2);

  // The process would end now. The lock ends with it.
  await expect(newStorage({ directory })).rejects.toBeInstanceOf(DataDirectoryLocked);
  const copy = await newDirectory();
  await cp(directory, copy, { recursive: true });
  await expect(control.write(async () => 1)).rejects.toThrow();
  const next = await newStorage({ directory: copy, clock });
  for (const id of ids) expect([await nameInCopy(next, id), await dirtyOf(next, id)]).toEqual(["Acknowledged", false]);
});

test("a start opens the tenants that are dirty or due, and no others", async () => {
  const storage = await newStorage();
  const { clock, directory, control } = storage;
  const ids = { dirty: await newTenant(storage), due: await newTenant(storage) };
  // 48 clean tenants, whose files would throw when opened.
  const others = Array.from({ length: 48 }, () => newId<"organization">(clock));
  const later = toInstant(new Date(clock.now().getTime() + 1));
  await control.write((tx) =>
    tx.insert(tenantMarks).values(others.map((orgId) => ({ org_id: orgId, dirty: false, next_wake_at: later }))),
  );
  await storage.close();
  for (const id of others) await writeFile(join(directory, `${id}.db`), "no database");
  const now = toInstant(clock.now());
  await onFile(
    join(directory, "control.db"),
    `update tenant_marks set dirty = 1 where org_id = '${ids.dirty}'`,
    `update tenant_marks set next_wake_at = '${now}' where org_id = '${ids.due}'`,
  );

  const looked: string[] = [];
  const again = await newStorage({
    directory,
    clock,
    nextWake: async (reader) => {
      const [row] = await reader.select({ id: meta.org_id }).from(meta);
      looked.push(String(row?.id));
      return null;
    },
  });
  expect(looked.toSorted()).toEqual([ids.dirty, ids.due].toSorted());
  expect(again.logged).toEqual([]);
  expect(await marksOf(again, ids.dirty)).toMatchObject({ dirty: false, next_wake_at: null });
  expect(await marksOf(again, ids.due)).toMatchObject({ dirty: false, next_wake_at: null });
});

test("a checkpoint that a full disk prevents is repeated without a line each: the disk's own line says it", async () => {
  const { storage, id, tenant } = await idleTenant();
  await rename(tenant, "After");
  storage.clock.advance(5000);
  const { write } = storage.control;
  Object.assign(storage.control, { write: () => Promise.reject(diskFull()) });
  for (const _ of [1, 2, 3]) await storage.checkpointIdle();
  Object.assign(storage.control, { write });
  expect(storage.logged).toEqual([]);
  await storage.checkpointIdle();
  expect([await nameInCopy(storage, id), await dirtyOf(storage, id)]).toEqual(["After", false]);
});
