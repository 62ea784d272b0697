/** Each job alone, at the boundaries of its work. */
import { expect, test } from "bun:test";
import { eq, like, sql } from "drizzle-orm";
import { type Instant, toInstant } from "../../src/core/clock.ts";
import { type EventId, isId, newId, type OrgId, type UserId } from "../../src/core/ids.ts";
import { emitTo } from "../../src/events/emit.ts";
import { deliveries, deliveryAttempts, events, webhookEndpoints } from "../../src/events/events.tables.ts";
import { webhookTest } from "../../src/events/webhook-test.ts";
import { sessionCleanup } from "../../src/modules/accounts/accounts.jobs.ts";
import { emailTokens, handoffTokens, sessions } from "../../src/modules/accounts/accounts.tables.ts";
import { mfaChallenges } from "../../src/modules/accounts/mfa/mfa.tables.ts";
import { oauthFlows } from "../../src/modules/accounts/oauth/oauth.tables.ts";
import { retention, secretRotation, webhookOutbox } from "../../src/modules/integrations/integrations.jobs.ts";
import { applyIntents } from "../../src/modules/operations/operations.jobs.ts";
import { organizationUpdated } from "../../src/modules/organizations/organization-updated.ts";
import { inviteCleanup } from "../../src/modules/organizations/organizations.jobs.ts";
import { invites } from "../../src/modules/organizations/organizations.tables.ts";
import { intentsOf, jobs, nextWake } from "../../src/modules.ts";
import { jobNamePattern } from "../../src/scheduler/job.ts";
import { tenantsToVisit } from "../../src/scheduler/tenant-job.ts";
import { nextRun } from "../../src/scheduler/timetable.ts";
import { tenantMarks } from "../../src/storage/control.tables.ts";
import { writeIntent } from "../../src/storage/intents.ts";
import { auditLog } from "../../src/storage/shared.tables.ts";
import type { Control, Tenant } from "../../src/storage/store.ts";
import { meta } from "../../src/storage/tenant.tables.ts";
import { bound } from "../support/jobs.ts";
import { expectStatus, newOwnSchool, newSchool, password, times } from "../support/school.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const orgIdOf = (text: string): OrgId => {
  if (!isId<"organization">(text)) throw new Error(`${text} is no id.`);
  return text;
};

/** A school, and the services of jobs. Records every tenant that a job opens. */
async function scene() {
  const school = await newOwnSchool();
  const { installation } = school;
  const { clock, storage } = installation;
  const { control } = storage;
  const visited: OrgId[] = [];
  const errors: unknown[] = [];
  const log = { error: (details: object) => void errors.push(details), warn: () => undefined };
  const tenant = (id: OrgId): Tenant => {
    visited.push(id);
    return storage.tenants.tenant(id);
  };
  const orgId = orgIdOf(school.orgId);
  const endpointId = newId<"webhook_endpoint">(clock);
  const mine = storage.tenants.tenant(orgId);
  await mine.write((tx) =>
    tx.insert(webhookEndpoints).values({
      id: endpointId,
      url: "https://hooks.example.com/",
      event_types: ["webhook.test"],
      enabled: true,
      primary_secret: "sealed",
      created_by: newId<"user">(clock) as UserId,
      created_at: tx.now,
      updated_at: tx.now,
    }),
  );
  const marks = (values: Partial<typeof tenantMarks.$inferInsert>) =>
    control.write((tx) => tx.update(tenantMarks).set(values).where(eq(tenantMarks.org_id, orgId)));
  const count = (table: typeof events | typeof deliveries | typeof deliveryAttempts) =>
    mine.read((reader) => reader.$count(table));
  /** An event with a delivery to the endpoint, after one attempt. */
  const delivered = async (status: "succeeded" | "pending" = "succeeded"): Promise<EventId> =>
    mine.write(async (tx) => {
      const { eventId, deliveryId } = await emitTo(tx, endpointId, webhookTest, {
        endpoint_id: endpointId,
        message: "Hi.",
      });
      await tx.update(deliveries).set({ status }).where(eq(deliveries.id, deliveryId));
      await tx
        .insert(deliveryAttempts)
        .values({ delivery_id: deliveryId, number: 1, started_at: tx.now, duration_ms: 1 });
      return eventId;
    });
  const deps = { control, tenant, clock, log, settings: { eventRetentionDays: 30 } };
  return {
    installation,
    school,
    clock,
    control,
    storage,
    orgId,
    endpointId,
    mine,
    marks,
    count,
    delivered,
    visited,
    errors,
    deps,
    log,
  };
}

const audited = (tenant: Tenant, action: string) =>
  tenant.read((reader) => reader.select().from(auditLog).where(eq(auditLog.action, action)));

test("webhook-outbox reports the work of the sweep, and nothing without work", async () => {
  expect(await bound(webhookOutbox, { sweep: async () => ({ schools: 0 }) }).run(new Date())).toBe("nothing_due");
  expect(await bound(webhookOutbox, { sweep: async () => ({ schools: 2 }) }).run(new Date())).toEqual({
    summary: "Checked 2 schools.",
  });
  const attempts = { succeeded: 3, failed: 1 };
  expect(await bound(webhookOutbox, { sweep: async () => ({ schools: 1, attempts }) }).run(new Date())).toEqual({
    summary: "Checked 1 school. Attempts: 3 succeeded, 1 failed.",
  });
});

test("webhook-secret-rotation deletes an old secret exactly at its expiry", async () => {
  const { clock, mine, endpointId, deps } = await scene();
  const until = toInstant(new Date(clock.now().getTime() + 72 * hour));
  const columns = { secondary_secret: "old, sealed", secondary_until: until };
  await mine.write((tx) => tx.update(webhookEndpoints).set(columns).where(eq(webhookEndpoints.id, endpointId)));
  const secret = () => mine.read((reader) => reader.select().from(webhookEndpoints));
  const job = bound(secretRotation, deps);

  clock.advance(72 * hour - 1);
  expect(await job.run(clock.now())).toBe("nothing_due");
  expect(await secret()).toMatchObject([columns]);

  clock.advance(1);
  expect(await job.run(clock.now())).toEqual({
    summary: "Deleted 1 expired signing secret in 1 school.",
    failed: false,
  });
  expect(await secret()).toMatchObject([{ primary_secret: "sealed", secondary_secret: null, secondary_until: null }]);
  expect(await audited(mine, "webhook_secrets.forgotten")).toMatchObject([
    { actor_kind: "job", actor_id: "webhook-secret-rotation" },
  ]);
  expect(await job.run(clock.now())).toBe("nothing_due");
});

test("retention deletes events and their dependent rows after exactly 30 days", async () => {
  const { clock, mine, count, delivered, deps } = await scene();
  await delivered();
  clock.advance(1);
  const younger = await delivered();
  const job = bound(retention, deps);

  clock.advance(30 * day - 1);
  expect(await job.run(clock.now())).toBe("nothing_due");
  clock.advance(1);
  expect(await job.run(clock.now())).toEqual({ summary: "Deleted 1 event in 1 school.", failed: false });
  expect(await mine.read((reader) => reader.select({ id: events.id }).from(events))).toEqual([{ id: younger }]);
  expect([await count(deliveries), await count(deliveryAttempts)]).toEqual([1, 1]);
  expect(await audited(mine, "events.removed")).toMatchObject([{ actor_kind: "job", actor_id: "retention" }]);
});

test("a run reports the schools in which it did work, not all that it opened", async () => {
  const { installation, clock, delivered, deps, visited } = await scene();
  const idle = await newSchool(installation);
  await delivered();
  clock.advance(31 * day);
  expect(await bound(retention, deps).run(clock.now())).toMatchObject({ summary: "Deleted 1 event in 1 school." });
  expect(visited).toContain(orgIdOf(idle.orgId));
});

test("retention keeps an event with an open delivery, at any age", async () => {
  const { clock, count, delivered, deps, mine } = await scene();
  await delivered("pending");
  await delivered();
  clock.advance(31 * day);
  expect(await bound(retention, deps).run(clock.now())).toMatchObject({ summary: "Deleted 1 event in 1 school." });
  expect(await count(events)).toBe(1);
  await mine.write((tx) => tx.update(deliveries).set({ status: "failed" }));
  expect(await bound(retention, deps).run(clock.now())).toMatchObject({ summary: "Deleted 1 event in 1 school." });
  expect([await count(events), await count(deliveries), await count(deliveryAttempts)]).toEqual([0, 0, 0]);
});

test("retention deletes the rest of a deleted endpoint when it has no deliveries", async () => {
  const { clock, mine, count, delivered, deps } = await scene();
  const deletedAt = toInstant(clock.now());
  await delivered();
  clock.advance(29 * day);
  await delivered();
  await mine.write((tx) => tx.update(webhookEndpoints).set({ deleted_at: deletedAt }));
  clock.advance(2 * day);
  await bound(retention, deps).run(clock.now());
  expect([await count(events), await mine.read((reader) => reader.$count(webhookEndpoints))]).toEqual([1, 1]); // it still has a delivery
  clock.advance(29 * day);
  await bound(retention, deps).run(clock.now());
  expect([await count(events), await mine.read((reader) => reader.$count(webhookEndpoints))]).toEqual([0, 0]);
  expect(await audited(mine, "webhook_endpoints.removed")).toMatchObject([
    { actor_kind: "job", actor_id: "retention" },
  ]);
});

test("retention works in batches, each in its own transaction", async () => {
  const { clock, mine, count, delivered, deps } = await scene();
  for (let made = 0; made < 250; made += 1) await delivered();
  clock.advance(31 * day);
  // Requests and timers run between two batches.
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  });
  expect(await bound(retention, deps).run(clock.now())).toMatchObject({ summary: "Deleted 250 events in 1 school." });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
  expect(await count(events)).toBe(0);
  expect(await audited(mine, "events.removed")).toHaveLength(3);
});

test("retention deletes an event with many deliveries in pieces", async () => {
  const { clock, mine, count, delivered, deps, endpointId } = await scene();
  const eventId = await delivered();
  await mine.write(async (tx) => {
    for (let made = 1; made < 450; made += 1) {
      const id = newId<"delivery">(clock);
      const delivery = {
        id,
        event_id: eventId,
        endpoint_id: endpointId,
        status: "failed",
        attempts: 1,
        created_at: tx.now,
      } as const;
      await tx.insert(deliveries).values(delivery);
      await tx.insert(deliveryAttempts).values({ delivery_id: id, number: 1, started_at: tx.now, duration_ms: 1 });
    }
  });
  clock.advance(31 * day);
  let most = 0;
  const tenant = (): Tenant => ({
    ...mine,
    read: (query) => mine.read(query),
    write: async (body) => {
      const before = await count(deliveries);
      const result = await mine.write(body);
      most = Math.max(most, before - (await count(deliveries)));
      return result;
    },
  });
  expect(await bound(retention, { ...deps, tenant }).run(clock.now())).toMatchObject({
    summary: "Deleted 1 event in 1 school.",
  });
  expect([await count(events), await count(deliveries), await count(deliveryAttempts), most]).toEqual([0, 0, 0, 200]);
});

test("retention keeps events for the configured days, and sets the wake-up time accordingly", async () => {
  const { clock, mine, count, delivered, deps } = await scene();
  await delivered();
  expect(String(await mine.read(nextWake(clock, { eventRetentionDays: 2 })))).toBe("2026-06-17T03:41:30.000Z");
  const job = bound(retention, { ...deps, settings: { eventRetentionDays: 2 } });
  clock.advance(2 * day);
  expect(await job.run(clock.now())).toBe("nothing_due");
  clock.advance(1);
  await job.run(clock.now());
  expect(await count(events)).toBe(0);
});

test("jobs do not open schools that are clean and have no due work", async () => {
  const { clock, marks, visited, deps, orgId } = await scene();
  const jobs = [bound(secretRotation, deps), bound(retention, deps)];
  const visits = async () => {
    visited.length = 0;
    for (const job of jobs) await job.run(clock.now());
    return visited;
  };
  await marks({ dirty: false, next_wake_at: null });
  expect(await visits()).toEqual([]);
  await marks({ next_wake_at: toInstant(new Date(clock.now().getTime() + 1)) });
  expect(await visits()).toEqual([]);
  clock.advance(1);
  expect(await visits()).toEqual([orgId, orgId]);
  await marks({ dirty: true, next_wake_at: null });
  expect(await visits()).toEqual([orgId, orgId]);
});

test("a job started by hand does what was due after its last scheduled run, also in an idle school", async () => {
  const { clock, mine, marks, delivered, deps, visited, count } = await scene();
  await delivered();
  const idle = async () => marks({ dirty: false, next_wake_at: await mine.read(nextWake(clock, deps.settings)) });
  const job = bound(retention, deps);
  clock.advance(30 * day);
  await idle();
  const next = nextRun(retention.schedule, clock.now());
  expect(await job.run(clock.now(), { offSchedule: true })).toBe("nothing_due");

  clock.advance(1);
  expect(clock.now().getTime()).toBeLessThan(next.getTime());
  await idle();
  visited.length = 0;
  expect(await job.run(clock.now())).toBe("nothing_due");
  expect(visited).toEqual([]);
  expect(await job.run(clock.now(), { offSchedule: true })).toMatchObject({ failed: false });
  expect(await count(events)).toBe(0);
});

test("a job started by hand does not open an idle school whose work is due after the next scheduled run", async () => {
  const { clock, marks, visited, deps } = await scene();
  const next = nextRun(retention.schedule, clock.now());
  await marks({ dirty: false, next_wake_at: toInstant(new Date(next.getTime() + 1)) });
  await bound(retention, deps).run(clock.now(), { offSchedule: true });
  expect(visited).toEqual([]);
});

test("the schools to open are read from two indexes", async () => {
  const { control, clock } = await scene();
  const plan = await control.read(async (reader) => {
    const query = tenantsToVisit(reader, toInstant(clock.now())).getSQL();
    const rows = await reader.values<[number, number, number, string]>(sql`explain query plan ${query}`);
    return rows.map(([, , , detail]) => detail).join("\n");
  });
  expect(plan).toContain("USING INDEX tenant_marks_dirty");
  expect(plan).toContain("USING INDEX tenant_marks_next_wake_at");
  expect(plan).not.toContain("SCAN tenant_marks\n");
});

test("a school that can't be opened fails the run, and the other schools are processed", async () => {
  const { clock, control, delivered, deps, count, errors } = await scene();
  await delivered();
  const missing = newId<"organization">(clock);
  await control.write((tx) => tx.insert(tenantMarks).values({ org_id: missing, dirty: true }));
  clock.advance(31 * day);
  expect(await bound(retention, deps).run(clock.now())).toEqual({
    summary: "Deleted 1 event in 1 school. The job failed in 1 school. See the log for the cause.",
    failed: true,
  });
  expect(await count(events)).toBe(0);
  expect(errors).toMatchObject([{ organization_id: missing }]);
});

test("a school's next wake-up is the earliest of a delivery, a secret and an event", async () => {
  const { clock, mine, endpointId, delivered } = await scene();
  const wake = async () => (await mine.read(nextWake(clock, { eventRetentionDays: 30 }))) as string | null;
  expect(await wake()).toBeNull();

  // At 09:00 on 14 June. `retention` runs at 03:41:30, and an event of exactly 30 days is not older.
  await delivered();
  expect(await wake()).toBe("2026-07-15T03:41:30.000Z");

  const rotated = (until: string) =>
    mine.write((tx) =>
      tx
        .update(webhookEndpoints)
        .set({ secondary_until: until as Instant })
        .where(eq(webhookEndpoints.id, endpointId)),
    );
  await rotated("2026-06-17T09:00:30.000Z");
  expect(await wake()).toBe("2026-06-17T09:00:30.000Z");
  await rotated("2026-06-17T09:00:30.001Z");
  expect(await wake()).toBe("2026-06-17T09:10:30.000Z");

  await mine.write((tx) =>
    tx.update(deliveries).set({ status: "pending", due_at: "2026-06-14T09:00:05.000Z" as Instant }),
  );
  expect(await wake()).toBe("2026-06-14T09:00:05.000Z");
});

test("work that a run has missed waits for the next run, without a wake-up between", async () => {
  const { clock, mine, delivered } = await scene();
  await delivered();
  clock.set("2026-09-01T12:00:00.000Z");
  expect(await mine.read(nextWake(clock, { eventRetentionDays: 30 }))).toBe("2026-09-02T03:41:30.000Z" as Instant);
});

test("an event is deleted in the run of its school's wake-up time", async () => {
  const { clock, mine, count, delivered, marks, deps } = await scene();
  await delivered();
  const at = await mine.read(nextWake(clock, { eventRetentionDays: 30 }));
  if (at === null) throw new Error("There is no wake-up.");
  await marks({ dirty: false, next_wake_at: at });
  clock.set(at);
  await bound(retention, deps).run(clock.now());
  expect(await count(events)).toBe(0);
});

test("session-cleanup deletes sessions 30 days after logout or expiry, and keeps all others", async () => {
  const { installation, school, clock, control, deps } = await scene();
  const job = bound(sessionCleanup, deps);
  const ids = async () => (await control.read((reader) => reader.select({ id: sessions.id }).from(sessions))).length;
  const before = await ids();
  await control.write((tx) => tx.delete(emailTokens));
  expectStatus(200, await installation.call("POST", "/auth/logout", { token: school.student.token }));

  clock.advance(30 * day);
  expect(await job.run(clock.now())).toBe("nothing_due");
  clock.advance(1);
  const account = { email: school.owner.email, password };
  const { access_token } = expectStatus(200, await installation.call("POST", "/auth/login", { body: account })).body;
  expect(await job.run(clock.now())).toEqual({ summary: "Deleted 1 session and 0 tokens." });
  expect(await ids()).toBe(before);

  // The others were never refreshed, so they expired after 30 days.
  clock.advance(30 * day - 1);
  expect(await job.run(clock.now())).toBe("nothing_due");
  clock.advance(1);
  expect(await job.run(clock.now())).toEqual({ summary: `Deleted ${before - 1} sessions and 0 tokens.` });
  expect(await ids()).toBe(1);
  expect(access_token).toBeString();
  expect(
    await control.read((reader) => reader.select().from(auditLog).where(eq(auditLog.action, "sessions.removed"))),
  ).toMatchObject([{ actor_id: "session-cleanup" }, { actor_id: "session-cleanup" }]);
});

test("session-cleanup keeps a session as long as a session that was opened from it", async () => {
  const { clock, control, deps } = await scene();
  const job = bound(sessionCleanup, deps);
  const [one] = await control.read((reader) => reader.select().from(sessions).limit(1));
  if (!one) throw new Error("There is no session.");
  const handedOn = newId<"session">(clock);
  await control.write(async (tx) => {
    await tx.delete(sessions);
    await tx.insert(sessions).values({ ...one, revoked_at: null, idle_until: tx.now });
    const idleUntil = toInstant(new Date(clock.now().getTime() + 40 * day));
    await tx
      .insert(sessions)
      .values({ ...one, id: handedOn, handed_on_from: one.id, revoked_at: null, idle_until: idleUntil });
  });
  const left = async () => (await control.read((reader) => reader.select({ id: sessions.id }).from(sessions))).length;
  clock.advance(31 * day);
  await job.run(clock.now());
  expect(await left()).toBe(2);
  clock.advance(40 * day);
  await job.run(clock.now());
  await job.run(clock.now());
  expect(await left()).toBe(0);
});

test("session-cleanup processes any number of sessions", async () => {
  const { clock, control, deps } = await scene();
  const [one] = await control.read((reader) => reader.select().from(sessions).limit(1));
  if (!one) throw new Error("There is no session.");
  const rows = Array.from({ length: 1200 }, (_, at) => ({
    ...one,
    id: newId<"session">(clock),
    // Every third was ended by logout.
    revoked_at: at % 3 === 0 ? one.created_at : null,
  }));
  for (let at = 0; at < rows.length; at += 400)
    await control.write((tx) => tx.insert(sessions).values(rows.slice(at, at + 400)));
  clock.advance(30 * day + 1);
  expect(await bound(sessionCleanup, deps).run(clock.now())).toMatchObject({
    summary: expect.stringContaining("Deleted 400 sessions and "),
  });
});

test("invite-cleanup deletes invites 90 days after they expired", async () => {
  const { school, clock, control, deps } = await scene();
  const { token } = expectStatus(
    201,
    await school.owner.post("/invites", { email: "i@school.example", roles: ["student"] }),
  ).body.data;
  expect(token).toBeString();
  const left = () => control.read((reader) => reader.$count(invites));
  const before = await left();
  clock.advance(97 * day);
  await bound(inviteCleanup, deps).run(clock.now());
  expect(await left()).toBe(before);
  clock.advance(1);
  expect(await bound(inviteCleanup, deps).run(clock.now())).toEqual({ summary: `Deleted ${before} invites.` });
  expect(await left()).toBe(0);
});

/** Adds one row of each kind that expires at that time, and optionally many challenges. */
async function expiring(control: Control, expiresAt: Instant, challenges = 1): Promise<void> {
  const [session] = await control.read((reader) => reader.select().from(sessions).limit(1));
  if (!session) throw new Error("There is no session.");
  const { user_id: userId } = session;
  const times = { created_at: session.created_at, expires_at: expiresAt };
  await control.write(async (tx) => {
    await tx.delete(emailTokens);
    await tx.insert(emailTokens).values({ token_hash: "mail", user_id: userId, purpose: "reset", ...times });
    await tx
      .insert(handoffTokens)
      .values({ token_hash: "handoff", session_id: session.id, account_type: "org", ...times });
    await tx.insert(oauthFlows).values({
      ...times,
      state_hash: "flow",
      provider: "idp",
      nonce: "n",
      sealed: "sealed",
      browser_hash: "b",
    });
    const challenge = { user_id: userId, cookie: false, amr: ["pwd"], ...times };
    for (let made = 0; made < challenges; made += 1)
      await tx.insert(mfaChallenges).values({ ...challenge, token_hash: `challenge ${made}` });
  });
}

const tokensLeft = (control: Control) =>
  control.read((reader) =>
    Promise.all([emailTokens, mfaChallenges, handoffTokens, oauthFlows].map((table) => reader.$count(table))),
  );

test("session-cleanup deletes short-lived rows at expiry, and mail tokens 7 days later", async () => {
  const { clock, control, deps } = await scene();
  const job = bound(sessionCleanup, deps);
  await expiring(control, toInstant(new Date(clock.now().getTime() + minute)));
  clock.advance(minute);
  expect(await job.run(clock.now())).toBe("nothing_due");
  expect(await tokensLeft(control)).toEqual([1, 1, 1, 1]);
  clock.advance(1);
  expect(await job.run(clock.now())).toEqual({ summary: "Deleted 0 sessions and 3 tokens." });
  expect(await tokensLeft(control)).toEqual([1, 0, 0, 0]);

  clock.advance(7 * day - 1);
  expect(await job.run(clock.now())).toBe("nothing_due");
  clock.advance(1);
  expect(await job.run(clock.now())).toEqual({ summary: "Deleted 0 sessions and 1 token." });
  expect(await tokensLeft(control)).toEqual([0, 0, 0, 0]);
  const rows = await control.read((reader) => reader.select().from(auditLog).where(like(auditLog.action, "%.removed")));
  expect(rows.map(({ action, actor_id: actorId }) => [action, actorId])).toEqual(
    ["mfa_challenges", "handoff_tokens", "oauth_flows", "email_tokens"].map((kind) => [
      `${kind}.removed`,
      "session-cleanup",
    ]),
  );
  expect(rows.map(({ payload }) => JSON.parse(payload ?? "").after.count)).toEqual([1, 1, 1, 1]);
});

test("session-cleanup deletes any number of tokens in batches", async () => {
  const { clock, control, deps } = await scene();
  await expiring(control, toInstant(clock.now()), 1001);
  clock.advance(1);
  expect(await bound(sessionCleanup, deps).run(clock.now())).toEqual({
    summary: "Deleted 0 sessions and 1003 tokens.",
  });
  expect(await tokensLeft(control)).toEqual([1, 0, 0, 0]);
  const isOfChallenges = eq(auditLog.action, "mfa_challenges.removed");
  const rows = await control.read((reader) => reader.select().from(auditLog).where(isOfChallenges));
  expect(rows.map(({ payload }) => JSON.parse(payload ?? "").after.count)).toEqual([...times(10, () => 100), 1]);
});

test("intents applies open intents, and reports those that could not be applied", async () => {
  const { clock, control, storage, orgId, mine, log } = await scene();
  const intents = intentsOf(storage, log);
  const job = bound(applyIntents, { control, intents });
  expect(await job.run(clock.now())).toBe("nothing_due");

  await control.write((tx) =>
    writeIntent(tx, clock, organizationUpdated, orgId, { name: "Renamed", time_zone: "UTC", requestId: "" }),
  );
  expect(await job.run(clock.now())).toEqual({ summary: "Applied 1 intent." });
  expect(await mine.read((reader) => reader.select({ name: meta.name }).from(meta))).toEqual([{ name: "Renamed" }]);

  const missing = newId<"organization">(clock);
  await control.write((tx) =>
    writeIntent(tx, clock, organizationUpdated, orgId, { name: "Again", time_zone: "UTC", requestId: "" }),
  );
  await control.write((tx) =>
    writeIntent(tx, clock, organizationUpdated, missing, { name: "Nobody", time_zone: "UTC", requestId: "" }),
  );
  expect(await job.run(clock.now())).toEqual({ summary: "Applied 1 of 2 intents.", failed: true });
});

test("all jobs have valid names and schedules, and a description of a sentence", () => {
  const names = jobs.map(({ name }) => name);
  expect(names.filter((name) => !jobNamePattern.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  for (const { schedule } of jobs) expect(nextRun(schedule, new Date("2026-06-14"))).toBeValidDate();
  expect(jobs.filter(({ description }) => !/^[A-Z].{20,}\.$/.test(description))).toEqual([]);
});
