/**
 * Every job of a module that works in tenants: `dueFrom` names the instant from which on `work` finds work, neither earlier
 * nor later. A job that is due too late would skip idle schools without an error.
 */
import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { days, type Instant, shift, toInstant } from "../../src/core/clock.ts";
import { isId, newId } from "../../src/core/ids.ts";
import { deliveries } from "../../src/events/events.tables.ts";
import { attachmentUploads } from "../../src/modules/attachments/attachments.tables.ts";
import { directoryChanged } from "../../src/modules/directory/entries/directory-changed.ts";
import type { EntryRef } from "../../src/modules/directory/entry-types.ts";
import { evidencePacks } from "../../src/modules/evidence/evidence.tables.ts";
import { createReplayRunner } from "../../src/modules/integrations/replays/replay-runner.ts";
import { planningWishes } from "../../src/modules/planning/planning.tables.ts";
import { intentsOf, jobs } from "../../src/modules.ts";
import { nextRun } from "../../src/scheduler/timetable.ts";
import { writeIntent } from "../../src/storage/intents.ts";
import { onlyProcess } from "../../src/storage/leases.ts";
import type { Tenant } from "../../src/storage/store.ts";
import type { Installation } from "../support/installation.ts";
import { expectStatus } from "../support/school.ts";
import { changeEach, newStage, prepare, routeNamed } from "../support/stage.ts";

const settings = { eventRetentionDays: 30 };

/** A school with records of each kind, whose deliveries have arrived. */
async function stagedSchool() {
  const stage = await newStage();
  await changeEach(stage);
  const { installation, school } = stage;
  // That has cancelled the only replay.
  const replay = await prepare(routeNamed(stage, "POST /orgs/{orgId}/integrations/replays"), school);
  expectStatus(202, await school.owner.call("POST", replay.path, { body: replay.body }));
  // What is revalidated.
  const rating = {
    person_id: school.student.personId,
    type: "sep",
    issued_on: "2026-06-01",
    valid_until: "2028-06-30",
  };
  expectStatus(201, await school.owner.post("/compliance/records", rating));
  if (!isId<"organization">(school.orgId)) throw new Error("A school has an id.");
  const tenant = installation.storage.tenants.tenant(school.orgId);
  await tenant.write((tx) => tx.update(deliveries).set({ status: "succeeded", finished_at: tx.now }));
  // As a crash leaves it.
  const open: EntryRef = { type: "schools", id: school.orgId };
  await tenant.write((tx) => writeIntent(tx, installation.clock, directoryChanged, tenant.id, open));
  const id = newId<"attachment">(installation.clock);
  await tenant.write((tx) => tx.insert(attachmentUploads).values({ id, reserved_bytes: 0, started_at: tx.now }));
  await tenant.write((tx) => tx.update(evidencePacks).set({ status: "generating" }));
  // What became free is offered to who waits. `changeEach` leaves an offer or not: ids of the same millisecond have no order.
  const offered_until = shift(installation.clock.now(), days(1));
  const slot = { offered_start_at: sql`from_at`, offered_end_at: sql`until_at` };
  const waiting = sql`id = (select min(id) from ${planningWishes} where status = 'waiting')`;
  await tenant.write((tx) =>
    tx
      .update(planningWishes)
      .set({ status: "offered", offered_until, ...slot })
      .where(waiting),
  );
  return { installation, tenant };
}

/** What was stored while the clock was a day ahead is due when it is set back, except what people date. */
async function expectDueWhenSetBack({ clock }: Installation, tenant: Tenant): Promise<void> {
  clock.advance(-days(1));
  const now = clock.now();
  const found: string[] = [];
  for (const { name, schedule, due } of jobs) {
    const at = await tenant.read((reader) => due(reader, { now, settings }));
    if (at !== null && at <= toInstant(nextRun(schedule, now))) found.push(name);
  }
  const stored = ["attachment-uploads", "event-replays", "evidence-packs", "finance-summary", "tenant-intents"];
  expect(found).toEqual(expect.arrayContaining([...stored, "webhook-secret-rotation"]));
  clock.advance(days(1));
}

test("each job finds work from the instant on that dueFrom names, and none before or afterwards", async () => {
  const { installation, tenant } = await stagedSchool();
  const { clock, storage } = installation;
  await expectDueWhenSetBack(installation, tenant);
  const errors: unknown[] = [];
  const log = { error: (details: object) => void errors.push(details), warn: () => undefined };
  const { control, tenants } = storage;
  const base = { control, tenant: tenants.tenant.bind(tenants), clock, log, settings };
  const intents = intentsOf(storage, log);
  const replayRunner = createReplayRunner(base);
  const mailer = {
    isConfigured: true,
    from: "windsock@example.com",
    send: () => undefined,
    deliver: async () => true,
    stats: () => ({ waiting: 0, sent: 0, failed: 0, dropped: 0 }),
    close: async () => undefined,
  };
  const { publicUrl, attachmentQuota, backup: backupSettings } = installation.config;
  const mailing = { mailer, publicUrl, attachmentQuota };
  const { inspection, backups, keys } = storage;
  const background = { tenants, inspection, pause: async () => undefined, stopping: new AbortController().signal };
  const restoring = { backups, backupSettings, keys, renewal: undefined };
  const services = {
    ...base,
    ...mailing,
    ...background,
    ...restoring,
    intents,
    leases: onlyProcess,
    replayRunner,
    sweep: async () => ({ schools: 0 }),
  };

  const due = jobs.flatMap((job) => (job.dueFrom ? [{ job, dueFrom: job.dueFrom }] : []));
  const first = async () => {
    const found: { at: Instant; job: (typeof due)[number]["job"] }[] = [];
    for (const { job, dueFrom } of due) {
      const at = await tenant.read((reader) => dueFrom(reader, settings));
      if (at !== null) found.push({ at, job });
    }
    return found.sort((one, other) => (one.at < other.at ? -1 : 1))[0];
  };
  const years = shift(clock.now(), days(3650));
  const worked: string[] = [];
  for (let next = await first(); next && next.at < years; next = await first()) {
    const { at, job } = next;
    // A job whose work leaves it due at the same instant would be due for ever.
    const step = `${job.name} at ${at}`;
    expect(worked).not.toContain(step);
    worked.push(step);
    const early = shift(new Date(at), -1);
    if (early > toInstant(clock.now())) {
      clock.set(early);
      expect([step, await job.run(services, clock.now())]).toEqual([step, "nothing_due"]);
      clock.set(at);
      expect([step, await job.run(services, clock.now())]).toEqual([
        step,
        { summary: expect.any(String), failed: false },
      ]);
    } else {
      // Another job has worked one millisecond before, or at this instant.
      if (at > toInstant(clock.now())) clock.set(at);
      await job.run(services, clock.now());
    }
  }
  expect(errors).toEqual([]);
  const idle = due.map(({ job }) => job.name).filter((name) => !worked.some((step) => step.startsWith(`${name} at `)));
  // Give the fields of its resource examples from which the job has work one day.
  expect(idle.map((name) => `${name} has no work in a school with an example of each resource`)).toEqual([]);
}, 180_000);
