/** The job that migrates the files of all schools after an upgrade. */
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { newId, type OrgId } from "../../src/core/ids.ts";
import { migrateTenants } from "../../src/modules/operations/migrate-tenants.ts";
import {
  addition,
  becomeNewer,
  marksOf,
  newStorage,
  newTenant,
  onFile,
  type TestStorage,
} from "../storage/storages.ts";
import { cleanUp, newDirectory } from "../storage/temporary.ts";
import { TestClock } from "../support/clock.ts";
import { type Installation, newInstallation } from "../support/installation.ts";
import { expectStatus, newSchool } from "../support/school.ts";

afterEach(cleanUp);

const versionOf = async (directory: string, id: OrgId) => {
  const [rows] = await onFile(join(directory, `${id}.db`), "PRAGMA user_version");
  return rows?.[0]?.[0];
};

/** Services that only migrate. @param pause called before each file */
const services = ({ tenants }: Pick<TestStorage, "tenants">, pause: () => void = () => undefined) => {
  const stopping = new AbortController();
  const errors: unknown[] = [];
  const log = { error: (details: object) => void errors.push(details) };
  return { tenants, log, errors, pause: async () => pause(), stopping: stopping.signal, stop: () => stopping.abort() };
};

/** An installation whose schools an older program wrote last. */
async function upgraded(schools: number) {
  const old = await newStorage();
  const { directory, clock } = old;
  const ids: OrgId[] = [];
  for (let made = 0; made < schools; made += 1) ids.push(await newTenant(old));
  await old.close();
  const newest = becomeNewer();
  return { storage: await newStorage({ directory, clock }), directory, ids, now: clock.now(), newest };
}

test("migrations brings the files of all schools to the present schema, though no request uses them", async () => {
  const { storage, directory, ids, now, newest } = await upgraded(3);

  expect(await migrateTenants.run(services(storage), now)).toEqual({ summary: "Migrated 3 schools.", failed: false });

  for (const id of ids) expect(await marksOf(storage, id)).toMatchObject({ schema_version: newest, dirty: false });
  expect(await migrateTenants.run(services(storage), now)).toBe("nothing_due");
  await storage.close();
  for (const id of ids) expect(await versionOf(directory, id)).toBe(newest);
});

test("what a migration has made due in an idle school is then done", async () => {
  const directory = await newDirectory();
  const school = await newSchool(await newInstallation({ directory }));
  const { owner, orgId, installation } = school;
  const { clock } = installation;
  const path = `/orgs/${orgId}/compliance/evaluations?person_id=${owner.personId}`;
  const { token } = owner;
  const evaluation = async (by: Pick<Installation, "call">) =>
    expectStatus(200, await by.call("GET", path, { token })).body.data[0].status;
  const wanted = await evaluation(installation);
  expect(wanted).not.toBe("expiring");
  await installation.close();
  becomeNewer();
  // As the migration of an older program's evaluations.
  await onFile(
    join(directory, `${orgId}.db`),
    "update compliance_evaluations set status = 'expiring', changes_on = '1970-01-01'",
  );

  const again = await newInstallation({ directory, clock });
  await again.scheduler.runNow("migrations");
  // The job runs every ten minutes.
  clock.advance(10 * 60_000);
  const marks = await marksOf(again.storage, orgId as OrgId);
  expect(marks?.next_wake_at && marks.next_wake_at <= clock.now().toISOString()).toBe(true);
  await again.scheduler.runNow("compliance-evaluation");
  expect(await evaluation(again)).toBe(wanted);
  await again.close();
});

test("migrations pauses before each file and shows its progress", async () => {
  const { storage, now } = await upgraded(3);
  const steps: unknown[] = [];

  await migrateTenants.run(
    services(storage, () => void steps.push("pause")),
    now,
    { onProgress: (progress) => void steps.push(progress) },
  );

  const total = 3;
  expect(steps).toEqual([{ done: 0, total }, "pause", { done: 1, total }, "pause", { done: 2, total }, "pause"]);
});

test("migrations leaves a file as it was whose migration fails, goes on, and tries it again at the next run", async () => {
  const { storage, directory, ids, now, newest } = await upgraded(3);
  const broken = ids[1] ?? newId<"organization">(new TestClock());
  const path = join(directory, `${broken}.db`);
  await onFile(path, addition);
  const attempt = services(storage);

  expect(await migrateTenants.run(attempt, now)).toEqual({ summary: "Migrated 2 schools. 1 failed.", failed: true });

  expect(attempt.errors).toMatchObject([{ organization_id: broken }]);
  expect(await versionOf(directory, broken)).toBe(newest - 1);
  await onFile(path, "drop table additions");
  expect(await migrateTenants.run(services(storage), now)).toEqual({ summary: "Migrated 1 school.", failed: false });
});

test("migrations ends between two files when the server stops, and goes on at the next start", async () => {
  const { storage, now } = await upgraded(3);
  let pauses = 0;
  const attempt = services(storage, () => {
    pauses += 1;
    if (pauses === 2) attempt.stop();
  });

  expect(await migrateTenants.run(attempt, now)).toMatchObject({
    summary: "Migrated 1 school. 2 are left for the next start.",
  });
  expect(await storage.tenants.outdated()).toHaveLength(2);
});

test("a new school is not migrated", async () => {
  const storage = await newStorage();
  await newTenant(storage);
  expect(await storage.tenants.outdated()).toEqual([]);
});
