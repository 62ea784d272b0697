/** Replays of many events: a request starts them, and batches process them afterwards. */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { emit } from "../../../src/events/emit.ts";
import { deliveries } from "../../../src/events/events.tables.ts";
import { vtrIssued } from "../../../src/modules/evidence/evidence.events.ts";
import { eventReplays } from "../../../src/modules/integrations/integrations.jobs.ts";
import { advanceReplay } from "../../../src/modules/integrations/replays/advance-replay.ts";
import { nextWake } from "../../../src/modules.ts";
import { jobContext } from "../../../src/scheduler/job.ts";
import { type Installation, newInstallation } from "../../support/installation.ts";
import { expectStatus, newOwnSchool, newSchool, type School } from "../../support/school.ts";
import { deliveriesOf, emitTests, tenantOf } from "./events.ts";
import { webhookUrl } from "./scenery.ts";

const base = "/integrations/replays";
const endpoints = "/integrations/webhook-endpoints";
const period = { since: "2026-06-01T00:00:00Z", until: "2026-07-01T00:00:00Z" };

/** A data directory that outlives an installation. */
async function newDirectory() {
  const path = await mkdtemp(join(tmpdir(), "windsock-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

const subscribe = async ({ owner }: School, ...event_types: string[]): Promise<string> =>
  expectStatus(201, await owner.post(endpoints, { url: webhookUrl, event_types })).body.data.id;

const start = async ({ owner }: School, change: object = {}) =>
  expectStatus(202, await owner.post(base, { ...period, ...change })).body.data;

const show = async ({ owner }: School, { id }: { id: string }) =>
  expectStatus(200, await owner.get(`${base}/${id}`)).body.data;

const advance = ({ installation }: School<Installation>) => installation.replayRunner.advanceAll();

/** Emits `vtr.issued` `count` times to all subscribers. @returns the ids of the events, in order */
async function emitIssued(school: School, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1)
    ids.push(await tenantOf(school).write((tx) => emit(tx, vtrIssued, vtrIssued.example)));
  return ids;
}

/** Copies the school's only event, so that there are `count` events of the same instant. */
const multiply = (school: School, count: number) =>
  tenantOf(school).write((tx) =>
    tx.run(sql`
      insert into events (id, type, occurred_at, data)
      select substr(e.id, 1, 20) || printf('%016x', n.value), e.type, e.occurred_at, e.data
      from events as e, (with recursive n(value) as (select 1 union all select value + 1 from n where value < ${count - 1})
        select value from n) as n`),
  );

/** Sets the final status of pending deliveries. */
const end = (school: School, status: "succeeded" | "failed" | "cancelled", where = sql`true`) =>
  tenantOf(school).write((tx) =>
    tx
      .update(deliveries)
      .set({ status, due_at: null, finished_at: tx.now })
      .where(sql`status = 'pending' and ${where}`),
  );

const countOf = (school: School, where = sql`true`) =>
  tenantOf(school).read((reader) => reader.$count(deliveries, where));

test("a replay queues the events that a disabled endpoint missed, after the response to its request", async () => {
  const school = await newOwnSchool();
  const { owner, installation } = school;
  const id = await subscribe(school, "vtr.issued");
  expectStatus(200, await owner.patch(`${endpoints}/${id}`, { enabled: false }));
  await emitIssued(school, 3);
  expectStatus(200, await owner.patch(`${endpoints}/${id}`, { enabled: true }));
  installation.clock.advance(1000);

  const started = await start(school, { only: "undelivered", endpoint_id: id });

  expect(started).toEqual({
    id: started.id,
    since: "2026-06-01T00:00:00.000Z",
    until: "2026-06-14T09:00:01.000Z",
    type: null,
    endpoint_id: id,
    endpoint_url: "https://hooks.example.com/windsock",
    only: "undelivered",
    status: "running",
    considered: 0,
    queued: 0,
    progress: 0,
    created_by: owner.userId,
    created_by_name: "Olga Owner",
    created_at: "2026-06-14T09:00:01.000Z",
    finished_at: null,
  });
  expect(await countOf(school)).toBe(0);
  await advance(school);
  const done = { ...started, status: "done", considered: 3, queued: 3, progress: 1, finished_at: started.created_at };
  expect(await show(school, started)).toEqual(done);
  expect(await countOf(school, sql`status = 'pending'`)).toBe(3);
  expect((await owner.get(`/audit-log?subject_id=${started.id}`)).body.data).toMatchObject([
    { action: "replay.finished", actor: { kind: "job" }, after: done },
    { action: "replay.started", actor: { kind: "user" }, after: started },
  ]);
  expect((await owner.get(base)).body.data).toEqual([done]);
});

test("`failed`, `undelivered` and `all` select the events with failed deliveries, without a success, and all of them", async () => {
  const school = await newOwnSchool();
  const { clock } = school.installation;
  const one = await subscribe(school, "vtr.issued");
  const [delivered = "", failed = "", cancelled = "", mended = "", begun = ""] = await emitIssued(school, 5);
  const all = [delivered, failed, cancelled, mended, begun];
  const isOf = (id: string) => sql`event_id = ${id}`;
  await end(school, "succeeded", isOf(delivered));
  await end(school, "cancelled", isOf(cancelled));
  await tenantOf(school).write((tx) =>
    tx.update(deliveries).set({ status: "delivering", lease_token: "a.1", lease_until: tx.now }).where(isOf(begun)),
  );
  await end(school, "failed");
  clock.advance(1000);
  expectStatus(201, await school.owner.post(`/integrations/events/${mended}/replay`));
  await end(school, "succeeded");
  // This endpoint subscribes later: it has no deliveries yet.
  const two = await subscribe(school, "vtr.issued");
  clock.advance(1000);

  const replayed = async (only: string) => {
    const started = await start(school, { only });
    await advance(school);
    expect(await show(school, started)).toMatchObject({ status: "done", considered: 5 });
    const found: Record<string, string[]> = { [one]: [], [two]: [] };
    for (const id of all)
      for (const { endpoint_id, status } of await deliveriesOf(school, id))
        if (status === "pending") found[endpoint_id]?.push(id);
    await tenantOf(school).write((tx) => tx.delete(deliveries).where(sql`status = 'pending'`));
    return [found[one], found[two]];
  };
  expect(await replayed("failed")).toEqual([[failed], []]);
  expect(await replayed("undelivered")).toEqual([[failed, cancelled], all]);
  expect(await replayed("all")).toEqual([all, all]);
});

test("`failed` and `undelivered` skip an event whose delivery is pending, and `all` repeats it", async () => {
  const school = await newOwnSchool();
  await subscribe(school, "vtr.issued");
  const [retried = ""] = await emitIssued(school, 1);
  await end(school, "failed");
  await emitIssued(school, 1);
  expectStatus(201, await school.owner.post(`/integrations/events/${retried}/replay`));
  school.installation.clock.advance(1000);

  for (const [only, queued] of [
    ["failed", 0],
    ["undelivered", 0],
    ["all", 2],
  ] as const) {
    const started = await start(school, { only });
    await advance(school);
    expect(await show(school, started)).toMatchObject({ only, status: "done", considered: 2, queued });
  }
});

test("a replay processes its period and type, and endpoints that are enabled and subscribed at that time", async () => {
  const school = await newOwnSchool();
  const { clock } = school.installation;
  await subscribe(school, "vtr.issued");
  const disabled = await subscribe(school, "webhook.test");
  expectStatus(200, await school.owner.patch(`${endpoints}/${disabled}`, { enabled: false }));
  const ids: string[] = [];
  for (let at = 0; at < 3; at += 1) {
    ids.push(...(await emitTests(school, 1)));
    clock.advance(1000);
  }
  const wanted = await subscribe(school, "webhook.test");
  const started = await start(school, {
    since: "2026-06-14T09:00:01Z",
    until: "2026-06-14T09:00:02Z",
    type: "webhook.test",
  });
  await advance(school);
  expect(await show(school, started)).toMatchObject({ considered: 1, queued: 1 });
  expect(await deliveriesOf(school, ids[1])).toMatchObject([{ endpoint_id: wanted }]);
  const other = await start(school, { type: "flight.approved" });
  await advance(school);
  expect(await show(school, other)).toMatchObject({ status: "done", considered: 0, queued: 0, progress: 1 });
});

test("a replay skips pings unless its type is `webhook.test`", async () => {
  const school = await newOwnSchool();
  await subscribe(school, "webhook.test", "vtr.issued");
  const [ping] = await emitTests(school, 1);
  const [issued] = await emitIssued(school, 1);
  await end(school, "succeeded");
  school.installation.clock.advance(1000);
  const pending = async (id: string | undefined) =>
    (await deliveriesOf(school, id)).filter(({ status }) => status === "pending").length;

  const unnamed = await start(school);
  await advance(school);
  expect(await show(school, unnamed)).toMatchObject({ status: "done", considered: 1, queued: 1 });
  expect([await pending(ping), await pending(issued)]).toEqual([0, 1]);
  const named = await start(school, { type: "webhook.test" });
  await advance(school);
  expect(await show(school, named)).toMatchObject({ status: "done", considered: 1, queued: 1 });
  expect([await pending(ping), await pending(issued)]).toEqual([1, 1]);
});

test("a replay pauses while a thousand deliveries are pending, and continues in small transactions", async () => {
  const school = await newOwnSchool();
  const { clock, storage } = school.installation;
  await subscribe(school, "vtr.issued");
  const tenant = tenantOf(school);
  await emitIssued(school, 1);
  await multiply(school, 1250);
  await end(school, "succeeded");
  clock.advance(1000);
  const started = await start(school);
  const queued: number[] = [];
  let last = 0;
  const counted = {
    ...tenant,
    write: async <T>(body: Parameters<typeof tenant.write<T>>[0]) => {
      const result = await tenant.write(body);
      const now = await countOf(school, sql`status = 'pending'`);
      queued.push(now - last);
      last = now;
      return result;
    },
  };
  const context = { ...jobContext("event-replays", { control: storage.control, clock }), tenant: counted };

  expect(await advanceReplay(context)).toEqual({ considered: 1000, isRunning: true });
  expect(queued).toEqual(Array.from({ length: 10 }, () => 100));
  expect(await show(school, started)).toMatchObject({ status: "running", considered: 1000, queued: 1000 });
  expect(await advanceReplay(context)).toEqual({ considered: 0, isRunning: true });
  await end(school, "succeeded", sql`id in (select id from deliveries where status = 'pending' limit 30)`);
  last = 970;
  expect(await advanceReplay(context)).toEqual({ considered: 30, isRunning: true });
  await end(school, "succeeded");
  expect(await advanceReplay(context)).toEqual({ considered: 220, isRunning: false });
  const done = await show(school, started);
  expect(done).toMatchObject({ status: "done", considered: 1250, queued: 1250 });
  const twice = await tenant.read((reader) =>
    reader.values(sql`select event_id from deliveries where created_at > '2026-06-14T09:00:00.500Z'
      group by event_id having count(*) > 1`),
  );
  expect(twice).toHaveLength(0);
});

test("pending deliveries of another endpoint pause a replay to all endpoints, but not to one endpoint", async () => {
  const school = await newOwnSchool();
  const { owner, installation } = school;
  const context = {
    ...jobContext("event-replays", { control: installation.storage.control, clock: installation.clock }),
    tenant: tenantOf(school),
  };
  const stuck = await subscribe(school, "vtr.issued");
  await emitIssued(school, 1);
  await end(school, "succeeded");
  await multiply(school, 1000);
  installation.clock.advance(1000);
  const toStuck = await start(school, { endpoint_id: stuck });
  expect(await advanceReplay(context)).toEqual({ considered: 1000, isRunning: true });
  expect(await advanceReplay(context)).toEqual({ considered: 0, isRunning: true });
  expectStatus(200, await owner.post(`${base}/${toStuck.id}/cancel`));
  const wanted = await subscribe(school, "vtr.issued");

  const toAll = await start(school);
  expect(await advanceReplay(context)).toEqual({ considered: 0, isRunning: true });
  expectStatus(200, await owner.post(`${base}/${toAll.id}/cancel`));
  const toOne = await start(school, { endpoint_id: wanted });
  expect(await advanceReplay(context)).toEqual({ considered: 1000, isRunning: true });
  expect(await countOf(school, sql`endpoint_id = ${wanted}`)).toBe(1000);
  await end(school, "succeeded", sql`endpoint_id = ${wanted}`);
  expect(await advanceReplay(context)).toEqual({ considered: 0, isRunning: false });
  expect(await show(school, toOne)).toMatchObject({ status: "done", considered: 1000, queued: 1000 });
});

test("a replay to two endpoints queues no more than a thousand deliveries", async () => {
  const school = await newOwnSchool();
  const { clock, storage } = school.installation;
  for (const _ of [1, 2]) await subscribe(school, "vtr.issued");
  await emitIssued(school, 1);
  await multiply(school, 600);
  await end(school, "succeeded");
  clock.advance(1000);
  await start(school);
  const context = { ...jobContext("event-replays", { control: storage.control, clock }), tenant: tenantOf(school) };

  expect(await advanceReplay(context)).toEqual({ considered: 500, isRunning: true });
  await end(school, "succeeded", sql`id in (select id from deliveries where status = 'pending' limit 100)`);
  expect(await advanceReplay(context)).toEqual({ considered: 50, isRunning: true });
  expect(await countOf(school, sql`status = 'pending'`)).toBe(1000);
});

test("a replay of events that no endpoint takes lets others have their turn after two thousand", async () => {
  const school = await newOwnSchool();
  const { clock, storage } = school.installation;
  await emitIssued(school, 1);
  await multiply(school, 2100);
  clock.advance(1000);
  await start(school);
  const context = { ...jobContext("event-replays", { control: storage.control, clock }), tenant: tenantOf(school) };
  expect(await advanceReplay(context)).toEqual({ considered: 2000, isRunning: true });
  expect(await advanceReplay(context)).toEqual({ considered: 100, isRunning: false });
});

test("a running replay makes its school due, and after a restart the job continues it", async () => {
  await using directory = await newDirectory();
  const school = await newSchool(await newInstallation({ directory: directory.path }));
  const { clock } = school.installation;
  await subscribe(school, "vtr.issued");
  await emitIssued(school, 2);
  await end(school, "succeeded");
  clock.advance(1000);
  expect(String(await tenantOf(school).read(nextWake(clock, { eventRetentionDays: 30 })))).toBe(
    "2026-07-15T03:41:30.000Z",
  );
  const started = await start(school);
  expect(String(await tenantOf(school).read(nextWake(clock, { eventRetentionDays: 30 })))).toBe(
    "2026-06-14T09:00:45.000Z",
  );
  await school.installation.close();

  const again = await newInstallation({ clock, directory: directory.path });
  clock.set("2026-06-14T09:00:45.000Z");
  const { control, tenants } = again.storage;
  const log = { error: () => undefined };
  const { replayRunner, config: settings } = again;
  const services = { control, tenant: tenants.tenant.bind(tenants), clock, log, replayRunner, settings };
  const run = () => eventReplays.run(services, clock.now());
  expect(await run()).toEqual({ summary: "Replayed 2 events in 1 school.", failed: false });
  const { data } = expectStatus(
    200,
    await again.call("GET", `/orgs/${school.orgId}${base}/${started.id}`, { token: school.owner.token }),
  ).body;
  expect(data).toMatchObject({ status: "done", considered: 2, queued: 2 });
  expect(await run()).toBe("nothing_due");
  await again.close();
});

test("a cancelled replay queues nothing more, and another replay can start", async () => {
  const school = await newOwnSchool();
  await subscribe(school, "vtr.issued");
  await emitIssued(school, 2);
  await end(school, "succeeded");
  school.installation.clock.advance(1000);
  const first = await start(school);
  const busy = expectStatus(409, await school.owner.post(base, period));
  expect(busy.body.error.message).toContain("running");

  const cancelled = expectStatus(200, await school.owner.post(`${base}/${first.id}/cancel`)).body.data;
  expect(cancelled).toEqual({ ...first, status: "cancelled", finished_at: "2026-06-14T09:00:01.000Z" });
  await advance(school);
  expect(await show(school, first)).toEqual(cancelled);
  expect(await countOf(school, sql`status = 'pending'`)).toBe(0);
  expectStatus(409, await school.owner.post(`${base}/${first.id}/cancel`));
  expect((await school.owner.get(`/audit-log?subject_id=${first.id}`)).body.data[0]).toMatchObject({
    action: "replay.cancelled",
    before: first,
    after: cancelled,
  });
  await start(school);
});

test("startReplay rejects invalid fields, disabled and unsubscribed endpoints, and names the reason", async () => {
  const school = await newSchool();
  const { owner } = school;
  const enabled = await subscribe(school, "webhook.test");
  const disabled = await subscribe(school, "webhook.test");
  expectStatus(200, await owner.patch(`${endpoints}/${disabled}`, { enabled: false }));
  const faults: [path: string, change: object][] = [
    ["body.since", { since: "yesterday" }],
    ["body.until", { until: period.since }],
    ["body.since", { since: "2026-06-14T09:00:00Z" }],
    ["body.type", { type: "flight.reversed" }],
    ["body.only", { only: "lost" }],
    ["body.to", { to: "me" }],
  ];
  for (const [path, change] of faults) {
    const { issues } = expectStatus(400, await owner.post(base, { ...period, ...change })).body;
    expect(issues.map((issue: { path: string }) => issue.path).join()).toMatch(new RegExp(`^${path}|^body$`));
  }
  expectStatus(409, await owner.post(base, { ...period, endpoint_id: disabled }));
  const unsubscribed = { ...period, endpoint_id: enabled, type: "vtr.issued" };
  expect(expectStatus(409, await owner.post(base, unsubscribed)).body.error.message).toContain("vtr.issued");
  const nobody = "01890a5d-ac96-774b-bcce-b302099a8057";
  const { issues } = expectStatus(400, await owner.post(base, { ...period, endpoint_id: nobody })).body;
  expect(issues).toMatchObject([{ path: "body.endpoint_id" }]);
  expectStatus(404, await owner.get(`${base}/${nobody}`));
  expectStatus(404, await owner.post(`${base}/${nobody}/cancel`));
  expect((await owner.get(base)).body.data).toEqual([]);
});
