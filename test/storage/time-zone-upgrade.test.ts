/** Upgrades an installation of schema version 1, whose tenants have no time zone. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { eq, type SQL, sql } from "drizzle-orm";
import { controlMigrations } from "../../migrations/control/index.ts";
import { tenantMigrations } from "../../migrations/tenant/index.ts";
import { type KeyRing, keyRing } from "../../src/core/crypto.ts";
import { newId, type OrgId } from "../../src/core/ids.ts";
import { verifyAuditLogs } from "../../src/modules/operations/verify-audit.ts";
import { audit, emptyHead } from "../../src/storage/audit.ts";
import { newDataKey } from "../../src/storage/data-key.ts";
import { tenantSeal } from "../../src/storage/installation.ts";
import { loadSecret } from "../../src/storage/secret-key.ts";
import { auditLog, intents } from "../../src/storage/shared.tables.ts";
import { SqliteFile } from "../../src/storage/sqlite-file.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { tenantPath } from "../../src/storage/tenant-file.ts";
import { TestClock } from "../support/clock.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { cleanUp, newDirectory } from "./temporary.ts";

afterEach(cleanUp);

const clock = new TestClock();
const fileOptions = { clock, onEffectError: () => undefined, fresh: true };
const atNoRequest = { actor: { kind: "command_line" as const }, requestId: "" };
const created = "2026-01-01T00:00:00.000Z";

interface OldOrganization {
  id: OrgId;
  name: string;
  timeZone: string;
}

const organization = (name: string, timeZone: string): OldOrganization => ({
  id: newId<"organization">(clock),
  name,
  timeZone,
});

/** A data directory in which each database has its first migration only. */
async function oldInstallation(organizations: readonly OldOrganization[], ...more: SQL[]): Promise<string> {
  const directory = await newDirectory();
  const keys = keyRing(await loadSecret(directory, undefined));
  const path = join(directory, "control.db");
  const control = await SqliteFile.open("control", path, controlMigrations.slice(0, 1), fileOptions);
  await control.write(async (tx) => {
    for (const { id, name, timeZone } of organizations) {
      await tx.run(sql`insert into organizations (id, name, kind, time_zone, currency, created_at, updated_at)
        values (${id}, ${name}, 'ato', ${timeZone}, 'EUR', ${created}, ${created})`);
      const { seq, head } = emptyHead(tenantSeal(keys, id));
      await tx.run(
        sql`insert into tenant_marks (org_id, dirty, audit_seq, audit_head) values (${id}, 1, ${seq}, ${head})`,
      );
    }
    for (const statement of more) await tx.run(statement);
  });
  await control.close();
  for (const one of organizations) await oldTenant(directory, keys, one);
  return directory;
}

async function oldTenant(directory: string, keys: KeyRing, { id, name }: OldOrganization): Promise<void> {
  const path = tenantPath(directory, id);
  const tenant = await SqliteFile.open("tenant", path, tenantMigrations.slice(0, 1), fileOptions);
  const { data_key, sealed_by } = newDataKey(keys, id);
  await tenant.write(async (tx) => {
    await tx.run(sql`insert into meta (org_id, name, created_at, data_key, sealed_by)
      values (${id}, ${name}, ${created}, ${data_key}, ${sealed_by})`);
    await audit(tx, atNoRequest, "aircraft.created", { subject: { kind: "aircraft", id: "1" } });
  });
  await tenant.close();
}

const described = async ({ storage }: Installation, { id }: OldOrganization) => {
  const tenant = storage.tenants.tenant(id);
  const [row] = await tenant.read((reader) => reader.select().from(meta));
  const updates = await tenant.read((reader) =>
    reader.select().from(auditLog).where(eq(auditLog.action, "organization.updated")),
  );
  return [row?.name, row?.time_zone, updates.map(({ payload }) => JSON.parse(payload ?? ""))];
};

const openIntents = ({ storage }: Installation) => storage.control.read((reader) => reader.select().from(intents));

const verified = ({ storage }: Installation) =>
  verifyAuditLogs({ ...atNoRequest, clock, control: storage.control }, { storage });

test("an upgrade copies each organization's time zone to its file, once", async () => {
  const berlin = organization("Flugschule Egelsbach", "Europe/Berlin");
  const kiritimati = organization("Aéro-Club d'Île", "Pacific/Kiritimati");
  const utc = organization("Zulu", "UTC");
  const directory = await oldInstallation([berlin, kiritimati, utc]);

  for (const start of ["first", "second"]) {
    const at = await newInstallation({ directory, clock });
    const update = ({ name, timeZone }: OldOrganization) => ({
      before: { name, time_zone: "UTC" },
      after: { name, time_zone: timeZone },
    });
    expect([start, await described(at, berlin)]).toEqual([start, [berlin.name, "Europe/Berlin", [update(berlin)]]]);
    expect(await described(at, kiritimati)).toEqual([kiritimati.name, "Pacific/Kiritimati", [update(kiritimati)]]);
    expect(await described(at, utc)).toEqual(["Zulu", "UTC", []]);
    expect(await openIntents(at)).toEqual([]);
    const { ok, logs } = await verified(at);
    expect([ok, logs.map(({ rows }) => rows).toSorted()]).toEqual([true, [0, 1, 2, 2]]);
    await at.close();
  }
});

test("an upgrade applies an open rename of the old version, and then the time zone", async () => {
  const school = organization("Before", "Europe/Berlin");
  const renaming = JSON.stringify({ name: "After", requestId: "r" });
  const directory = await oldInstallation(
    [school],
    sql`update organizations set name = 'After'`,
    sql`insert into intents (id, kind, org_id, payload, created_at)
      values ('1', 'organization.renamed', ${school.id}, ${renaming}, ${created})`,
  );

  const at = await newInstallation({ directory, clock });

  expect(await described(at, school)).toEqual([
    "After",
    "Europe/Berlin",
    [
      { before: { name: "Before", time_zone: "UTC" }, after: { name: "After" } },
      { before: { name: "After", time_zone: "UTC" }, after: { name: "After", time_zone: "Europe/Berlin" } },
    ],
  ]);
  expect(await openIntents(at)).toEqual([]);
  expect((await verified(at)).ok).toBeTrue();
});
