/** Two databases stay consistent after a crash at any point between the two transactions. */
import { afterEach, expect, test } from "bun:test";
import { rename as renameFile } from "node:fs/promises";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { OrgId } from "../../src/core/ids.ts";
import { organizations } from "../../src/identity/identity.tables.ts";
import { organizationUpdated } from "../../src/modules/organizations/organization-updated.ts";
import { intentsOf } from "../../src/modules.ts";
import { createIntents, writeIntent } from "../../src/storage/intents.ts";
import { appliedIntents, auditLog, intents } from "../../src/storage/shared.tables.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { signUp } from "../http/accounts/newcomers.ts";
import { atEachStep, closeFiles } from "../runtime/crash-steps.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const log = { warn: () => undefined, error: () => undefined };

const openIntents = ({ storage }: Installation) => storage.control.read((reader) => reader.select().from(intents));

const nameInControl = async ({ storage }: Installation, id: OrgId) => {
  const [row] = await storage.control.read((reader) =>
    reader.select({ name: organizations.name }).from(organizations).where(eq(organizations.id, id)),
  );
  return row?.name;
};

const nameInFile = async ({ storage }: Installation, id: OrgId) => {
  const [row] = await storage.tenants.tenant(id).read((reader) => reader.select({ name: meta.name }).from(meta));
  return row?.name;
};

const renamings = ({ storage }: Installation, id: OrgId) =>
  storage.tenants
    .tenant(id)
    .read((reader) => reader.select().from(auditLog).where(eq(auditLog.action, "organization.updated")));

/** The change and its intent, as left by a process that was killed before it applied the intent. */
const leaveOpen = ({ storage, clock }: Installation, id: OrgId, name: string) =>
  storage.control.write(async (tx) => {
    await tx.update(organizations).set({ name }).where(eq(organizations.id, id));
    await writeIntent(tx, clock, organizationUpdated, id, { name, time_zone: "UTC", requestId: "" });
  });

test("a rename that was killed at any step is in both databases after the next start, or in neither", async () => {
  const origin = await newDirectory();
  const before = await newInstallation({ directory: origin });
  const { orgId } = await signUp(before);
  const old = await nameInControl(before, orgId);
  await closeFiles(before, origin);

  const rename = async (at: Installation) => {
    await leaveOpen(at, orgId, "After");
    await intentsOf(at.storage, log).apply(orgId);
  };
  const names: (string | undefined)[] = [];
  const steps = await atEachStep(origin, rename, async (directory) => {
    const restarted = await newInstallation({ directory, clock: before.clock });
    const [control, file] = [await nameInControl(restarted, orgId), await nameInFile(restarted, orgId)];
    expect([names.length, control === file, await openIntents(restarted)]).toEqual([names.length, true, []]);
    expect(await renamings(restarted, orgId)).toHaveLength(control === "After" ? 1 : 0);
    names.push(control);
    await restarted.close();
  });

  // Two transactions of the control database, one before and one after the tenant's, and one for the dirty mark.
  expect(steps).toBe(12);
  // Each of them leaves other files.
  expect(names.length).toBeGreaterThanOrEqual(5);
  expect(names).toEqual([old, ...names.slice(1).fill("After")]);
}, 120_000);

test("applying twice, concurrently or later, has one effect", async () => {
  const at = await newInstallation();
  const { orgId } = await signUp(at);
  await leaveOpen(at, orgId, "After");
  const { apply } = intentsOf(at.storage, log);
  await Promise.all([apply(orgId), apply(orgId), apply(orgId)]);
  await apply(orgId);
  expect(await nameInFile(at, orgId)).toBe("After");
  expect(await renamings(at, orgId)).toHaveLength(1);
  expect(await openIntents(at)).toEqual([]);
});

test("an intent that was applied but not deleted is not applied again", async () => {
  const at = await newInstallation();
  const { orgId } = await signUp(at);
  await leaveOpen(at, orgId, "After");
  const [open] = await openIntents(at);
  await intentsOf(at.storage, log).apply(orgId);
  // The file has changed since.
  const tenant = at.storage.tenants.tenant(orgId);
  await tenant.write((tx) => tx.update(meta).set({ name: "Since then" }));
  if (open) await at.storage.control.write((tx) => tx.insert(intents).values(open));

  await intentsOf(at.storage, log).recover();
  expect(await nameInFile(at, orgId)).toBe("Since then");
  expect(await renamings(at, orgId)).toHaveLength(1);
  expect(await openIntents(at)).toEqual([]);
  expect(await tenant.read((reader) => reader.select({ id: appliedIntents.id }).from(appliedIntents))).toEqual([
    { id: open?.id ?? "" },
  ]);
});

test("intents of one millisecond are applied in the order of writing", async () => {
  const at = await newInstallation();
  const { orgId } = await signUp(at);
  for (let count = 1; count <= 12; count += 1) await leaveOpen(at, orgId, `Name ${count}`);
  await intentsOf(at.storage, log).recover();
  expect((await renamings(at, orgId)).map(({ payload }) => JSON.parse(payload ?? "{}").after.name)).toEqual(
    Array.from({ length: 12 }, (_, index) => `Name ${index + 1}`),
  );
  expect(await nameInFile(at, orgId)).toBe("Name 12");
});

test("an organization that can't be opened keeps its intent, does not stop a start, and has it applied after the repair", async () => {
  const directory = await newDirectory();
  const before = await newInstallation({ directory });
  const { clock } = before;
  const broken = await signUp(before, "broken@example.com");
  const healthy = await signUp(before, "healthy@example.com");
  await leaveOpen(before, broken.orgId, "Broken, renamed");
  await leaveOpen(before, healthy.orgId, "Healthy, renamed");
  await before.close();
  const path = join(directory, `${broken.orgId}.db`);
  await renameFile(path, `${path}.away`);

  const at = await newInstallation({ directory, clock });
  expect(await nameInFile(at, healthy.orgId)).toBe("Healthy, renamed");
  expect((await openIntents(at)).map(({ org_id: orgId }) => orgId)).toEqual([broken.orgId]);
  const lines = at.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith("An intent could not"));
  expect(lines).toMatchObject([{ level: "error", organization_id: broken.orgId }]);
  expect(at.logged.join()).not.toContain("Broken, renamed");
  await at.close();

  await renameFile(`${path}.away`, path);
  const mended = await newInstallation({ directory, clock });
  expect(await nameInFile(mended, broken.orgId)).toBe("Broken, renamed");
  expect(await openIntents(mended)).toEqual([]);
});

test("an intent of an unknown kind is kept and reported, and those of other organizations are applied", async () => {
  const at = await newInstallation();
  const [one, two] = [await signUp(at, "one@example.com"), await signUp(at, "two@example.com")];
  const unknown = { ...organizationUpdated, name: "organization.painted" };
  await at.storage.control.write((tx) =>
    writeIntent(tx, at.clock, unknown, one.orgId, { name: "Blue", time_zone: "UTC", requestId: "" }),
  );
  await leaveOpen(at, two.orgId, "After");
  const failed: string[] = [];
  const { recover } = createIntents({
    control: at.storage.control,
    tenant: (id) => at.storage.tenants.tenant(id),
    kinds: [organizationUpdated],
    log: { error: ({ organization_id, err }) => void failed.push(`${organization_id}: ${err}`) },
  });
  await recover();
  expect(failed).toEqual([`${one.orgId}: Error: No module declares the intent organization.painted.`]);
  expect((await openIntents(at)).map(({ kind }) => kind)).toEqual(["organization.painted"]);
  expect(await nameInFile(at, two.orgId)).toBe("After");
});

test("an intent from a tenant is applied to the control database", async () => {
  const at = await newInstallation();
  const { orgId } = await signUp(at);
  const kind = {
    name: "test.authority",
    from: "tenant" as const,
    apply: async (tx: Parameters<Parameters<typeof at.storage.control.write>[0]>[0], authority: string, id: OrgId) => {
      await tx.update(organizations).set({ authority }).where(eq(organizations.id, id));
    },
  };
  const tenant = at.storage.tenants.tenant(orgId);
  await tenant.write((tx) => writeIntent(tx, at.clock, kind, orgId, "LBA"));
  const { apply } = createIntents({
    control: at.storage.control,
    tenant: () => tenant,
    kinds: [kind],
    log: { error: () => undefined },
  });
  await apply(orgId);
  const [row] = await at.storage.control.read((reader) => reader.select().from(organizations));
  expect(row?.authority).toBe("LBA");
  expect(await tenant.read((reader) => reader.select().from(intents))).toEqual([]);
});
