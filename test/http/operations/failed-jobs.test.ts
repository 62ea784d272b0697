/** A job that has failed is well again when its work is done or gone, and not before. */
import { expect, test } from "bun:test";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { days, toInstant } from "../../../src/core/clock.ts";
import type { OrgId } from "../../../src/core/ids.ts";
import { examineJobs } from "../../../src/modules/operations/doctor/examine-jobs.ts";
import { tenantMarks } from "../../../src/storage/control.tables.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, newSchool } from "../../support/school.ts";
import { tenantOf } from "../integrations/events.ts";

const env = { WINDSOCK_METRICS: "1" };

/** What `/metrics` and `windsock doctor` say of a job. */
async function stateOf({ call, clock, storage, scheduler }: Installation, job: string) {
  clock.advance(30_000); // so that the figures are read anew
  const { text } = expectStatus(200, await call("GET", "/metrics", { from: "127.0.0.1" }));
  const findings = await examineJobs({ control: storage.control, jobs: scheduler.jobs });
  const failing = findings.filter(({ params }) => params && "job" in params && params.job === job);
  const metric = new RegExp(`^windsock_job_failed\\{job="${job}"\\} (\\d)$`, "m").exec(text)?.[1];
  return { metric, isNamed: failing.length > 0 };
}

const red = { metric: "1", isNamed: true };
const green = { metric: "0", isNamed: false };

test("jobs that failed because of a school's file are well again after their next runs when the file is back", async () => {
  const before = await newInstallation({ env });
  const { clock, directory, storage } = before;
  const { orgId } = await newSchool(before);
  const path = join(directory, `${orgId}.db`);
  await storage.close();
  await rename(path, `${path}.away`);
  const at = await newInstallation({ env, clock, directory });
  await at.storage.control.write((tx) => tx.update(tenantMarks).set({ next_wake_at: toInstant(clock.now()) }));
  const [one, other] = ["event-replays", "planning-offers"] as const;
  for (const job of [one, other]) {
    expect(await at.scheduler.runNow(job)).toMatchObject({ outcome: "failed" });
    expect(await at.scheduler.runNow(job)).toMatchObject({ outcome: "failed" });
    expect(await stateOf(at, job)).toEqual(red);
  }
  await rename(`${path}.away`, path);
  expect(await at.scheduler.runNow(one)).toMatchObject({ outcome: "idle" });
  expect([await stateOf(at, one), await stateOf(at, other)]).toEqual([green, red]);
});

test("a scrub that found damage is not well before the school is restored or read again", async () => {
  const at = await newInstallation({ env });
  const school = await newSchool(at);
  await school.submitFlight(school.student).then(({ id }) => school.instructor.post(`/flights/${id}/approve`));
  await tenantOf(school).write((tx) => tx.run(sql`update flights set departure = 'EDFF'`));
  expect(await at.scheduler.runNow("scrub")).toMatchObject({ outcome: "failed" });
  expect(await at.scheduler.runNow("scrub")).toMatchObject({ outcome: "idle" });
  expect(await stateOf(at, "scrub")).toEqual(red);
  await tenantOf(school).write((tx) => tx.run(sql`update flights set departure = 'EDFE'`));
  at.clock.advance(days(28));
  expect(await at.scheduler.runNow("scrub")).toMatchObject({ outcome: "succeeded" });
  expect(await stateOf(at, "scrub")).toEqual(green);
});

test("a good scrub of another school ends no failure while one is damaged or put aside", async () => {
  const at = await newInstallation({ env });
  const damaged = await newSchool(at);
  await damaged.submitFlight(damaged.student).then(({ id }) => damaged.instructor.post(`/flights/${id}/approve`));
  await tenantOf(damaged).write((tx) => tx.run(sql`update flights set departure = 'EDFF'`));
  expect(await at.scheduler.runNow("scrub")).toMatchObject({ outcome: "failed" });
  await newSchool(at);
  expect(await at.scheduler.runNow("scrub")).toMatchObject({
    outcome: "failed",
    summary:
      "Read 1 database. 1 database is damaged or can't be used: `windsock doctor` and `windsock check` say which.",
  });
  expect(await stateOf(at, "scrub")).toEqual(red);

  // Another file, with another fault, that the scrub has not found.
  const aside = await newSchool(at);
  expect(await at.scheduler.runNow("scrub")).toMatchObject({ outcome: "failed" });
  await tenantOf(damaged).write((tx) => tx.run(sql`update flights set departure = 'EDFE'`));
  at.clock.advance(days(28));
  expect(await at.scheduler.runNow("scrub")).toMatchObject({ outcome: "succeeded" });
  await newSchool(at);
  const unusable = [{ orgId: aside.orgId as OrgId, since: toInstant(at.clock.now()), faults: ["malformed"] }];
  Object.assign(at.storage.tenants, { unusable: () => unusable });
  expect(await at.scheduler.runNow("scrub")).toMatchObject({
    outcome: "failed",
    summary: expect.stringContaining("Read 1 database. 1 database is damaged or can't be used"),
  });
});
