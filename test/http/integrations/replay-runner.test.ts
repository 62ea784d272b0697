/** Replays skip deliveries in progress, and the runner skips schools whose database can't be read. */
import { expect, test } from "bun:test";
import { seconds } from "../../../src/core/clock.ts";
import { deliveries } from "../../../src/events/events.tables.ts";
import { claim } from "../../../src/events/outbox.ts";
import { createReplayRunner } from "../../../src/modules/integrations/replays/replay-runner.ts";
import { expectStatus, newOwnSchool } from "../../support/school.ts";
import { deliveriesOf, emitTests, tenantOf } from "./events.ts";
import { webhookUrl } from "./scenery.ts";

const tests = { since: "2026-06-01T00:00:00Z", until: "2026-07-01T00:00:00Z", type: "webhook.test" };

test.each(["failed", "undelivered"])(
  "a replay of %s deliveries does not repeat one that is in progress",
  async (only) => {
    const school = await newOwnSchool();
    const { owner, installation } = school;
    const endpoint = { url: webhookUrl, event_types: ["webhook.test"] };
    expectStatus(201, await owner.post("/integrations/webhook-endpoints", endpoint));
    const [eventId] = await emitTests(school, 1);
    const tenant = tenantOf(school);
    if (only === "failed") {
      // The delivery failed, and a member replayed the event.
      await tenant.write((tx) => tx.update(deliveries).set({ status: "failed", due_at: null, finished_at: tx.now }));
      expectStatus(201, await owner.post(`/integrations/events/${eventId}/replay`));
    }
    const room = { of: () => 10, take: (_: unknown, count: number) => count };
    await tenant.write((tx) => claim(tx, { room, lease: seconds(30), token: "a.1", takeOver: false }));
    const before = await deliveriesOf(school, eventId);
    expect(before.filter(({ status }) => status === "delivering")).toHaveLength(1);

    installation.clock.advance(1000);
    const { id } = expectStatus(202, await owner.post("/integrations/replays", { ...tests, only })).body.data;
    await installation.replayRunner.advanceAll();
    const { data } = expectStatus(200, await owner.get(`/integrations/replays/${id}`)).body;
    expect(data).toMatchObject({ status: "done", considered: 1, queued: 0 });
    expect(await deliveriesOf(school, eventId)).toEqual(before);
  },
);

test("the runner leaves a school whose database can't be read to the job, instead of trying and logging every second", async () => {
  const school = await newOwnSchool();
  const { clock, storage } = school.installation;
  const readable = tenantOf(school);
  let [tried, isBroken] = [0, true];
  const tenant = () => {
    tried += 1;
    return isBroken ? { ...readable, read: () => Promise.reject(new Error("the disk is gone")) } : readable;
  };
  const logged: unknown[] = [];
  const log = { error: (details: unknown) => void logged.push(details) };
  const runner = createReplayRunner({ clock, control: storage.control, tenant, log });
  runner.add(readable.id);
  for (let second = 0; second < 3; second += 1) await runner.advanceAll();
  expect(tried).toBe(1);
  expect(logged).toMatchObject([{ organization_id: readable.id, err: { message: "the disk is gone" } }]);

  isBroken = false;
  runner.add(readable.id);
  await runner.advanceAll();
  expect([tried, logged.length]).toEqual([2, 1]);
});
